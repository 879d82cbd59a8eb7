package harvest_test

import (
	"fmt"
	"iter"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// folders is a site of listings with 1,000 files each.
func folders(many int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Date", "Sun, 01 Mar 2026 03:00:00 GMT")
		var rows []string
		switch {
		case r.URL.Path == "/robots.txt":
			w.WriteHeader(http.StatusNotFound)
			return
		case r.URL.Path == "/":
			for i := range many / 1000 {
				rows = append(rows, fmt.Sprintf("%d/|%s", i, old))
			}
		case strings.HasSuffix(r.URL.Path, "/"):
			for i := range 1000 {
				rows = append(rows, fmt.Sprintf("%d.txt|%s", i, old))
			}
		default:
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, r.URL.Path)
			return
		}
		fmt.Fprint(w, listing(r.URL.Path, rows...))
	}
}

// tagged is a site of pages that are found by a sitemap and have entity tags.
func tagged(many int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "Sitemap: http://w.example/sitemap.txt\n")
			return
		case "/sitemap.txt":
			for i := range many - 1 {
				fmt.Fprintf(w, "http://w.example/%d\n", i)
			}
			return
		}
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, r.URL.Path)
	}
}

// TestUnchanged: what has not changed costs the listings of its folders, or a conditional
// request for each page; and no more is asked than a careful mirror would: robots.txt,
// sitemaps, and each document once.
func TestUnchanged(t *testing.T) {
	many := 10_000
	if testing.Short() {
		many = 2_000
	}
	for _, c := range []struct {
		name      string
		site      http.HandlerFunc
		documents int
		requests  int // of the second sweep
	}{
		{"listed files", folders(many), many + many/1000 + 1, 1 + 1 + many/1000},
		{"pages with entity tags", tagged(many), many, 2 + many},
	} {
		s := harvesttest.Store{}
		root := rootOf(t, "http://w.example/")
		root.Documents = 2 * many
		for sweep := range 2 {
			web := harvesttest.NewWeb(c.site)
			if err := s.Run(t.Context(), harvest.NewWalk(root, web, harvest.Options{}), 0, false); err != nil {
				t.Fatal(err)
			}
			if n := len(s.Standing()); n != c.documents {
				t.Errorf("%s: %d documents", c.name, n)
			}
			beyond := web.Requests() - len(web.Asked)
			if 50*beyond >= web.Requests() {
				t.Errorf("%s: %d requests beyond those of a careful mirror", c.name, beyond)
			}
			t.Logf("%s, sweep %d: %d requests, of them %d more than once (%.2f %%), %d octets; read %d, same %d", c.name, sweep+1,
				web.Requests(), beyond, 100*float64(beyond)/float64(web.Requests()), web.Sent, s.Told[harvest.Read], s.Told[harvest.Same])
			if sweep == 0 {
				continue
			}
			if web.Requests() != c.requests {
				t.Errorf("%s: %d requests for what has not changed, want %d", c.name, web.Requests(), c.requests)
			}
			if c.documents == many && (s.Told[harvest.Read] != 0 || s.Told[harvest.Same] != many || web.Sent > 30*int64(many)) {
				t.Errorf("%s: %v, %d octets", c.name, s.Told, web.Sent)
			}
		}
	}
}

// TestMemory: of a name 150 octets are kept, of a million names.
func TestMemory(t *testing.T) {
	names := 1_000_000
	if testing.Short() {
		names = 100_000
	}
	const perName = 150
	var before, after runtime.MemStats
	h := harvest.NewWalk(rootWith(t, 2*names), millions(names), harvest.Options{})
	runtime.GC()
	runtime.ReadMemStats(&before)
	found := 0
	for item, err := range h.Harvest(t.Context(), nothing{}) {
		if err != nil {
			t.Fatal(err)
		}
		if item.Kind == harvest.Found {
			found++
		}
		if found == names {
			break
		}
		if found == names-1 {
			runtime.GC()
			runtime.ReadMemStats(&after)
		}
	}
	if found < names {
		t.Fatalf("%d names", found)
	}
	each := float64(after.HeapAlloc-before.HeapAlloc) / float64(names)
	t.Logf("%.0f octets a name, %d names", each, names)
	if each > perName {
		t.Errorf("%.0f octets a name, the limit is %d", each, perName)
	}
}

func rootWith(t *testing.T, documents int) harvest.Root {
	root := rootOf(t, "sitemap+http://w.example/map.xml")
	root.Documents = documents
	return root
}

// millions is a site of 20 sitemaps with names of 60 octets.
func millions(names int) check.Reader {
	each := names / 20
	return harvesttest.NewWeb(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		switch _, err := fmt.Sscanf(r.URL.Path, "/map%d.txt", &n); {
		case r.URL.Path == "/map.xml":
			fmt.Fprint(w, "<sitemapindex>")
			for i := range names/each + 1 {
				fmt.Fprintf(w, "<sitemap><loc>http://w.example/map%d.txt</loc></sitemap>", i)
			}
			fmt.Fprint(w, "</sitemapindex>")
		case err == nil:
			for i := range each {
				fmt.Fprintf(w, "http://w.example/library/collections/papers/%012d.htm\n", n*each+i)
			}
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
}

// nothing is what is known of a new root.
type nothing struct{}

func (nothing) Mark() []byte                                  { return nil }
func (nothing) Document(string) (d harvest.Document, ok bool) { return d, false }
func (nothing) Documents() iter.Seq[harvest.Document]         { return func(func(harvest.Document) bool) {} }
func (nothing) Linked(string) bool                            { return false }
func (nothing) Elsewhere(string) bool                         { return false }

func (nothing) Kept(string) []byte           { return nil }
func (nothing) MetSince(string, string) bool { return false }
func (nothing) Enough() bool                 { return false }
