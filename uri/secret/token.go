package secret

import (
	"bytes"
	"strings"
)

// escapes are the characters that escapes begin with.
const escapes = `%&\`

// seen is what stands in a text escaped.
type seen struct{ escapes, at, colon, equals bool }

// see looks at each escape in s, and at what only looks like one.
func see(s []byte) (e seen) {
	for _, begins := range []byte(escapes) {
		for i := bytes.IndexByte(s, begins); i >= 0 && i < len(s); {
			e.escapes = true
			switch c, _ := token(s, i); c {
			case '@':
				e.at = true
			case ':':
				e.colon = true
			case '=':
				e.equals = true
			}
			n := bytes.IndexByte(s[i+1:], begins)
			if n < 0 {
				break
			}
			i += 1 + n
		}
	}
	return e
}

// token reads one character at s[i], escapes undone: %XX, however often the '%' itself is
// escaped, %u0040, &#64; with what follows an &, &#64 and \u0040 or \x40. n is its length in s.
func token(s []byte, i int) (c byte, n int) {
	switch s[i] {
	case '%':
		return percent(s, i)
	case '&':
		return reference(s, i)
	case '\\':
		for _, start := range [...]string{"u00", "x"} {
			if c, n, ok := hexBehind(s, i+1, start); ok {
				return c, 1 + n
			}
		}
	}
	return s[i], 1
}

func percent(s []byte, i int) (c byte, n int) {
	j := i + 1
	for j+2 <= len(s) && s[j] == '2' && s[j+1] == '5' {
		j += 2
	}
	for _, start := range [...]string{"", "u00"} {
		if c, n, ok := hexBehind(s, j, start); ok {
			return c, j + n - i
		}
	}
	return '%', j - i
}

// hexBehind reads two digits behind start at s[i]; n is the length of both.
func hexBehind(s []byte, i int, start string) (c byte, n int, ok bool) {
	n = len(start) + 2
	if i+n > len(s) || string(s[i:i+n-2]) != start || !isHex(s[i+n-2]) || !isHex(s[i+n-1]) {
		return 0, 0, false
	}
	return unhex(s[i+n-2])<<4 | unhex(s[i+n-1]), n, true
}

// named are the character references that have a name, with what ends it.
var named = [...]struct {
	name string
	c    byte
}{{"commat;", '@'}, {"colon;", ':'}, {"sol;", '/'}, {"bsol;", '\\'}}

// reference reads a character reference, however often its '&' itself is one. A number may
// want its semicolon, as in browsers.
func reference(s []byte, i int) (c byte, n int) {
	j := i + 1
	for bytes.HasPrefix(s[j:], []byte("amp;")) {
		j += len("amp;")
	}
	for _, r := range named {
		if bytes.HasPrefix(s[j:], []byte(r.name)) {
			return r.c, j + len(r.name) - i
		}
	}
	k, base := j+1, 10
	if k < len(s) && s[k]|0x20 == 'x' {
		k, base = k+1, 16
	}
	digits, value := k, 0
	for ; k < len(s) && k-digits < maxDigits && (isDigit(s[k]) || base == 16 && isHex(s[k])); k++ {
		value = min(value*base+int(unhex(s[k])), 0x80)
	}
	if j == len(s) || s[j] != '#' || k == digits || value > 0x7f {
		return '&', j - i
	}
	if k < len(s) && s[k] == ';' {
		k++
	}
	return byte(value), k - i
}

// maxDigits bounds the digits of a character reference.
const maxDigits = 8

// alnum says which octets are letters or digits.
var alnum = func() (is [256]bool) {
	for c := range is {
		is[c] = isLetter(byte(c)) || isDigit(byte(c))
	}
	return is
}()

func oneOf(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }

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
var escaped = [...]string{"%", "&#", "&co", "&amp;", `\u00`, `\x`}

// seeker finds where a character stands next, escaped or not. Asked with rising
// positions it reads the text once.
type seeker struct {
	want  byte
	kinds int                   // of next that may stand there: 1 without escapes
	next  [1 + len(escaped)]int // where want and each kind of its escapes stand next; -1: not looked for
}

// newSeeker looks for escapes too where some are seen in s.
func newSeeker(s []byte, want byte, escapes bool) seeker {
	k := seeker{want: want, kinds: 1}
	k.next[0] = -1
	if !escapes {
		return k
	}
	k.kinds = len(k.next)
	for j := 1; j < k.kinds; j++ {
		if k.next[j] = -1; bytes.IndexByte(s, escaped[j-1][0]) < 0 {
			k.next[j] = len(s)
		}
	}
	return k
}

// from is the first position at i or behind it; len(s) for none.
func (k *seeker) from(s []byte, i int) int {
	best := len(s)
	for j := range k.kinds {
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
