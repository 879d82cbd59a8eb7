// Package chars has the character classes of the URI grammars and the few
// functions over octets that every package below uri needs: escapes, and the case
// of ASCII letters. Files in reading order: chars.go, escape.go.
package chars

import (
	"strings"
	"unicode/utf8"
)

// Class is a set of character classes, one bit each.
type Class uint32

// The classes. A specification's own name is kept where it has one.
const (
	Alpha      Class = 1 << iota
	Digit            // 0-9
	Hex              // hexadecimal digits of both cases
	Unreserved       // unreserved of RFC 3986 section 2.3
	SubDelims        // sub-delims of RFC 3986 section 2.2
	ColonAt          // ':' and '@', which complete pchar
	Mark             // marks of RFC 2396 section 2.3, for info and go
	Uchar            // safe and extra of RFC 1738, for z39.50
	Slash            // '/'
	Question         // '?'
	Label            // letters, digits and '-' of a domain label
	SchemeName       // what a scheme name may hold after its first letter
	Wild             // what only an http reference is forgiven: encoded by its key
	Group            // a newsgroup name's components, RFC 5536 and practice
	WirePlus         // '+': as Wire, but it separates the words of a search
	Wire             // what a path may show because its escape decodes to the same octet
)

// What the grammars combine.
const (
	Pchar          = Unreserved | SubDelims | ColonAt
	Unreserved2396 = Alpha | Digit | Mark
	Alnum          = Alpha | Digit
	Fragment       = Pchar | Slash | Question
	Info           = Pchar | Mark | Slash // pchar of draft-vandesompel-info-uri-01 Part B, and '/'
	UserWire       = SubDelims            // what user and password may show
	Any            = ^Class(0)            // every character of some class: none of the controls
)

// classes is read only; it is built once, before anything can read it.
var classes = buildClasses()

func buildClasses() (t [256]Class) {
	set := func(members string, bits Class) {
		for i := 0; i < len(members); i++ {
			t[members[i]] |= bits
		}
	}
	const lower, upper, digits = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	set(lower+upper, Alpha|Unreserved|Uchar|Label|SchemeName|Group)
	set(digits, Digit|Hex|Unreserved|Uchar|Label|SchemeName|Group)
	set("abcdefABCDEF", Hex)
	set("-._~", Unreserved)
	set("!$&'()*+,;=", SubDelims)
	set(":@", ColonAt)
	set("-_.!~*'()", Mark)
	set("$-_.+!*'(),", Uchar)
	set("/", Slash)
	set("?", Question)
	set("-", Label)
	set("+-.", SchemeName)
	set(" \"#<>[]\\^`{|}", Wild) // '#' only inside a fragment
	set("+-_&=~!$'(),", Group)
	set("-._~!$&'()*,=:@"+lower+upper+digits, Wire)
	set("+", WirePlus)
	for c := 0x80; c <= 0xff; c++ {
		t[c] |= Wild
	}
	return t
}

// Is reports whether c belongs to one of the classes.
func Is(c byte, mask Class) bool { return classes[c]&mask != 0 }

// AllIn reports whether every octet of s belongs to one of the classes.
func AllIn(s string, mask Class) bool {
	for i := 0; i < len(s); i++ {
		if !Is(s[i], mask) {
			return false
		}
	}
	return true
}

// IsASCII reports whether s has no octet above 0x7F.
func IsASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// LowerByte folds one ASCII letter.
func LowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Lower folds ASCII only; a string already in lower case is shared.
func Lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				b[i] = LowerByte(b[i])
			}
			return string(b)
		}
	}
	return s
}

// TrimZeros drops leading zeros but for a last digit; digits are not empty.
func TrimZeros(digits string) string {
	last := len(digits) - 1
	return strings.TrimLeft(digits[:last], "0") + digits[last:]
}

// SchemeLen is the length of the scheme before its colon, or -1 (RFC 3986 section 3.1).
func SchemeLen(s string) int {
	if s == "" || !Is(s[0], Alpha) {
		return -1
	}
	for i := 1; i < len(s); i++ {
		if s[i] == ':' {
			return i
		}
		if !Is(s[i], SchemeName) {
			return -1
		}
	}
	return -1
}
