package doc

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"linkcheck/internal/ascii"
)

// oneLine squeezes blanks and line breaks and drops what is not text.
func OneLine(s string) string {
	if s = strings.TrimSpace(s); squeezed(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
}

// squeezed says that s is one line already.
func squeezed(s string) bool {
	after := byte(' ')
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] == 0x7f || s[i] == ' ' && after == ' ' {
			return false
		}
		after = s[i]
	}
	return after != ' ' || s == ""
}

// clip cuts b to n bytes and whole runes.
func Clip(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	return WholeRunes(b[:n])
}

// wholeRunes cuts a rune off that the end of a window broke.
func WholeRunes(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

const ContextSize = 160 // bytes of Found.Context

// advance gives the place behind b, which starts at line and col.
func Advance(b []byte, line, col int) (int, int) {
	n := bytes.Count(b, Newline)
	if n == 0 {
		return line, col + len(b)
	}
	return line + n, len(b) - bytes.LastIndexByte(b, '\n')
}

var Newline = []byte("\n")

// schemeOf gives the scheme of an absolute reference in lower case, "" for a relative one.
func SchemeOf(ref string) string {
	i := strings.IndexByte(ref, ':')
	if i <= 0 || !ascii.Letter(ref[0]) {
		return ""
	}
	for j := 1; j < i; j++ {
		if !ascii.SchemeByte(ref[j]) {
			return ""
		}
	}
	return strings.ToLower(ref[:i])
}
