package report

import (
	"regexp"
	"strings"

	"linkcheck/uri"
)

// secret is userinfo with a password inside running text.
var secret = regexp.MustCompile(`(//[^\s/:@]*):[^\s/@]*@`)

// clean makes words fit to be shown: valid UTF-8, one line, no password.
func (s *scope) clean(text string) string {
	if !plain(text) {
		text = oneLine(text)
	}
	if s.ShowSecrets || !strings.Contains(text, "@") {
		return text
	}
	return secret.ReplaceAllString(text, "$1:***@")
}

// address is clean for one address, which may hide a password in more ways.
func (s *scope) address(text string) string {
	if !s.ShowSecrets && strings.Contains(text, "@") {
		text = uri.Mask(text)
	}
	return s.clean(text)
}

// plain reports whether text is printable ASCII, as nearly all addresses are.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// oneLine replaces what is not UTF-8 and every control character: a server's
// words must not move the cursor, end a line or turn the direction of the text.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}
