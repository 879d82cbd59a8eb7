package extract_test

import (
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
)

// Members of an archive that is a mirror stood where the site was, and so did the records
// of a web archive, which say so themselves. Other members have the base of their archive
// (RFC 3986 section 5.1.2).
func TestMirrors(t *testing.T) {
	const page = `<a href="b.html">b</a>`
	response := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
	inner := testdoc.Tar(t, "x.html", page)
	warc := testdoc.WARC("response", "http://h.example/w/a.html", "application/http", response) +
		testdoc.WARC("response", "http://h.example/w/gone.html", "application/http", strings.Replace(response, "200 OK", "404 Not Found", 1)) +
		testdoc.WARC("response", "http://elsewhere.example/", "application/http", response) +
		testdoc.WARC("resource", "http://h.example/w/r?q=1", "text/html", page)
	for _, tt := range []struct {
		name, path, text string
		uris             string // of the links
		held             string // references to what is there
		asked            string // and to what is not
	}{
		{"tar", "/srv/s.tar", testdoc.Tar(t, "./d/a.html", page, "index.html", page, "../../e.html", page),
			"http://h.example/w/d/b.html http://h.example/w/b.html http://h.example/w/b.html",
			"http://h.example/w/d/a.html https://h.example/w/ http://h.example/w/e.html", "http://h.example/w/d/ http://h.example/w/b.html http://h.example/e.html"},
		{"zip", "/srv/s.zip", testdoc.Zip(t, "d/index.htm", page), "http://h.example/w/d/b.html", "http://h.example/w/d http://h.example/w/d/", "http://h.example/w/"},
		{"tar.gz", "/srv/s.tar.gz", testdoc.Gzip(testdoc.Tar(t, "a.html", page)), "http://h.example/w/b.html", "http://h.example/w/a.html", "http://h.example/w/a.html.gz"},
		{"tar in tar", "/srv/s.tar", testdoc.Tar(t, "i.tar", inner), "http://h.example/w/b.html", "http://h.example/w/i.tar", "http://h.example/w/x.html"},
		{"tar in a folder", "/srv/dir/i.tar", inner, "http://h.example/dir/b.html", "http://h.example/dir/i.tar", "http://h.example/dir/x.html http://h.example/dir/i.tar/x.html"},
		{"warc", "/srv/s.warc", warc, "http://h.example/w/b.html http://h.example/w/b.html http://elsewhere.example/b.html http://h.example/w/b.html",
			"http://h.example/w/a.html http://h.example/w/r?q=1", "http://h.example/w/gone.html http://elsewhere.example/ http://h.example/w/r"},
		{"no mirror", "/other/s.tar", testdoc.Tar(t, "a.html", page), "http://base.example/b.html", "", "http://h.example/w/a.html"},
	} {
		var mirrors extract.Mirrors
		for _, dir := range []string{"/srv/s.tar", "/srv/s.zip", "/srv/s.tar.gz", "/srv/s.warc", "/srv/dir"} {
			m, err := extract.NewMirror(dir, map[bool]string{false: "http://h.example/w", true: "http://h.example/dir"}[dir == "/srv/dir"])
			if err != nil {
				t.Fatal(err)
			}
			mirrors = append(mirrors, m)
		}
		var uris []string
		names := map[string]bool{}
		o := extract.Options{Base: "http://base.example/", Mirrors: mirrors, Path: tt.path, Names: true, Context: t.Context()}
		for f, err := range extract.Document(tt.path, strings.NewReader(tt.text), o) {
			switch {
			case err != nil:
				t.Errorf("%s: %v", tt.name, err)
			case f.Name != "":
				names[f.Name] = true
			default:
				uris = append(uris, f.URI)
			}
		}
		if got := strings.Join(uris, " "); got != tt.uris {
			t.Errorf("%s: links %s, want %s", tt.name, got, tt.uris)
		}
		for held, list := range map[bool]string{true: tt.held, false: tt.asked} {
			for _, ref := range strings.Fields(list) {
				if names[mirrors.NameOf(ref)] != held {
					t.Errorf("%s: %s is there: %v", tt.name, ref, !held)
				}
			}
		}
	}
}
