package textscan

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"linkcheck/internal/ascii"
)

// spacedLetter gives the length of a letter outside ASCII at the front of b that
// a reference may have got from a script that puts blanks between words; 0 for
// none. In the others the text goes on right behind a reference.
func spacedLetter(b []byte) int {
	if r, n := utf8.DecodeRune(b); r != utf8.RuneError {
		if r < '\u0e00' && (unicode.IsLetter(r) || unicode.IsMark(r)) || r == '\u200c' || r == '\u200d' { // up to Sinhala; joiners
			return n
		}
		return 0
	}
	if b[0] >= 0xc0 && len(b) > 1 && (ascii.Alnum(b[1]) || bytes.IndexByte([]byte("./-_"), b[1]) >= 0) {
		return 1
	}
	return 0
}
