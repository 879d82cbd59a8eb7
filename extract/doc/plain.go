package doc

import (
	"unicode/utf8"

	"linkcheck/uri/secret"
)

// plain says that s is given out as it is: in ASCII without controls nothing is decoded,
// dropped or longer in JSON, and nothing is hidden where no secret can end. All of that is
// asked at once, since most strings are plain.
func plain(s string) bool {
	for i := range len(s) {
		if special[s[i]] && (s[i] != '=' || secret.Named(s, i)) {
			return false
		}
	}
	return true
}

var special = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= utf8.RuneSelf || escapeSize[c] > 0 || secret.Ends(byte(c))
	}
	return is
}()

// grows is by how much s gets longer as a string of JSON.
func grows(s string) (n int) {
	for i := range len(s) {
		n += int(escapeSize[s[i]])
	}
	return n
}

// escapeSize is by how much a byte gets longer in JSON: control characters are six octets.
var escapeSize = func() (size [256]uint8) {
	for c := range size {
		switch {
		case c < ' ' || c == 0x7f:
			size[c] = 5
		case c == '"' || c == '\\':
			size[c] = 1
		case c == 0xc2 || c == 0xe2 || c == 0xd8: // of C1, of U+2028 and of the controls of bidi
			size[c] = 4
		}
	}
	return size
}()

// repeated is a string that one document says again and again, and how it is shown.
type repeated struct{ text, shown string }

func (r *repeated) masked(s string) string {
	if r.text != s {
		*r = repeated{s, secret.MaskText(s)}
	}
	return r.shown
}
