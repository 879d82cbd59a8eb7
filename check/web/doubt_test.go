package web

import (
	"slices"
	"testing"

	"linkcheck/check"
)

// A redirect that changes the scheme, the final slash or a default port alone leads to the
// same page; anything else does not.
func TestTrivial(t *testing.T) {
	from := resource{scheme: "http", host: "www.a.org", path: "/d/p", query: "q=1"}
	for _, c := range []struct {
		to    resource
		flags []check.Flag
		same  bool
	}{
		{from, nil, true},
		{resource{scheme: "https", host: "www.a.org", path: "/d/p", query: "q=1"}, []check.Flag{"scheme-upgrade"}, true},
		{resource{scheme: "https", host: "www.a.org", path: "/d/p/", query: "q=1"}, []check.Flag{"scheme-upgrade", "trailing-slash"}, true},
		{resource{scheme: "https", host: "www.a.org:443", path: "/d/p", query: "q=1"}, []check.Flag{"scheme-upgrade"}, true},
		{resource{scheme: "http", host: "www.a.org:8080", path: "/d/p", query: "q=1"}, nil, false},
		{resource{scheme: "http", host: "b.org", path: "/d/p", query: "q=1"}, nil, false},
		{resource{scheme: "http", host: "www.a.org", path: "/d/p", query: "q=2"}, nil, false},
		{resource{scheme: "http", host: "www.a.org", path: "/d/x", query: "q=1"}, nil, false},
		{resource{scheme: "ftp", host: "www.a.org", path: "/d/p", query: "q=1"}, nil, false},
	} {
		flags, same := trivial(from, c.to)
		if same != c.same || same && !slices.Equal(flags, c.flags) {
			t.Errorf("%v: %v, %v", c.to, flags, same)
		}
	}
}
