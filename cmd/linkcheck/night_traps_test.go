package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// facets is a shop whose first page leads to three thousand views of a few lists, and each view
// to twenty of them.
func facets(w http.ResponseWriter, r *http.Request) {
	text := "<title>Prints</title><p>What is found by " + r.URL.RawQuery
	most := 3000
	if r.URL.RawQuery != "" {
		most = 20
	}
	for i := range most {
		i = (i*149 + len(r.URL.RawQuery)*7) % 3000
		query := fmt.Sprintf("colour=%d&size=%d&sort=%d", i%30, i/30%10, i/300)
		if i%3 == 0 {
			query = fmt.Sprintf("size=%d&colour=%d&page=%d", i/30%10, i%30, i/300)
		}
		text += fmt.Sprintf("<a href='/prints?%s'>v</a>", strings.ReplaceAll(query, "&", "&amp;"))
	}
	lab.Text("text/html", text+"<a href='/about.html'>about</a>")(w, r)
}

// Sites whose addresses have no end, through the whole program: fewer than 3,000 requests a
// night, every page that a careful reader reads among them, nothing asked for twice. What is
// held back is told as such, and asked about where it stands elsewhere too.
func TestNightsOfTraps(t *testing.T) {
	traps := newTrapSite()
	prints := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/", "/prints":
			facets(w, r)
		case "/about.html":
			lab.Text("text/html", "<title>About</title><p>the collection")(w, r)
		default:
			lab.NotFound(w, r)
		}
	}
	const host = "guides.mill-library.org"
	for name, site := range map[string]struct {
		serve http.HandlerFunc
		pages []string
		held  int // at least
	}{
		"every trap":   {traps.ServeHTTP, traps.Pages(), 4000},
		"3,000 facets": {prints, []string{"/", "/about.html"}, 1900},
	} {
		if testing.Short() && name != "3,000 facets" {
			continue // the full pass reads both: in each, the same code runs side by side
		}
		l := newLibrary(t, nil)
		var log asked
		l.serveWeb(lab.Web{host: log.site(site.serve)})
		for night := range 2 {
			s := l.readRoot(float64(8*night), "http://"+host+"/", "--timeout", "60s") // a page of 3,000 links takes long on a busy machine
			for _, page := range site.pages {
				if !slices.Contains(log.list, host+page) && night == 0 {
					t.Errorf("%s: %s is not read", name, page)
				}
			}
			all, more := log.twice()
			if s.code != exit.OK || all >= 3000 || len(more) > 0 {
				t.Errorf("%s, night %d: exit %d, %d requests, twice %q\n%s", name, night, s.code, all, more, s.err)
			}
			t.Logf("%s, night %d: %d requests", name, night, all)
		}
		held := 0
		var one string
		for url, link := range l.links() {
			if link.Reason == "held-back" {
				held++
				one = max(one, url)
				if link.State != "not-checkable" {
					t.Errorf("%s: %+v", name, link)
				}
			}
		}
		if held < site.held {
			t.Errorf("%s: %d links are held back, want %d", name, held, site.held)
		}
		l.write("notes.txt", "See "+one+" there.")
		if l.readRoot(16, "http://"+host+"/", "--timeout", "60s", l.docs()); l.links()[one].Reason == "held-back" {
			t.Errorf("%s: %s stands in a file, and is held back", name, one)
		}
	}
}
