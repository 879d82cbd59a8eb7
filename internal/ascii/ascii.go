package ascii

import "strings"

func Alnum(c byte) bool { return Letter(c) || Digit(c) }

func Letter(c byte) bool { c |= 0x20; return 'a' <= c && c <= 'z' }

func Digit(c byte) bool { return '0' <= c && c <= '9' }

func Blank(c byte) bool { return c == ' ' || c == '\t' }

func Space(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// lower folds ASCII only; what it is given is short.
func Lower(b []byte) string { return strings.ToLower(string(b)) }

func Digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

func ASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

func SchemeByte(c byte) bool { return Alnum(c) || c == '.' || c == '-' || c == '+' }
