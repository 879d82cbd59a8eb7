package doc

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"linkcheck/internal/ascii"
	"linkcheck/uri/secret"
)

// ContextSize is the length in bytes of Found.Context, more or less.
const ContextSize = 160

// Shown is the beginning of b, n bytes or a few less, on one line and without secrets.
func Shown(b []byte, n int) string {
	if len(b) <= n && plainLine(b) {
		return string(b)
	}
	b = Clip(b, n+shownAhead)
	if secrets := secret.Spans(b); len(secrets) > 0 {
		b = []byte(secret.Cut(b, secrets, 0, len(b)))
	}
	return OneLine(string(Clip(b, n)))
}

// plainLine says that b is one line, without blanks around it, and has nothing to hide:
// all that [plain] and [OneLine] ask, at once.
func plainLine(b []byte) bool {
	before := byte(' ')
	for i, c := range b {
		if special[c] && (c != '=' || secret.Named(b, i)) || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return before != ' ' || len(b) == 0
}

// shownAhead is how many bytes behind a cut are looked at for the end of a password.
const shownAhead = 2 << 10

// Clip cuts b to n bytes and whole runes.
func Clip(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	return wholeRunes(b[:n])
}

// wholeRunes cuts off a rune of which only the first bytes are there.
func wholeRunes(b []byte) []byte {
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

// OneLine makes one blank of every run of blanks, line breaks and control characters.
func OneLine(s string) string {
	if s = strings.TrimSpace(s); isOneLine(s) {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
}

func isOneLine(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		if s[i] < ' ' || s[i] == 0x7f || s[i] == ' ' && before == ' ' {
			return false
		}
		before = s[i]
	}
	return before != ' ' || s == ""
}

// Advance gives the line and column behind b, which begins at line and col.
func Advance(b []byte, line, col int) (int, int) {
	n := bytes.Count(b, []byte{'\n'})
	if n == 0 {
		return line, col + len(b)
	}
	return line + n, len(b) - bytes.LastIndexByte(b, '\n')
}

// SchemeOf gives the scheme of an absolute reference in lower case, "" for a relative one.
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

// EscapeOctets writes the octets of a reference that are not ASCII as %XX; those
// of a host name stay.
func EscapeOctets(ref string) string {
	if ascii.Only([]byte(ref)) {
		return ref
	}
	host := 0 // where it ends
	if _, rest, ok := strings.Cut(ref, "//"); ok {
		host = len(ref)
		if n := strings.IndexAny(rest, "/?#"); n >= 0 {
			host += n - len(rest)
		}
	}
	return ref[:host] + escape(ref[host:], func(c byte) bool { return c >= 0x80 })
}

// EscapePath escapes what may not stand in a URL (RFC 1738 section 2.2); the
// slash and the other reserved characters stay.
func EscapePath(s string) string {
	return escape(s, func(c byte) bool { return c <= ' ' || c >= 0x7f || strings.IndexByte("\"#%<>?[\\]^`{|}", c) >= 0 })
}

func escape(s string, unsafe func(c byte) bool) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; unsafe(c) {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// WithoutControls drops what may never stand in a URI: NUL and line breaks.
func WithoutControls(s string) string {
	if !strings.ContainsAny(s, "\x00\r\n") {
		return s
	}
	return strings.NewReplacer("\x00", "", "\r", "", "\n", "").Replace(s)
}

// maxRepeated is the length at which Cut cuts.
const maxRepeated = 4 << 10

// Cut is s, which stands in the document once and in every row of it, such as a record
// id or a title: no more than 4 kB of it. What is cut is told as damage that calls it
// what; cut says so.
func (d *Document) Cut(line int, what, s string) (short string, cut bool) {
	if len(s) <= maxRepeated {
		return s, false
	}
	d.Damage(line, fmt.Errorf("%s of %d octets: cut to %d", what, len(s), maxRepeated))
	return string(Clip([]byte(s[:maxRepeated+1]), maxRepeated)), true
}
