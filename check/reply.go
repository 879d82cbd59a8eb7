package check

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"linkcheck/uri/secret"
)

// maxReply is how many octets of a reply a Result keeps.
const maxReply = 512

// controlSequence moves a cursor, changes a colour and the like (ECMA-48 section
// 5.4): telnet hosts greet with pictures.
var controlSequence = regexp.MustCompile(`\x1b\[[ -?]*[@-~]`)

// CleanReply makes one line of a server's words: valid UTF-8 without control
// characters, at most 512 octets. Passwords are hidden before anything is cut.
func CleanReply(s string) string {
	unusual := func(r rune) bool { return r < ' ' || r > '~' }
	if len(s) <= maxReply && strings.TrimSpace(s) == s && !strings.Contains(s, "  ") && !strings.ContainsFunc(s, unusual) {
		return secret.MaskText(s) // as most replies are
	}
	s = secret.MaskText(s)
	s = decodeReply(s[:min(len(s), 4*maxReply)])
	s = controlSequence.ReplaceAllStringFunc(s, func(sequence string) string {
		if strings.HasSuffix(sequence, "m") {
			return "" // a colour, which may change within a word
		}
		return " "
	})
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d'
	}), " ")
	s = secret.MaskText(s) // what stood between its octets is gone
	// The cut may lie within a character, or behind a blank.
	return strings.TrimRight(strings.ToValidUTF8(s[:min(len(s), maxReply)], ""), " ")
}

// decodeReply reads octets that are no UTF-8 as ISO 8859-1, which servers of the
// time wrote.
func decodeReply(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if n == 1 { // ASCII, or no UTF-8
			r = rune(s[0])
		}
		b.WriteRune(r)
		s = s[n:]
	}
	return b.String()
}
