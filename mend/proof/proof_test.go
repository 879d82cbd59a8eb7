package proof

import (
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/store"
)

var night = time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)

// at is the night with a number.
func at(n int) time.Time { return night.Add(time.Duration(n) * 24 * time.Hour) }

func event(n int, o check.Outcome, final string) store.Event {
	return store.Event{Result: check.Result{Outcome: o, At: at(n), FinalURL: final}}
}

// TestMoved: a move is proven by the text that was seen at the old address, and by nothing
// less.
func TestMoved(t *testing.T) {
	const old, to = "http://a.example/old", "http://a.example/new"
	alive := []store.Event{event(0, check.OK, ""), event(1, check.OK, "")}
	moved := func(nights ...int) (list []store.Event) {
		for _, n := range nights {
			list = append(list, event(n, check.Moved, to))
		}
		return list
	}
	for _, c := range []struct {
		name    string
		url, to string
		text    likeness.Memory
		history []store.Event
		proven  bool
	}{
		{"seen before and met again", old, to, likeness.Memory{Looks: 3, Seen: at(3)}, append(alive, moved(3)...), true},
		{"seen once before", old, to, likeness.Memory{Looks: 2, Seen: at(3)}, append(alive[:1:1], moved(3)...), true},
		{"first met behind the redirect", old, to, likeness.Memory{Looks: 2, Seen: at(4)}, append(alive[:1:1], moved(3, 4)...), false},
		{"two probes of a night are one look", old, to, likeness.Memory{Looks: 2, Seen: at(3)}, append(alive[:1:1], moved(3, 3)...), true},
		{"never seen at its old address", old, to, likeness.Memory{Looks: 9, Seen: at(3)}, moved(2, 3), false},
		{"only ever seen behind another redirect", old, to, likeness.Memory{Looks: 9, Seen: at(3)}, append([]store.Event{event(1, check.OK, "http://b.example/")}, moved(3)...), false},
		{"its old address had another scheme", old, to, likeness.Memory{Looks: 9, Seen: at(3)}, append([]store.Event{event(1, check.OK, "https://a.example/old/")}, moved(3)...), true},
		{"another text", old, to, likeness.Memory{Looks: 9, Others: 1, Seen: at(1)}, append(alive, moved(3)...), false},
		{"not met in the last night", old, to, likeness.Memory{Looks: 9, Seen: at(1)}, append(alive, moved(3)...), false},
		{"the text of another site", old, to, likeness.Memory{Looks: 9, Site: 7, Seen: at(3)}, append(alive, moved(3)...), false},
		{"a resolver", old, "https://doi.org/10.1000/1", likeness.Memory{}, moved(3), true},
		{"a name that ends like one", old, "https://notdoi.org/10.1000/1", likeness.Memory{}, moved(3), false},
		{"perhaps a proxy", "http://p.example/to?u=http://a.example/", to, likeness.Memory{Looks: 3, Seen: at(3)}, append(alive, moved(3)...), false},
		{"a slash alone", old, old + "/", likeness.Memory{Looks: 3, Seen: at(3)}, append(alive, moved(3)...), false},
	} {
		last := c.history[len(c.history)-1].Result
		last.SuggestedURL = c.to
		r := report.Row{Entry: store.Entry{Link: store.Link{URL: c.url, State: judge.Moved, Last: last, Text: c.text}, History: c.history}, Suggested: c.to, Group: report.Update}
		o := Options{Resolvers: []string{"doi.org"}}
		if p := o.moved(&r.Link, &r); p.proven != c.proven {
			t.Errorf("%s: proven %v: %s", c.name, p.proven, p.words)
		}
	}
}

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
