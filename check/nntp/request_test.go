package nntp

import "testing"

// RFC 3977 section 4.2, and the sets of older wildmats.
func TestMatches(t *testing.T) {
	for _, c := range []struct {
		wildmat, name string
		want          bool
	}{
		{"comp.*", "comp.infosystems.gopher", true},
		{"comp.*", "comp", false},
		{"comp.*", "alt.comp.x", false},
		{"*.answers", "news.answers", true},
		{"?x", "ax", true},
		{"a*,!*b,*c*", "abb", false},
		{"a*,!*b,*c*", "cc", true},
		{"a*,!*b,*c*", "accb", true},
		{"alt.[a-c]*", "alt.books", true},
		{"alt.[a-c]*", "alt.zines", false},
		{"alt/*", "alt/one/two", true},
		{"alt.[", "anything", true}, // cannot be read
	} {
		if got := matches(c.wildmat, c.name); got != c.want {
			t.Errorf("%s, %s: %v", c.wildmat, c.name, got)
		}
	}
}
