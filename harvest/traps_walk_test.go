package harvest_test

import (
	"compress/gzip"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// read walks over a site once and gives the paths of what was read, and the notes.
func read(t *testing.T, site http.Handler, root harvest.Root) (paths, notes []string, web *harvesttest.Web) {
	t.Helper()
	web = harvesttest.NewWeb(site)
	s := &harvesttest.Store{Lead: leads}
	_, notes, err := told(t, s, harvest.NewWalk(root, web, harvest.Options{}))
	if err != nil {
		t.Error(err)
	}
	for _, name := range s.Standing() {
		_, path, _ := strings.Cut(strings.TrimPrefix(name, "http://"), "/")
		paths = append(paths, "/"+path)
	}
	return paths, notes, web
}

// TestTraps: what is read of small sites that are made to be read without end.
func TestTraps(t *testing.T) {
	for _, c := range []struct {
		name string
		site pages
		want string
	}{
		{"a relative link without its slash", pages{"/": `<a href="a/">`, "/a/": `<a href="a/">`, "/a/a/": `<a href="a/">`, "/a/a/a/": "x"}, "/ /a/ /a/a/"},
		{"session ids", pages{"/": `<a href="/a?sid=1"><a href="/a?sid=2"><a href="/b;jsessionid=3?x=1">`, "/a": "a", "/b?x=1": "b"}, "/ /a /b?x=1"},
		{"session ids as segments", pages{"/": `<a href="/(S(lit3py55t21z5v55vlm25s55))/a"><a href="/b/S(9daa3bd8a0316c3060b9e18d)/"><a href="/(F(lit3py55t21z5v55)S(lit3py55t21z5v55))"><a href="/S(x)/c_(d)">`,
			"/a": "a", "/b/": "b", "/S(x)/c_(d)": "c"}, "/ /S(x)/c_(d) /a /b/"},
		{"nofollow of a page", pages{"/": `<a href="/a">`, "/a": `<meta name="robots" content="nofollow"><a href="/b">`, "/b": "b"}, "/ /a"},
		{"nofollow of a link", pages{"/": `<a href="/a"><a rel="nofollow" href="/b">`, "/a": `a`, "/b": "b"}, "/ /a"},
		{"canonical without its query", pages{"/": `<a href="/a?print=1">`, "/a?print=1": `<link rel="canonical" href="/a">print`, "/a": "a"}, "/ /a"},
		{"canonical of the front page", pages{"/": `<a href="/a"><a href="/b">`, "/a": `<link rel="canonical" href="/">a`, "/b": `<link rel="canonical" href="/c">b`}, "/ /a /b"},
		{"canonical of what is not there", pages{"/": `<a href="/a/"><a href="/a/?x=1">`, "/a/?x=1": `<link rel="canonical" href="/a/">a`}, "/ /a/?x=1"},
		{"pictures", pages{"/": `<a href="/a.gif"><a href="/b.css"><a href="/c.WOFF"><a href="/d.txt">`, "/a.gif": "a", "/b.css": "b", "/d.txt": "d"}, "/ /d.txt"},
		{"sorted listings", pages{"/": `<a href="/l/?C=N;O=D"><a href="/l/">`, "/l/": listing("/l/", "?C=M;O=A|", "a|"+old), "/l/?C=N;O=D": "x", "/l/a": "a"}, "/ /l/ /l/a"},
		{"redirect rings", pages{"/": `<a href="/a">`, "/a": "->/b", "/b": "->/a"}, "/"},
		{"framesets that are alike", pages{"/": `<a href="1/"><a href="2/"><a href="3/">`, "/1/": `<frame src="t.html">`, "/2/": `<frame src="t.html">`, "/3/": `<frame src="t.html">`,
			"/1/t.html": "one", "/2/t.html": "two", "/3/t.html": "three"}, "/ /1/ /1/t.html /2/ /2/t.html /3/ /3/t.html"},
		{"pipermail", pages{"/": `<a href="2026-March/thread.html">Thread</a><a href="2026-March/date.html">Date</a><a href="2026-March.txt.gz">Text</a>`,
			"/2026-March/thread.html": "x", "/2026-March/date.html": "x", "/2026-March.txt.gz": "From a\nTo: b\n"}, "/ /2026-March.txt.gz"},
		{"hypermail", pages{"/": `<a href="date.html"><a href="thread.html"><a href="author.html"><a href="subject.html">`, "/date.html": `<a href="0001.html">`,
			"/thread.html": "x", "/author.html": "x", "/subject.html": "x", "/0001.html": `<a href="thread.html#1">m`}, "/ /0001.html /date.html"},
		{"out of the scope", pages{"/": `<a href="http://other.example/a"><a href="http://w.example:81/b"><a href="mailto:a@w.example"><a href="https://w.example/c">`, "/c": "c"}, "/ /c"},
		{"a feed that no text links to", pages{"/": `<link rel="alternate" type="application/rss+xml" href="/feed.xml">`, "/feed.xml": `<?xml version="1.0"?><rss version="2.0"><channel><item><link>http://w.example/post</link></item></channel></rss>`, "/post": "p"}, "/ /feed.xml /post"},
		{"a translation", pages{"/": `<link rel="alternate" hreflang="fr" href="/fr/"><link rel="alternate" media="print" href="/print">`, "/fr/": "f", "/print": "p"}, "/ /fr/"},
		{"a feed", pages{"/": `<link rel="alternate" href="/feed.xml"><a href="/feed.xml">`, "/feed.xml": `<?xml version="1.0"?><rss version="2.0"><channel><item><link>http://w.example/post</link></item></channel></rss>`, "/post": "p"}, "/ /feed.xml /post"},
		{"refresh", pages{"/": `<meta http-equiv="refresh" content="0; url=/a">`, "/a": "a"}, "/ /a"},
		{"names of 2,000 octets", pages{"/": `<a href="/` + strings.Repeat("x", 2000) + `"><a href="/a">`, "/a": "a"}, "/ /a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, notes, web := read(t, c.site, rootOf(t, "http://w.example/"))
			if strings.Join(got, " ") != c.want {
				t.Errorf("read is %q, want %s; notes %q", got, c.want, notes)
			}
			for address, times := range web.Asked {
				if times > 1 && !strings.Contains(c.name, "ring") {
					t.Errorf("%s is asked for %d times", address, times)
				}
			}
		})
	}
}

// endless is a site that answers anything by a page of its own.
func endless(page func(r *http.Request) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page(r))
	})
}

// TestEndless: sites without end are read up to a bound, which is told.
func TestEndless(t *testing.T) {
	number := func(r *http.Request, key string) (n int) {
		fmt.Sscan(r.URL.Query().Get(key), &n)
		return n
	}
	visits := 0
	for _, c := range []struct {
		name     string
		site     http.Handler
		most     int // documents
		note     string
		requests int
	}{
		{"a calendar", endless(func(r *http.Request) string {
			month := number(r, "month")
			links := ""
			for i := 1; i <= 40; i++ {
				links += fmt.Sprintf(`<a href="/cal?month=%d">`, month+i)
			}
			return fmt.Sprintf("<title>%d</title>%s", month, links)
		}), 501, "held back at form /cal?month=V", 505},
		{"one after the other", endless(func(r *http.Request) string {
			return fmt.Sprintf(`<a href="/p?n=%d">next`, number(r, "n")+1)
		}), 49, "not followed: more than 48 hops", 53},
		{"the same page under any address", endless(func(r *http.Request) string {
			return `<a href="about/"><a href="news/"><a href="help/"><a href="maps/">`
		}), 100, "", 110},
		{"a page with a new name each time", endless(func(r *http.Request) string {
			links := ""
			if visits++; r.URL.Path == "/" {
				links = words("page", 20, "/%s.html")
			}
			return fmt.Sprintf(`%s<a href="/view?t=%d">%s`, r.URL.Path, visits, links)
		}), 75, "held back at form /view?t=V", 80},
		{"what each page leads to beside it", endless(func(r *http.Request) (links string) {
			if r.URL.Path == "/" {
				return words("page", 100, "/%s.html")
			}
			for i := range 10 {
				links += fmt.Sprintf(`<a href="/%s?page=%s">`, word("tool", i), r.URL.Path)
			}
			return r.URL.Path + links
		}), 940, "held back at form /", 945},
		{"a page for each number", endless(func(r *http.Request) string {
			links := ""
			for i := range 100 {
				links += fmt.Sprintf(`<a href="/%d/%s">`, i, strings.Trim(r.URL.Path, "/"))
			}
			return r.URL.Path + links
		}), 1_000, "held back at form /N/N", 1_010},
	} {
		root := rootOf(t, "http://w.example/")
		root.Documents = 1000
		got, notes, web := read(t, c.site, root)
		if len(got) > c.most || web.Requests() > c.requests {
			t.Errorf("%s: %d documents, %d requests", c.name, len(got), web.Requests())
		}
		if !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, c.note) }) && c.note != "" {
			t.Errorf("%s: %q", c.name, notes)
		}
		t.Logf("%s: %d documents, %d requests, %q", c.name, len(got), web.Requests(), notes)
	}
}

// TestForbiddenNames: links to what robots.txt forbids, ever new ones on each page, make no
// documents but those of one page a night, by which it is seen that the reader heeds it.
func TestForbiddenNames(t *testing.T) {
	visits := 0
	web := harvesttest.NewWeb(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if visits++; r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nDisallow: /trap/\nDisallow: /*?trap")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `%s <a href="/trap/%d"><a href="/?trap=%d">`, r.URL.Path, visits, visits)
		for i := range 9 {
			fmt.Fprintf(w, `<a href="/%d.html">`, (10*visits+i)%200)
		}
	}))
	s := &harvesttest.Store{Lead: leads}
	for night := range 2 {
		var forbidden []string
		items, notes, err := told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{}))
		for path := range items {
			if strings.Contains(path, "trap") {
				forbidden = append(forbidden, path)
			}
		}
		if err != nil || len(items) < 180 || len(forbidden) != 2+2*night || !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, "not followed: robots.txt disallows, such as ") }) {
			t.Errorf("night %d: of %d documents %q, %q, %v", night, len(items), forbidden, notes, err)
		}
	}
}

// TestSitemapWalks: an index, packed and as text; the root of kind sitemap reads what is
// listed and follows nothing.
func TestSitemapWalks(t *testing.T) {
	var zipped strings.Builder
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, "<?xml version='1.0'?><urlset><url><loc>http://w.example/a</loc></url><url><loc>http://w.example/a.jpg</loc></url></urlset>")
	z.Close()
	site := pages{
		"/robots.txt": "Sitemap: http://w.example/index.xml\nSitemap: http://other.example/x.xml\nSitemap: http://w.example/bad.xml",
		"/index.xml":  "<?xml version='1.0'?><sitemapindex><sitemap><loc>http://w.example/1.xml.gz</loc></sitemap><sitemap><loc>http://w.example/2.txt</loc></sitemap><sitemap><loc>http://w.example/index.xml</loc></sitemap></sitemapindex>",
		"/1.xml.gz":   zipped.String(), "/2.txt": "http://w.example/b\nhttp://other.example/c\n", "/bad.xml": "<html>Sorry</html>",
		"/": "root", "/a": `<a href="/c">`, "/b": "b", "/c": "c",
	}
	got, notes, web := read(t, site, rootOf(t, "http://w.example/"))
	if strings.Join(got, " ") != "/ /a /b /c" || len(notes) != 2 || web.Requests() != 9 {
		t.Errorf("%q, %q, %v", got, notes, web.Asked)
	}
	got, notes, web = read(t, site, rootOf(t, "sitemap+http://w.example/index.xml"))
	if strings.Join(got, " ") != "/a /b" || len(notes) != 0 || web.Requests() != 6 {
		t.Errorf("of the sitemap: %q, %q, %v", got, notes, web.Asked)
	}
	for address, why := range map[string]string{"sitemap+http://w.example/bad.xml": "not understood: it is no sitemap", "sitemap+http://w.example/none.xml": "not found: http-404: Not Found"} {
		err := (&harvesttest.Store{}).Run(t.Context(), harvest.NewWalk(rootOf(t, address), harvesttest.NewWeb(site), harvest.Options{}), 0, false)
		if err == nil || err.Error() != why {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestListingsOverNights: a file whose row is as it was is not asked for, one that a whole
// listing names no more is gone, and an empty listing is doubted.
func TestListingsOverNights(t *testing.T) {
	all := listing("/", "1|"+old, "2|"+old, "3|"+old, "4|01-Mar-2026 02:59  4")
	for name, c := range map[string]struct{ listing, want string }{
		"as it was":       {all, "/=R /1=S /2=S /3=S /4=S"},
		"one is gone":     {listing("/", "1|"+old, "3|"+old), "/=R /1=S /2=G the listing names it no more /3=S /4=S"},
		"one has changed": {listing("/", "1|06-Jan-2026 12:00  31", "2|"+old, "3|"+old, "4|01-Mar-2026 02:59  4"), "/=R /1=R /2=S /3=S /4=S"},
		"half of it":      {all[:len(all)/2], "/=R /1=S /2=R /3=R /4=S"},
		"it is empty":     {listing("/"), "/=R /1=R /2=R /3=R /4=S"},
		"and a new one":   {listing("/", "1|"+old, "2|"+old, "3|"+old, "5|"+old), "/=R /1=S /2=S /3=S /4=S /5=R"},
	} {
		site := pages{"/": all, "/1": "one", "/2": "two", "/3": "three", "/4": "four", "/5": "five"}
		s := &harvesttest.Store{Lead: leads}
		var items map[string]string
		var web *harvesttest.Web
		for night := range 2 {
			if night == 1 {
				site["/"], site["/1"] = c.listing, "another one"
			}
			web = harvesttest.NewWeb(site)
			var err error
			if items, _, err = told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{})); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, path := range slices.Sorted(maps.Keys(items)) {
			got = append(got, path+"="+items[path])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q; asked %v", name, got, web.Asked)
		}
	}
}
