package harvest_test

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/extract"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// pages is a site: bodies by path and query. A body that begins with "->" redirects, one
// of three digits is a status; all others have an entity tag.
type pages map[string]string

func (p pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, ok := p[r.URL.RequestURI()]
	if !ok {
		body = "404"
	}
	w.Header().Set("Date", "Sun, 01 Mar 2026 03:00:00 GMT")
	var status int
	if to, ok := strings.CutPrefix(body, "->"); ok {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusMovedPermanently)
		return
	} else if _, err := fmt.Sscanf(body, "%3d", &status); err == nil && len(body) == 3 {
		w.WriteHeader(status)
		return
	}
	if !strings.Contains(body, "Index of") {
		tag := fmt.Sprintf(`"%x"`, len(body))
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.Header().Set("Content-Type", "text/html")
	if strings.HasPrefix(body, "<?xml") {
		w.Header().Set("Content-Type", "text/xml")
	}
	fmt.Fprint(w, body)
}

// leads are the places where a document leads, as a caller finds them.
func leads(d harvest.Document, body []byte) (all []harvest.Lead) {
	base := d.Base
	if base == "" {
		base = d.Name
	}
	input := ""
	if strings.HasPrefix(d.Media, "text/html") {
		input = "html"
	}
	for f := range extract.Document(d.Name, bytes.NewReader(body), extract.Options{Base: base, Leads: true, Input: input}) {
		if f.Leads || f.NoFollow || f.Canonical {
			all = append(all, harvest.Lead{URI: f.URI, NoFollow: f.NoFollow, Canonical: f.Canonical})
		}
	}
	return all
}

func rootOf(t testing.TB, address string) harvest.Root {
	t.Helper()
	root, err := harvest.ParseRoot(address)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func walkOf(root harvest.Root) func(check.Reader, func() time.Time) harvest.Harvester {
	return func(r check.Reader, now func() time.Time) harvest.Harvester {
		return harvest.NewWalk(root, r, harvest.Options{Now: now})
	}
}

// listing is a page as nginx makes it, of rows "name|words".
func listing(folder string, rows ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html>\r\n<head><title>Index of %[1]s</title></head>\r\n<body>\r\n<h1>Index of %[1]s</h1><hr><pre><a href=\"../\">../</a>\r\n", folder)
	for _, row := range rows {
		name, words, _ := strings.Cut(row, "|")
		fmt.Fprintf(&b, "<a href=\"%[1]s\">%[1]s</a>   %[2]s\r\n", name, words)
	}
	b.WriteString("</pre><hr></body>\r\n</html>\r\n")
	return b.String()
}

const old = "05-Jan-2026 12:00      30"

// library is a small site that has something of everything.
func library() pages {
	return pages{
		"/robots.txt":         "User-agent: *\nDisallow: /private/\nSitemap: http://wells.example/sitemap.xml\n",
		"/sitemap.xml":        "<?xml version='1.0'?><urlset><url><loc>http://wells.example/guide.html</loc></url></urlset>",
		"/":                   `<title>Wells</title><a href="papers/">papers</a> <a href="/a.html">a</a> <a href="/private/x">x</a> <a href="old.html">old</a><a href="http://other.example/">o</a>`,
		"/a.html":             `<title>A</title><a href="b.html">b</a> <a href="/sid.html?sid=12">s</a> <a href="/">home</a>`,
		"/b.html":             `<title>B</title><frame src="c.html"> <a href="/logo.gif">logo</a>`,
		"/c.html":             `<title>C</title>the end`,
		"/sid.html":           `<title>S</title>a page`,
		"/old.html":           "->/new.html",
		"/new.html":           `<title>New</title>moved here`,
		"/guide.html":         `<title>Guide</title>by sitemap alone`,
		"/papers/":            listing("/papers/", "1.html|"+old, "2.html|"+old, "more/|"+old, "pic.gif|"+old),
		"/papers/1.html":      `<title>1</title><a href="2.html">2</a>`,
		"/papers/2.html":      `<title>2</title>two`,
		"/papers/more/":       listing("/papers/more/", "3.html|"+old),
		"/papers/more/3.html": `<title>3</title>three`,
	}
}

func TestWalkSuite(t *testing.T) {
	Run(t, Case{
		Open:  walkOf(rootOf(t, "http://wells.example/")),
		World: func() check.Reader { return harvesttest.NewWeb(library()) },
		Leads: leads,
		Empty: func(address string) (string, string) {
			return "text/html", listing(strings.TrimPrefix(address, "http://wells.example"))
		},
		Again: 6,
	})
}

func TestWalkReadsASite(t *testing.T) {
	web := harvesttest.NewWeb(library())
	s := harvesttest.Store{Lead: leads}
	if err := s.Run(t.Context(), harvest.NewWalk(rootOf(t, "http://wells.example/"), web, harvest.Options{}), 0, false); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range s.Standing() {
		got = append(got, strings.TrimPrefix(name, "http://wells.example"))
	}
	want := strings.Fields("/ /a.html /b.html /c.html /guide.html /new.html /papers/ /papers/1.html /papers/2.html /papers/more/ /papers/more/3.html /sid.html")
	if !slices.Equal(got, want) {
		t.Errorf("read are\n%q, not\n%q", got, want)
	}
	for address, times := range web.Asked {
		if times > 1 {
			t.Errorf("%s is asked for %d times", address, times)
		}
	}
	t.Logf("%d requests; notes %q; wrong %q", web.Requests(), s.Notes, s.Wrong)
}

func regexpOf(s string) *regexp.Regexp { return regexp.MustCompile(s) }
