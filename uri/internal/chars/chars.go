package uri

// class is a set of character classes, one bit each.
type class uint32

const (
	cAlpha    class = 1 << iota
	cDigit          // 0-9
	cHex            // hexadecimal digits of both cases
	cUnres          // unreserved of RFC 3986 section 2.3
	cSub            // sub-delims of RFC 3986 section 2.2
	cAt             // ':' and '@', which complete pchar
	cMark           // marks of RFC 2396 section 2.3, for info and go
	cUchar          // safe and extra of RFC 1738, for z39.50
	cSlash          // '/'
	cQuest          // '?'
	cLabel          // letters, digits and '-' of a domain label
	cScheme         // what a scheme name may hold after its first letter
	cWild           // what only an http reference is forgiven: encoded by its key
	cGroup          // a newsgroup name's components, RFC 5536 and practice
	cWirePlus       // as cWire, and it separates the words of a search: '+'
	cWire           // what a path may show because its escape decodes to the same octet
)

const (
	cPchar    = cUnres | cSub | cAt
	cUnres96  = cAlpha | cDigit | cMark
	cAlnum    = cAlpha | cDigit
	cFragment = cPchar | cSlash | cQuest
	cUserWire = cSub      // what user and password may show
	cAny      = ^class(0) // every character of some class: none of the controls
)

// classes is read only; it is built once, before anything can read it.
var classes = buildClasses()

func buildClasses() (t [256]class) {
	set := func(chars string, bits class) {
		for i := 0; i < len(chars); i++ {
			t[chars[i]] |= bits
		}
	}
	const lower, upper, digits = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	set(lower+upper, cAlpha|cUnres|cUchar|cLabel|cScheme|cGroup)
	set(digits, cDigit|cHex|cUnres|cUchar|cLabel|cScheme|cGroup)
	set("abcdefABCDEF", cHex)
	set("-._~", cUnres)
	set("!$&'()*+,;=", cSub)
	set(":@", cAt)
	set("-_.!~*'()", cMark)
	set("$-_.+!*'(),", cUchar)
	set("/", cSlash)
	set("?", cQuest)
	set("-", cLabel)
	set("+-.", cScheme)
	set(" \"#<>[]\\^`{|}", cWild) // '#' only inside a fragment
	set("+-_&=~!$'(),", cGroup)
	set("-._~!$&'()*,=:@"+lower+upper+digits, cWire)
	set("+", cWirePlus)
	for c := 0x80; c <= 0xff; c++ {
		t[c] |= cWild
	}
	return t
}

func is(c byte, mask class) bool { return classes[c]&mask != 0 }

func allIn(s string, mask class) bool {
	for i := 0; i < len(s); i++ {
		if !is(s[i], mask) {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// lower folds ASCII only; a string already in lower case is shared.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				b[i] = lowerByte(b[i])
			}
			return string(b)
		}
	}
	return s
}

// upper folds ASCII only.
func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// foldEqual compares without regard to the case of ASCII letters.
func foldEqual(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if lowerByte(a[i]) != lowerByte(b[i]) {
			return false
		}
	}
	return true
}
