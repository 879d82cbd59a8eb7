package check

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxReply is how many octets of a reply a Result keeps.
const maxReply = 512

// CleanReply makes one line of a server's words: valid UTF-8 without control
// characters, at most 512 bytes.
func CleanReply(s string) string {
	if isClean(s) {
		return s
	}
	if len(s) > 4*maxReply {
		s = s[:4*maxReply]
	}
	s = strings.Join(strings.FieldsFunc(decodeReply(s), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d'
	}), " ")
	if len(s) <= maxReply {
		return s
	}
	cut := maxReply
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}

// decodeReply reads octets that are no UTF-8 as ISO 8859-1, which servers of the
// time wrote, and leaves out what moves cursors and changes colours (ECMA-48
// section 5.4): telnet hosts greet with pictures.
func decodeReply(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		if n := escapeLen(s); n > 0 {
			if s[n-1] != 'm' { // anything but a colour ends a word
				b.WriteByte(' ')
			}
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		if n == 1 { // ASCII, or no UTF-8
			r = rune(s[0])
		}
		b.WriteRune(r)
		s = s[n:]
	}
	return b.String()
}

// escapeLen is the length of the control sequence that s begins with, or 0.
func escapeLen(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s) && s[i] >= ' ' && s[i] <= '~'; i++ {
		if s[i] >= '@' {
			return i + 1
		}
	}
	return 0
}

// isClean reports whether s is clean already, as most replies are.
func isClean(s string) bool {
	space := true // before the first octet, and after the last
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f || s[i] == ' ' && space {
			return false
		}
		space = s[i] == ' '
	}
	return len(s) <= maxReply && (!space || s == "")
}
