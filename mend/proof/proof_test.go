package proof

import (
	"testing"

	"linkcheck/judge"
	"linkcheck/store"
)

// TestAddress: fragments and proxies stay.
func TestAddress(t *testing.T) {
	proxied := store.Link{URL: "https://ezproxy.lib.edu/login?url=http://old.example/a", Target: "http://old.example/a", Via: "https://ezproxy.lib.edu/login?url={url}"}
	for _, c := range []struct {
		p     proof
		l     store.Link
		place string
		want  string
	}{
		{proof{to: "http://n.example/"}, store.Link{}, "http://o.example/#x", "http://n.example/#x"},
		{proof{to: "http://n.example/#y"}, store.Link{}, "http://o.example/#x", "http://n.example/#y"},
		{proof{prefix: Prefix{"http://old.example/", "http://n.example/"}}, proxied, proxied.URL, "https://ezproxy.lib.edu/login?url=http://n.example/a"},
		{proof{prefix: Prefix{"http://old.example/", "http://n.example/"}}, store.Link{}, "http://old.example/a#x", "http://n.example/a#x"},
		{proof{prefix: Prefix{"http://old.example/", "http://n.example/"}}, store.Link{}, "HTTP://old.example/a", ""},
	} {
		if got := c.p.address(&c.l, &store.Mention{URL: c.place}); got != c.want {
			t.Errorf("%s: %q, want %q", c.place, got, c.want)
		}
	}
}

// TestSpelled: blanks and references in a value of MARC.
func TestSpelled(t *testing.T) {
	known := map[string]judge.State{"http://a.example/?a&b": judge.Alive, "http://a.example/?c&d": judge.Dead}
	o := Options{Find: func(url string) (store.Link, bool, error) {
		state, ok := known[url]
		return store.Link{State: state}, ok, nil
	}}
	for _, c := range []struct {
		l        judge.State
		how      string
		raw, url string
		to       string
		proven   bool
	}{
		{judge.Dead, "$u", "http://a.example/?a&amp;b", "http://a.example/?a&amp;b", "http://a.example/?a&b", true},
		{judge.Alive, "$u", "http://a.example/?c&amp;d", "http://a.example/?c&amp;d", "http://a.example/?c&d", false},
		{judge.Alive, "$u", "http://a.example/?e&amp;f", "http://a.example/?e&amp;f", "http://a.example/?e&f", false},
		{judge.Alive, "href", "http://a.example/?a&amp;b", "http://a.example/?a&amp;b", "", false},
		{judge.Alive, "$u", "http://a.example/?g&amp;h", "http://a.example/?g&h", "http://a.example/?g&h", true},
		{judge.Dead, "$u", "http://a.example/?g&amp;h", "http://a.example/?g&h", "http://a.example/?g&h", false},
		{judge.New, "$u", "http://a.example/?g&amp;h", "http://a.example/?g&h", "http://a.example/?g&h", false},
		{judge.Alive, "$u", "http://a.example/a b", "http://a.example/a%20b", "http://a.example/a%20b", true},
		{judge.Dead, "$u", "http://a.example/a b", "http://a.example/a%20b", "", false},
	} {
		p, err := o.spelled(&store.Link{State: c.l}, &store.Mention{How: c.how, Raw: c.raw, URL: c.url})
		if err != nil || p.to != c.to || p.proven != c.proven {
			t.Errorf("%q: %q %v %v", c.raw, p.to, p.proven, err)
		}
	}
}
