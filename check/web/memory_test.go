package web

import (
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/internal/lab"
)

// notebook is a check.Memory with a clock.
type notebook struct {
	now  time.Time
	page map[string]string
	till map[string]time.Time
}

func (n *notebook) CacheGet(key string) ([]byte, bool) {
	text, ok := n.page[key]
	return []byte(text), ok && n.now.Before(n.till[key])
}

func (n *notebook) CachePut(key string, value []byte, until time.Time) {
	n.page[key], n.till[key] = string(value), until
}

// What a directory says to a name that cannot exist is believed for 30 days, and
// only where it was plain. OUTCOMES section 1.3, soft-404.
func TestSiblingMemory(t *testing.T) {
	const day = 24 * time.Hour
	for _, tc := range []struct {
		name  string
		site  lab.Site
		want  check.Outcome
		asked map[time.Duration]int // on a day, how often in all
	}{
		{"honest", lab.Site{"/d/old.html": fine}, check.OK, map[time.Duration]int{0: 1, 29: 1, 31: 2, 60: 2, 62: 3}},
		{"says yes to all", lab.Site{"*": lab.Sorry, "/robots.txt": lab.NotFound}, check.Suspect, map[time.Duration]int{0: 1, 29: 1, 31: 2}},
		{"sends all to one page", lab.Site{"*": lab.Redirect(302, "/d/front"), "/d/front": front, "/robots.txt": lab.NotFound}, check.Suspect, map[time.Duration]int{0: 1, 29: 1, 31: 2}},
		{"failed", lab.Site{"/d/old.html": fine, "*": lab.Status(503), "/robots.txt": lab.NotFound}, check.OK, map[time.Duration]int{0: 1, 1: 2, 2: 3}},
		{"refused", lab.Site{"/d/old.html": fine, "*": lab.Status(403), "/robots.txt": lab.NotFound}, check.OK, map[time.Duration]int{0: 1, 1: 2}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			book := &notebook{page: map[string]string{}, till: map[string]time.Time{}}
			begin := time.Date(1996, 10, 1, 2, 0, 0, 0, time.UTC)
			o := Options{}
			o.Now = func() time.Time { return book.now }
			w := serve(t, lab.Web{"site.org": tc.site}, o)
			days := make([]time.Duration, 0, len(tc.asked))
			for d := range time.Duration(70) {
				if _, ok := tc.asked[d]; ok {
					days = append(days, d)
				}
			}
			for _, d := range days {
				book.now = begin.Add(d * day)
				p := New(w.p.opt) // each night is a process of its own
				p.UseCache(book)
				for range 2 {
					if r := p.Probe(t.Context(), check.Target{URI: parse(t, "http://site.org/d/old.html")}); r.Outcome != tc.want {
						t.Errorf("day %d: %s(%s)", d, r.Outcome, r.Reason)
					}
				}
				p.Close()
				asked := 0
				for _, s := range w.requests() {
					if name, ok := strings.CutPrefix(s, "GET site.org/d/"); ok && len(name) == siblingLetters {
						asked++
					}
				}
				if asked != tc.asked[d] {
					t.Errorf("day %d: a name that cannot exist was asked for %d times, want %d", d, asked, tc.asked[d])
				}
			}
		})
	}
}
