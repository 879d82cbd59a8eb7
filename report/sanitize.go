package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"linkcheck/uri/secret"
)

// Sanitize makes untrusted text fit to be shown: valid UTF-8, one line, no
// password. A server's words must not move the cursor, end a line or turn the
// direction of the text: control characters become U+FFFD.
func (s *Scope) Sanitize(text string) string {
	if text = oneLine(text); s.ShowSecrets {
		return text
	}
	return secret.MaskText(text)
}

// SanitizeURL is Sanitize for one address, which ends where the text does.
func (s *Scope) SanitizeURL(text string) string {
	if text = oneLine(text); s.ShowSecrets {
		return text
	}
	return secret.Mask(text)
}

func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

const hex = "0123456789abcdef"

// AppendJSON appends texts as JSON strings with commas between them. They may stand
// inside an HTML script element: < > & and the line separators U+2028 and U+2029 are
// escaped.
func AppendJSON(to []byte, texts ...string) []byte {
	for i, s := range texts {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendString(to, s)
	}
	return to
}

func appendString(to []byte, s string) []byte {
	to = append(to, '"')
	start := 0 // of what is to be copied as it is
	for i, r := range s {
		width := utf8.RuneLen(r)
		switch r {
		default:
			if r >= ' ' {
				continue
			}
		case utf8.RuneError:
			if _, width = utf8.DecodeRuneInString(s[i:]); width > 1 {
				continue
			}
		case '"', '\\', '<', '>', '&', '\u2028', '\u2029':
		}
		to = append(append(to, s[start:i]...), '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		start = i + width
	}
	return append(append(to, s[start:]...), '"')
}
