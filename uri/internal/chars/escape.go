package uri

import "strings"

const hexUpper = "0123456789ABCDEF"

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	default:
		return c - 'a' + 10
	}
}

// isEscape reports whether s[i:] starts with "%" hex hex.
func isEscape(s string, i int) bool {
	return i+2 < len(s) && s[i] == '%' && is(s[i+1], cHex) && is(s[i+2], cHex)
}

// decode resolves every escape once (RFC 3986 section 2.4); s must have passed
// scan. A string without escapes is shared.
func decode(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	b = append(b, s[:i]...)
	for ; i < len(s); i++ {
		if isEscape(s, i) {
			b = append(b, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

// scan looks for the first character outside mask, or the first truncated
// escape. It gives its place and whether it is an escape, or -1.
func scan(s string, mask class) (at int, escape bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' {
			if !isEscape(s, i) {
				return i, true
			}
			i += 2
			continue
		}
		if !is(s[i], mask) {
			return i, false
		}
	}
	return -1, false
}

func appendEscape(dst []byte, c byte) []byte {
	return append(dst, '%', hexUpper[c>>4], hexUpper[c&15])
}
