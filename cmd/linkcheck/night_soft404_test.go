package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// OUTCOMES section 6, story 5: a server that says yes is not always believed.
func TestSoft404s(t *testing.T) {
	honest := lab.Page("Grist prices, 1780 to 1850", "A table of the prices of grist at the mill, year by year, with the names of the millers.")
	l := newLibrary(t, nil)
	sites := lab.Web{
		"soft.test":   {"*": lab.Sorry, "/robots.txt": lab.NotFound},
		"root.test":   {"*": lab.Redirect(302, "http://root.test/"), "/": lab.Page("Root", "Welcome to our site."), "/robots.txt": lab.NotFound},
		"sink.test":   {"/a/1": lab.Redirect(302, "/landing/all"), "/b/2": lab.Redirect(302, "/landing/all"), "/c/3": lab.Redirect(302, "/landing/all"), "/landing/all": lab.Page("All", "All our pages are here now.")},
		"parked.test": {"*": lab.ParkedPage, "/robots.txt": lab.NotFound},
		"ok.test":     {"/papers/grist.html": honest},
		"home.test":   {"*": lab.Sorry, "/": lab.Page("Home", "Welcome at the mill, the oldest in the county."), "/robots.txt": lab.NotFound},
		"many.test": {"/d/a.html": honest, "/d/b.html": lab.Page("Bread prices", "What bread cost at the market of the town."),
			"/d/c.html": lab.Page("Cheese", "Cheese was made of the milk of goats."), "/e/a.html": lab.Page("Eggs", "Two dozen, if the hens were well.")},
	}
	web := l.serveWeb(sites)
	rows := []struct{ url, outcome, reason string }{
		{"http://soft.test/lost.html", "suspect", "soft-404"},
		{"http://soft.test/away.html", "suspect", "soft-404"},
		{"http://root.test/papers/old.html", "suspect", "redirect-to-root"},
		{"http://sink.test/a/1", "suspect", "redirect-sink"},
		{"http://sink.test/b/2", "suspect", "redirect-sink"},
		{"http://sink.test/c/3", "suspect", "redirect-sink"},
		{"http://parked.test/page.html", "suspect", "parked"},
		{"http://ok.test/papers/grist.html", "ok", "http-200"},
		{"http://home.test/", "ok", "http-200"},
		{"http://many.test/d/a.html", "ok", "http-200"},
		{"http://many.test/d/b.html", "ok", "http-200"},
		{"http://many.test/d/c.html", "ok", "http-200"},
		{"http://many.test/e/a.html", "ok", "http-200"},
	}
	var text []string
	for _, r := range rows {
		text = append(text, r.url)
	}
	l.write("a.txt", strings.Join(text, "\n"))
	l.runWell(0)
	now := l.links()
	for _, r := range rows {
		if got := now[r.url]; got.Outcome != r.outcome || got.Reason != r.reason || (got.State == "suspect") != (r.outcome == "suspect") {
			t.Errorf("%s: %+v, want %s %s", r.url, got, r.outcome, r.reason)
		}
	}
	asked := web.pages()
	for dir, most := range map[string]int{"soft.test/": 1, "ok.test/papers/": 1, "home.test/": 0, "many.test/d/": 1, "many.test/e/": 1,
		"parked.test/": 0, "root.test/papers/": 0, "sink.test/landing/": 0} {
		siblings := slices.DeleteFunc(slices.Clone(asked), func(s string) bool {
			path, ok := strings.CutPrefix(s, "GET "+dir)
			return !ok || path == "" || strings.Contains(path, "/") || slices.Contains(text, "http://"+dir+path) || dir+path == "sink.test/landing/all"
		})
		if len(siblings) > most {
			t.Errorf("%s: %d pages asked for that no document names, want at most %d: %q", dir, len(siblings), most, siblings)
		}
	}
	l.runWell(3) // what is suspect twice stays so; siblings are not asked of honest directories that are not due
	for url, got := range l.links() {
		if got.State == "dead" || got.State == "failing" {
			t.Errorf("%s: %+v", url, got)
		}
	}
}

// --no-soft404 asks for nothing but what documents name.
func TestNoSoft404Flag(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://soft.test/lost.html"})
	web := l.serveWeb(lab.Web{"soft.test": {"*": func(w http.ResponseWriter, r *http.Request) { lab.Sorry(w, r) }}})
	l.runWell(0, "--no-soft404")
	if got := web.pages(); !slices.Equal(got, []string{"GET soft.test/lost.html"}) {
		t.Errorf("asked %q", got)
	}
}

// A directory that was asked for a name that cannot exist is not asked again for
// 30 days, whatever else stands in it.
func TestSoft404ProbesAreRemembered(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://site.test/d/a.html\nhttp://soft.test/d/a.html"})
	page := lab.Page("Grist prices", "A table of the prices of grist at the mill, year by year.")
	web := l.serveWeb(lab.Web{"site.test": {"/d/a.html": page, "/d/b.html": page}, "soft.test": {"*": lab.Sorry, "/robots.txt": lab.NotFound}})
	siblings := func() (n int) {
		for _, s := range web.pages() {
			if !strings.HasSuffix(s, ".html") {
				n++
			}
		}
		return n
	}
	for _, night := range []struct {
		day  float64
		want int
	}{{0, 2}, {3, 0}, {8, 0}, {29, 0}, {45, 2}} {
		l.write("b.txt", strings.Repeat("\n", int(night.day))+"http://site.test/d/b.html")
		l.runWell(night.day)
		if n := siblings(); n != night.want {
			t.Errorf("night %v: %d names that cannot exist were asked for, want %d", night.day, n, night.want)
		}
	}
	if got := l.links()["http://soft.test/d/a.html"]; got.Reason != "soft-404" {
		t.Errorf("%+v", got)
	}
}

// Redirect sinks are seen without a store, too.
func TestRedirectSinkWithoutStore(t *testing.T) {
	l := newLibrary(t, nil)
	sink := lab.Redirect(302, "/landing/all")
	l.serveWeb(lab.Web{"sink.test": {"/a/1": sink, "/b/2": sink, "/c/3": sink, "/landing/all": lab.Page("All", "All our pages are here now.")}})
	args := append([]string{"check"}, l.netArgs(0)...)
	said := call(t.Context(), "", append(args, "http://sink.test/a/1", "http://sink.test/b/2", "http://sink.test/c/3")...)
	if said.code != exit.Matched || strings.Count(said.out, "redirect-sink") != 3 {
		t.Errorf("%+v", said)
	}
}
