package secret

import (
	"bytes"
	"strings"
)

// escapes are the characters that escapes begin with.
const escapes = `%&\`

// mayHold says whether c may stand in s, escaped or not.
func mayHold(s string, c byte) bool { return strings.IndexByte(s, c) >= 0 || holdsEscape(s) }

func holdsEscape(s string) bool {
	return strings.IndexByte(s, '%') >= 0 || strings.IndexByte(s, '&') >= 0 || strings.IndexByte(s, '\\') >= 0
}

// token reads one character at s[i], escapes undone: %XX, however often the '%' itself is
// escaped, &#64; and \u0040. n is its length in s.
func token(s []byte, i int) (c byte, n int) {
	switch s[i] {
	case '%':
		return percent(s, i)
	case '&':
		return reference(s, i)
	case '\\':
		if i+6 <= len(s) && string(s[i+1:i+4]) == "u00" && isHex(s[i+4]) && isHex(s[i+5]) {
			return unhex(s[i+4])<<4 | unhex(s[i+5]), 6
		}
	}
	return s[i], 1
}

func percent(s []byte, i int) (c byte, n int) {
	j := i + 1
	for j+2 <= len(s) && s[j] == '2' && s[j+1] == '5' {
		j += 2
	}
	if j+2 <= len(s) && isHex(s[j]) && isHex(s[j+1]) {
		return unhex(s[j])<<4 | unhex(s[j+1]), j + 2 - i
	}
	return '%', j - i
}

// maxReference is the length of the longest character reference that is read.
const maxReference = 10

func reference(s []byte, i int) (c byte, n int) {
	head, _, ok := strings.Cut(string(s[i:min(len(s), i+maxReference)]), ";")
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

// escaped are the ways in which an escape of ':' or '@' begins.
var escaped = [...]string{"%", "&#", "&co", `\u00`}

// seeker finds where a character stands next, escaped or not. Asked with rising
// positions it reads the text once.
type seeker struct {
	want byte
	next [1 + len(escaped)]int // where want and each kind of its escapes stand next; -1: not looked for
}

// newSeeker looks for escapes too where s holds what they begin with.
func newSeeker(s []byte, want byte) seeker {
	k := seeker{want: want}
	for j := range k.next {
		if k.next[j] = -1; j > 0 && bytes.IndexByte(s, escaped[j-1][0]) < 0 {
			k.next[j] = len(s)
		}
	}
	return k
}

// plain says that there are no escapes in s.
func (k *seeker) plain(s []byte) bool {
	for _, next := range k.next[1:] {
		if next < len(s) {
			return false
		}
	}
	return true
}

// from is the first position at i or behind it; len(s) for none.
func (k *seeker) from(s []byte, i int) int {
	best := len(s)
	for j := range k.next {
		if k.next[j] < i {
			k.next[j] = k.find(s, i, j)
		}
		best = min(best, k.next[j])
	}
	return best
}

// find looks for want itself where kind is 0, else for one kind of its escapes.
func (k *seeker) find(s []byte, i, kind int) int {
	if kind == 0 {
		if n := bytes.IndexByte(s[i:], k.want); n >= 0 {
			return i + n
		}
		return len(s)
	}
	for {
		n := bytes.Index(s[i:], []byte(escaped[kind-1]))
		if n < 0 {
			return len(s)
		}
		i += n
		c, length := token(s, i)
		if c == k.want {
			return i
		}
		i += length
	}
}

// bracket gives the end of an IPv6 address behind its '[', or i where there is none.
func (f *finder) bracket(i int) int {
	for j := i; j < min(len(f.s), i+maxBracket); {
		c, n := token(f.s, j)
		j += n
		switch {
		case c == ']' && (j == len(f.s) || f.s[j] != '@'):
			return j
		case !isHex(c) && c != ':' && c != '.':
			return i
		}
	}
	return i
}

// port says whether a port stands at i, and no password: digits that nothing but the end
// of the authority follows, or of the word.
func (f *finder) port(i int) bool {
	from := i
	for i < len(f.s) && i-from <= maxPort && isDigit(f.s[i]) {
		i++
	}
	if i == from || i-from > maxPort {
		return false
	}
	for i < len(f.s) {
		c, n := token(f.s, i)
		switch {
		case isBlank(c) || oneOf(c, `/\?#&"<>`):
			return true
		case !oneOf(c, `)]}.,;!'*|`+"`"):
			return false
		}
		i += n
	}
	return true
}

// drive says whether the "user" is the letter of a drive: file:///C:/a@b.
func (f *finder) drive(user, colon, i int) bool {
	if colon-user != 1 || !isLetter(f.s[user]) || i >= len(f.s) || !isSlash(f.s[i]) {
		return false
	}
	name := string(bytes.TrimRight(f.s[max(0, user-maxScheme):user], `/\`))
	return len(name) >= 5 && strings.EqualFold(name[len(name)-5:], "file:")
}
