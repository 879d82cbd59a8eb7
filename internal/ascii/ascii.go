// Package ascii has the classes of ASCII characters by which documents are read.
// What is not ASCII is in none of them.
package ascii

import "strings"

// Alnum says whether c is a letter or a digit.
func Alnum(c byte) bool { return Letter(c) || Digit(c) }

// Letter says whether c is a letter of either case.
func Letter(c byte) bool { c |= 0x20; return 'a' <= c && c <= 'z' }

// Digit says whether c is a decimal digit.
func Digit(c byte) bool { return '0' <= c && c <= '9' }

// Blank says whether c is a blank or a tab.
func Blank(c byte) bool { return c == ' ' || c == '\t' }

// Space says whether c is a blank, or a control character that moves on: tabs,
// line feed, form feed, carriage return.
func Space(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// SchemeByte says whether c may stand in the name of a scheme (RFC 3986 section 3.1).
func SchemeByte(c byte) bool { return Alnum(c) || c == '.' || c == '-' || c == '+' }

// Skip is the first index of b from i on where a byte stands that is not in the
// class, or its length.
func Skip[T []byte | string](b T, i int, class func(c byte) bool) int {
	for i < len(b) && class(b[i]) {
		i++
	}
	return i
}

// Lower is b in lower case.
func Lower(b []byte) string { return strings.ToLower(string(b)) }

// Digits says whether b has digits and nothing else.
func Digits[T []byte | string](b T) bool { return len(b) > 0 && Skip(b, 0, Digit) == len(b) }

// Only says whether all of b is ASCII.
func Only(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
