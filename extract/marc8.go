package extract

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// decoderFor says how the bytes of a record become text: UTF-8 by leader byte 9,
// else MARC-8; an override wins. What is no MARC-8 comes out with U+FFFD in it,
// which spoils titles only: URIs are ASCII.
func decoderFor(o Options, rec []byte, fields []marcField) func([]byte) string {
	switch {
	case o.Charset != "":
		return func(b []byte) string { return string(toUTF8(b, o.Charset)) }
	case len(rec) > 9 && rec[9] == 'a' || isUnimarc(fields):
		return func(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
	}
	return marc8
}

// marc8 decodes ASCII and ANSEL (MARC 21 specifications, code table "Extended
// Latin"). Combining marks stand before their letter there. Other sets, which
// escape sequences call in, become U+FFFD each character. Records that say MARC-8
// and hold UTF-8 are common: valid UTF-8 is left as it is.
func marc8(b []byte) string {
	if ascii(b) && strings.IndexByte(string(b), 0x1b) < 0 {
		return string(b)
	}
	if utf8.Valid(b) && strings.IndexByte(string(b), 0x1b) < 0 {
		return string(b)
	}
	var out, marks []rune
	foreign := 0 // bytes a character of the set called in has; 0 is ASCII
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case c == 0x1b:
			i, foreign = escape(b, i)
			continue
		case foreign > 0 && c > ' ' && c < 0x80:
			i += foreign - 1
			out = append(out, utf8.RuneError)
		case c < 0x80:
			out = append(append(out, rune(c)), marks...)
			marks = marks[:0]
		case ansel(c) >= 0x300 && ansel(c) < 0x370 || ansel(c) >= 0xfe20 && ansel(c) < 0xfe30:
			marks = append(marks, ansel(c))
		default:
			out = append(append(out, ansel(c)), marks...)
			marks = marks[:0]
		}
	}
	return norm.NFC.String(string(append(out, marks...)))
}

// escape reads the escape sequence at b[i] and gives its last byte and how many
// bytes a character of the new G0 set has.
func escape(b []byte, i int) (last, foreign int) {
	j := i + 1
	for j < len(b) && strings.IndexByte("(,$)-!", b[j]) >= 0 {
		j++
	}
	if j >= len(b) {
		return len(b) - 1, 0
	}
	switch seq := string(b[i+1 : j+1]); {
	case seq == "s" || seq == "(B" || seq == ",B":
		return j, 0
	case strings.Contains(seq, ")") || strings.Contains(seq, "-"):
		return j, 0 // a G1 set: its bytes are above 0x7f
	case strings.HasPrefix(seq, "$"):
		return j, 3
	}
	return j, 1
}

// anselTable has the characters from 0xa1 to 0xc8 and from 0xe0 to 0xfe.
const (
	anselLetters = "ŁØĐÞÆŒʹ·♭®±ƠƯʼ\uFFFDʻłøđþæœʺı£ð\uFFFDơư\uFFFD\uFFFD°ℓ℗©♯¿¡ß€"
	anselMarks   = "\u0309\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030c\u030a\ufe20\ufe21\u0315\u030b\u0310\u0327\u0328\u0323\u0324\u0325\u0333\u0332\u0326\u031c\u032e\ufe22\ufe23\ufffd\ufffd\u0313"
)

func ansel(c byte) rune {
	switch {
	case 0xa1 <= c && c <= 0xc8:
		return nthRune(anselLetters, int(c-0xa1))
	case 0xe0 <= c && c <= 0xfe:
		return nthRune(anselMarks, int(c-0xe0))
	}
	return utf8.RuneError
}

func nthRune(s string, n int) rune {
	for _, r := range s {
		if n == 0 {
			return r
		}
		n--
	}
	return utf8.RuneError
}
