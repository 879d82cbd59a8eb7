package main

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"linkcheck/internal/lab"
)

// asked is the log of servers: what they were asked for since it was last looked at.
type asked struct {
	mu   sync.Mutex
	list []string // host, path and query
}

// site answers by f, and notes what it is asked for.
func (a *asked) site(f http.HandlerFunc) lab.Site {
	return lab.Site{"*": func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.list = append(a.list, r.Host+r.URL.RequestURI())
		a.mu.Unlock()
		f(w, r)
	}}
}

// twice forgets the log, and gives how long it was and what stood in it more than once.
func (a *asked) twice() (all int, more []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.Sort(a.list)
	for i := 1; i < len(a.list); i++ {
		if a.list[i] == a.list[i-1] {
			more = append(more, a.list[i])
		}
	}
	all, a.list = len(a.list), nil
	return all, slices.Compact(more)
}

// A site over 40 nights of outages, of pages that fail, go and lead away: none of its
// addresses is asked for twice in a night, nothing of it is retired but what it says is
// gone, and what is gone is found dead.
func TestNightsAskOnce(t *testing.T) {
	l := newLibrary(t, nil)
	var log asked
	night := 0
	const pages = 30
	outage := func() string {
		switch {
		case night >= 9 && night <= 11:
			return "503"
		case night >= 14 && night <= 15:
			return "reset"
		case night == 18:
			return "robots"
		}
		return ""
	}
	reset := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	front := "<title>Guides</title><a href='http://www.mill-library.org/out'>o</a><a href='http://old.mill-library.org/5'>old</a>"
	for i := range pages {
		front += fmt.Sprintf("<a href='/%d'>p</a><a href='/%d#part'>q</a>", i, i)
	}
	guides := func(w http.ResponseWriter, r *http.Request) {
		robots := r.URL.Path == "/robots.txt"
		switch down := outage(); {
		case down == "503" && (!robots || night == 10), down == "robots" && robots:
			lab.Status(503)(w, r)
			return
		case down == "reset" && (!robots || night == 15):
			reset(w, r)
			return
		case robots:
			lab.Text("text/plain", "User-agent: *\nDisallow: /hidden\nSitemap: /sitemap.xml")(w, r)
			return
		}
		var n int
		fmt.Sscanf(r.URL.Path, "/%d", &n)
		switch {
		case r.URL.Path == "/":
			lab.Text("text/html", front)(w, r)
		case r.URL.Path == "/sitemap.xml":
			lab.Text("text/xml", "<urlset><url><loc>http://guides.mill-library.org/extra</loc></url></urlset>")(w, r)
		case n == 1 && night >= 3:
			lab.NotFound(w, r)
		case n == 2 && night >= 3:
			lab.Status(http.StatusGone)(w, r)
		case n == 3 && night%2 == 1, n == 4 && night >= 4:
			lab.Status(500)(w, r)
		case n == 6 && night%3 == 1:
			reset(w, r)
		case n == 7:
			lab.Redirect(http.StatusFound, "http://www.mill-library.org/away")(w, r)
		case n == 8:
			lab.Redirect(http.StatusMovedPermanently, "/9")(w, r)
		case n == 10 && night >= 5:
			lab.Redirect(http.StatusFound, "/11")(w, r)
		case n == 13 && night < 17:
			lab.NotFound(w, r)
		case n >= 14 && n < 20 && night >= 5 && night < 8:
			lab.Redirect(http.StatusFound, "/login?next=x")(w, r)
		case r.URL.Path == "/login":
			lab.Text("text/html", "<title>Log in</title><form method=post><input name=user><input type=password name=pw></form>")(w, r)
		case n == 12 && night%5 == 2:
			lab.Status(503, "Retry-After", "0")(w, r)
		default:
			lab.Text("text/html", fmt.Sprintf("<title>Guide</title><p>Page %s of %d words</p><a href='/%d'>next</a><a href='/hidden'>h</a><a href='/sitemap.xml'>s</a><a href='/robots.txt'>r</a>",
				r.URL.Path, 100*n+17, (n+1)%pages))(w, r)
		}
	}
	l.serveWeb(lab.Web{
		"guides.mill-library.org": log.site(guides),
		"www.mill-library.org": log.site(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/out" && r.URL.Path != "/away" {
				lab.NotFound(w, r)
				return
			}
			lab.Text("text/html", "<title>here</title><p>The way to the hill "+r.URL.Path)(w, r)
		}),
		"old.mill-library.org": log.site(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/5" {
				lab.NotFound(w, r)
				return
			}
			lab.Redirect(http.StatusMovedPermanently, "http://guides.mill-library.org"+r.URL.Path)(w, r)
		}),
	})
	const root = "http://guides.mill-library.org/"
	total := 0
	for ; night < 40; night++ {
		s := l.readRoot(float64(night), root)
		row := l.roots()["guides.mill-library.org"]
		all, more := log.twice()
		if total += all; len(more) > 0 {
			t.Errorf("night %d: twice: %q", night, more)
		}
		if want := map[bool]int{true: exitPartial, false: exitOK}[outage() != ""]; s.code != want {
			t.Errorf("night %d: exit %d, want %d: %s", night, s.code, want, s.err)
		}
		if row.Documents < pages-5 {
			t.Errorf("night %d: %+v", night, row)
		}
		if got := l.links()[root+"13"]; got.State == "dead" != (night >= 7 && night < 17) {
			t.Errorf("night %d: a page that was gone until night 17: %+v", night, got)
		}
	}
	links := l.links()
	for path, state := range map[string]string{"1": "dead", "2": "dead", "4": "dead", "5": "alive", "7": "alive", "8": "moved", "9": "alive"} {
		if got := links[root+path]; got.State != state {
			t.Errorf("%s: %+v, want %s", path, got, state)
		}
	}
	t.Logf("%d requests in %d nights; %+v", total, night, l.roots()["guides.mill-library.org"])
}
