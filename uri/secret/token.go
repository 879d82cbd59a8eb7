package secret

import "strings"

// escapes are the characters that escapes begin with.
const escapes = `%&\`

// mayHold says whether c may stand in s, escaped or not.
func mayHold(s string, c byte) bool {
	return strings.IndexByte(s, c) >= 0 || strings.ContainsAny(s, escapes)
}

// token reads one character at s[i], escapes undone: %XX, however often the '%' itself is
// escaped, &#64; and \u0040. n is its length in s.
func token(s string, i int) (c byte, n int) {
	switch s[i] {
	case '%':
		return percent(s, i)
	case '&':
		return reference(s, i)
	case '\\':
		if i+6 <= len(s) && s[i+1:i+4] == "u00" && isHex(s[i+4]) && isHex(s[i+5]) {
			return unhex(s[i+4])<<4 | unhex(s[i+5]), 6
		}
	}
	return s[i], 1
}

func percent(s string, i int) (c byte, n int) {
	j := i + 1
	for strings.HasPrefix(s[j:], "25") {
		j += 2
	}
	if j+2 <= len(s) && isHex(s[j]) && isHex(s[j+1]) {
		return unhex(s[j])<<4 | unhex(s[j+1]), j + 2 - i
	}
	return '%', j - i
}

// maxReference is the length of the longest character reference that is read.
const maxReference = 10

func reference(s string, i int) (c byte, n int) {
	head, _, ok := strings.Cut(s[i:min(len(s), i+maxReference)], ";")
	if !ok {
		return '&', 1
	}
	n = len(head) + 1
	switch head {
	case "&commat":
		return '@', n
	case "&colon":
		return ':', n
	case "&sol":
		return '/', n
	case "&bsol":
		return '\\', n
	case "&amp":
		return '&', n
	}
	digits, ok := strings.CutPrefix(head, "&#")
	base := 10
	if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
		base, digits = 16, digits[1:]
	}
	value := 0
	for i := range len(digits) {
		ok = ok && (isDigit(digits[i]) || base == 16 && isHex(digits[i]))
		value = value*base + int(unhex(digits[i]))
	}
	if !ok || digits == "" || value > 0x7f {
		return '&', 1
	}
	return byte(value), n
}

func isBlank(c byte) bool  { return c == ' ' || c >= '\t' && c <= '\r' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isHex(c byte) bool    { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isSlash(c byte) bool  { return c == '/' || c == '\\' }

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// seeker finds where a character stands next, escaped or not. Asked with rising
// positions it reads the text once.
type seeker struct {
	want byte
	next [1 + len(escapes)]int // where want and each of its escapes stand next
	set  bool
}

// from is the first position at i or behind it; len(s) for none.
func (k *seeker) from(s string, i int) int {
	best := len(s)
	for j := range k.next {
		if !k.set || k.next[j] < i {
			k.next[j] = k.find(s, i, j)
		}
		best = min(best, k.next[j])
	}
	k.set = true
	return best
}

// find looks for want itself where kind is 0, else for it escaped by one of escapes.
func (k *seeker) find(s string, i, kind int) int {
	c := k.want
	if kind > 0 {
		c = escapes[kind-1]
	}
	for i < len(s) {
		n := strings.IndexByte(s[i:], c)
		if n < 0 {
			break
		}
		i += n
		if kind == 0 {
			return i
		}
		got, length := token(s, i)
		if got == k.want {
			return i
		}
		i += length
	}
	return len(s)
}
