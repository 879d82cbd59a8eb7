package chars

import "strings"

const hexUpper = "0123456789ABCDEF"

// Unhex is the value of a hexadecimal digit.
func Unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	default:
		return c - 'a' + 10
	}
}

// IsEscape reports whether s[i:] starts with "%" hex hex.
func IsEscape(s string, i int) bool {
	return i+2 < len(s) && s[i] == '%' && Is(s[i+1], Hex) && Is(s[i+2], Hex)
}

// Decode resolves every escape once (RFC 3986 section 2.4); s must have passed
// Scan. A string without escapes is shared.
func Decode(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	b = append(b, s[:i]...)
	for ; i < len(s); i++ {
		if IsEscape(s, i) {
			b = append(b, Unhex(s[i+1])<<4|Unhex(s[i+2]))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}

// Scan looks for the first character outside mask, or the first truncated
// escape. It gives its offset and whether it is an escape, or -1.
func Scan(s string, mask Class) (at int, escape bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' {
			if !IsEscape(s, i) {
				return i, true
			}
			i += 2
			continue
		}
		if !Is(s[i], mask) {
			return i, false
		}
	}
	return -1, false
}

// AppendEscape writes c as an escape in upper case.
func AppendEscape(dst []byte, c byte) []byte {
	return append(dst, '%', hexUpper[c>>4], hexUpper[c&15])
}

// AppendRecoded writes s with the escapes of characters in show resolved and raw
// characters outside keep escaped; changed says whether there were any.
func AppendRecoded(dst []byte, s string, show, keep Class) (out []byte, changed bool) {
	for i := 0; i < len(s); i++ {
		c, escaped := s[i], IsEscape(s, i)
		raw := keep
		if escaped {
			c, raw = Unhex(s[i+1])<<4|Unhex(s[i+2]), show
			i += 2
		}
		asRaw := Is(c, raw)
		changed = changed || asRaw == escaped
		if asRaw {
			dst = append(dst, c)
		} else {
			dst = AppendEscape(dst, c)
		}
	}
	return dst, changed
}

// Recode is [AppendRecoded] for a string.
func Recode(s string, show, keep Class) string {
	out, _ := AppendRecoded(nil, s, show, keep)
	return string(out)
}

// MapRaw maps or drops every raw character and leaves escapes alone.
func MapRaw(s string, f func(byte) (c byte, keep bool)) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if IsEscape(s, i) {
			b = append(b, s[i:i+3]...)
			i += 2
		} else if c, keep := f(s[i]); keep {
			b = append(b, c)
		}
	}
	return string(b)
}

// LowerRaw folds the ASCII letters outside escapes.
func LowerRaw(s string) string {
	if strings.ToLower(s) == s {
		return s // without a copy
	}
	return MapRaw(s, func(c byte) (byte, bool) { return LowerByte(c), true })
}

// UpperRaw is the same in upper case.
func UpperRaw(s string) string {
	return MapRaw(s, func(c byte) (byte, bool) {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		return c, true
	})
}
