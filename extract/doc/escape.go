package doc

import (
	"strings"

	"linkcheck/internal/ascii"
)

// escapeOctets writes the octets of a reference that are not ASCII as %XX, as
// they stand; those of a host name stay.
func EscapeOctets(ref string) string {
	if ascii.ASCII([]byte(ref)) {
		return ref
	}
	i := 0
	if _, rest, ok := strings.Cut(ref, "//"); ok {
		i = len(ref)
		if n := strings.IndexAny(rest, "/?#"); n >= 0 {
			i += n - len(rest)
		}
	}
	var b strings.Builder
	b.WriteString(ref[:i])
	for ; i < len(ref); i++ {
		if c := ref[i]; c >= 0x80 {
			escape(&b, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// EscapePath escapes what may not stand in a URL (RFC 1738 section 2.2); the
// slash and the other reserved characters stay.
func EscapePath(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"#%<>?[\\]^`{|}", c) >= 0 {
			escape(&b, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func escape(b *strings.Builder, c byte) {
	const hex = "0123456789ABCDEF"
	b.WriteByte('%')
	b.WriteByte(hex[c>>4])
	b.WriteByte(hex[c&15])
}

// uncontrolled drops what may never stand in a URI: NUL and line breaks.
func WithoutControls(s string) string {
	for i := range len(s) {
		if c := s[i]; c == 0 || c == '\r' || c == '\n' {
			return strings.NewReplacer("\x00", "", "\r", "", "\n", "").Replace(s)
		}
	}
	return s
}
