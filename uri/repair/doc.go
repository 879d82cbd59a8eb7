// Package repair reads what people write instead of a URI: the wrappers, line breaks
// and sentences around it, slips of those who type addresses by hand, and misreadings
// of scanned text. Unwrap and Slips are sure of what was meant; OCR guesses.
//
// Files in reading order: unwrap.go, slips.go, ocr.go.
package repair
