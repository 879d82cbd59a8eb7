package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"linkcheck/internal/escape"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri/secret"
)

// Sanitize makes untrusted text fit to be shown: valid UTF-8, one line, no
// password. A server's words must not move the cursor, end a line or turn the
// direction of the text: what would do that becomes U+FFFD, unless the scope is exact.
func (s *Scope) Sanitize(text string) string {
	if text = s.line(text); s.ShowSecrets {
		return text
	}
	return secret.MaskText(text)
}

// SanitizeURL is Sanitize for one address, which ends where the text does.
func (s *Scope) SanitizeURL(text string) string {
	if text = s.line(text); s.ShowSecrets {
		return text
	}
	return secret.Mask(text)
}

// line is text on one line, unless the scope is exact.
func (s *Scope) line(text string) string {
	if s.Exact {
		return text
	}
	return oneLine(text)
}

func oneLine(text string) string {
	if escape.Line(text) == text { // as nearly all is
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case escape.Active(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

const hex = "0123456789abcdef"

// AppendJSON appends texts as JSON strings with commas between them. They may stand
// inside an HTML script element: < > & and what acts on a terminal are escaped.
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
			if !escape.Active(r) {
				continue
			}
		case utf8.RuneError:
			if _, width = utf8.DecodeRuneInString(s[i:]); width > 1 {
				continue
			}
		case '"', '\\', '<', '>', '&':
		}
		to = append(append(to, s[start:i]...), '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		start = i + width
	}
	return append(append(to, s[start:]...), '"')
}

// copiesOf gives the function that finds the archived copy for a place of a link, fit to be
// shown; "" if none is known.
func (s *Scope) copiesOf(l store.Link) func(*store.Mention) string {
	if s.Archive == nil || l.State != judge.Dead && l.State != judge.PinnedDead && l.State != judge.Moved {
		return func(*store.Mention) string { return "" }
	}
	return func(m *store.Mention) string {
		url, _ := s.Archive.Copy(&l, m)
		return s.SanitizeURL(url)
	}
}
