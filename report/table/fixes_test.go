package table

import "testing"

func TestWithFragment(t *testing.T) {
	for _, tt := range [][3]string{{"http://a/#x", "http://b/", "http://b/#x"}, {"http://a/#x", "http://b/#y", "http://b/#y"}, {"http://a/", "http://b/", "http://b/"}, {"http://a/#x", "", ""}} {
		if got := withFragment(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%q and %q: %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}
