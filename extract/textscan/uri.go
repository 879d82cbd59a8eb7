package textscan

import (
	"bytes"

	"linkcheck/extract/doc"
)

// IsScheme says whether a scheme is one that the scanner tells from prose.
func IsScheme(s string) bool {
	_, known := spellingOf([]byte(s))
	return known
}

// IsURI says whether b is an absolute URI and nothing else.
func IsURI(b []byte) bool {
	s, known := spellingOf([]byte(doc.SchemeOf(string(b))))
	return known && bytes.IndexFunc(b, func(r rune) bool { return r <= ' ' }) < 0 && fits(s, string(b[bytes.IndexByte(b, ':')+1:]))
}

// IsRelative says whether b, where a reference has to stand, is a relative one: a
// word without a scheme.
func IsRelative(b []byte) bool {
	return len(b) > 0 && doc.SchemeOf(string(b)) == "" && len(bytes.Fields(b)) == 1
}
