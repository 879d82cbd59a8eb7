// Package repair reads what people write instead of a URI: the wrappers, line breaks
// and sentences around it, slips of those who type addresses by hand, and misreadings
// of scanned text. Unwrap and Slips are sure of what was meant; OCR guesses.
//
// The files, in reading order:
//
//	ocr.go     misreadings of scanned text
//	slips.go   slips of those who type
//	value.go   how values of MARC are written
//	unwrap.go  what stands around a reference
package repair
