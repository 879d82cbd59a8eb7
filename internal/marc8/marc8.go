// Package marc8 decodes the character set of MARC 21 records that are not in UTF-8.
package marc8

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// Decode decodes ASCII and ANSEL (MARC 21 specifications, code table "Extended
// Latin"), in which combining marks stand before their letter. Escape sequences
// call in other sets: of those that marcSet does not know a character becomes
// U+FFFD. Records that say MARC-8 and hold UTF-8 are common: valid UTF-8 is left
// as it is.
func Decode(b []byte) string {
	if escapes := bytes.IndexByte(b, 0x1b) >= 0; !escapes && utf8.Valid(b) {
		return string(b)
	}
	var out, marks []rune
	var sets [2]byte // called into the lower and the upper half; 0: ASCII and ANSEL
	for i := 0; i < len(b); i++ {
		if b[i] == 0x1b {
			i = designate(b, i, &sets)
			continue
		}
		c, half := b[i], b[i]>>7
		r := rune(c)
		switch {
		case c&0x7f > ' ' && sets[half] == eastAsian:
			i += 2
			out = append(out, utf8.RuneError)
			continue
		case c&0x7f > ' ' && sets[half] != 0:
			r = marcSet(sets[half], c&0x7f)
		case half == 1:
			if r = ansel(c); r >= 0x300 && r < 0x370 || r >= 0xfe20 && r < 0xfe30 {
				marks = append(marks, r)
				continue
			}
		}
		out = append(append(out, r), marks...)
		marks = marks[:0]
	}
	return norm.NFC.String(string(append(out, marks...)))
}

// eastAsian is the one set with three bytes a character.
const eastAsian = '1'

// designate reads the escape sequence at b[i], which calls a set into one of the
// halves, and gives its last byte.
func designate(b []byte, i int, sets *[2]byte) (last int) {
	j, half := i+1, 0
	for ; j < len(b) && strings.IndexByte("(,$)-!", b[j]) >= 0; j++ {
		if b[j] == ')' || b[j] == '-' {
			half = 1
		}
	}
	if j >= len(b) {
		return len(b) - 1
	}
	sets[half] = b[j]
	if strings.IndexByte("sBE", b[j]) >= 0 { // ASCII; ANSEL
		sets[half] = 0
	}
	return j
}

// marcSet gives the letters of Basic Cyrillic, Basic Hebrew and Basic Arabic,
// whose code tables follow KOI-8, ISO 8859-8 and ISO 8859-6.
func marcSet(set, c byte) rune {
	switch {
	case set == 'N' && c >= 0x40:
		return charmap.KOI8R.DecodeByte(c | 0x80)
	case set == '2' && 0x60 <= c && c <= 0x7a:
		return 0x5d0 + rune(c-0x60)
	case set == '3' && (0x41 <= c && c <= 0x5a || 0x60 <= c && c <= 0x72):
		return 0x621 + rune(c-0x41)
	case (set == 'N' || set == '2' || set == '3') && c < 0x40:
		return rune(c)
	}
	return utf8.RuneError
}

// anselTable has the characters of ANSEL from 0xa1 on: letters and signs, a gap, and
// the combining marks from 0xe0 on.
var anselTable = []rune("ŁØĐÞÆŒʹ·♭®±ƠƯʼ\uFFFDʻłøđþæœʺı£ð\uFFFDơư\uFFFD\uFFFD°ℓ℗©♯¿¡ß€" +
	strings.Repeat("\uFFFD", 23) +
	"\u0309\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030c\u030a\ufe20\ufe21\u0315\u030b\u0310\u0327\u0328\u0323\u0324\u0325\u0333\u0332\u0326\u031c\u032e\ufe22\ufe23\ufffd\ufffd\u0313")

func ansel(c byte) rune {
	if i := int(c) - 0xa1; i >= 0 && i < len(anselTable) {
		return anselTable[i]
	}
	return utf8.RuneError
}
