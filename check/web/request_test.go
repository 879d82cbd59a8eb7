package web

import (
	"crypto/tls"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/internal/lab"
	"linkcheck/uri"
)

// oddURLs are those whose requests are easily written wrong.
var oddURLs = []string{
	"http://h.dom?q", "http://h.dom/?", "http://h.dom/*", "http://h.dom/a b", "http://h.dom/a?b?c", "http://h.dom/a;b=c,d$e&f", "http://h.dom/[x]@:!",
	"http://h.dom//", "http://h.dom//a", "http://h.dom///a/../b", "https://h.dom//other.org/a?b", "http://h.dom//%zz", "https://h.dom//%zz/%41%2f?%", "http://http://h.dom/",
	"http://h.dom:80/", "https://h.dom:443/", "http://h.dom:443/", "http://h.dom:/x", "http://h.dom./", "http://h_x.dom/", "http://H.DOM/", "http://bob:sesame@h.dom/",
	"http://[::1]:80/", "http://[2001:DB8::1]:8080/x", "http://1.2.3.4/", "http://m\u00fcller.de/\u00fc?\u00fc#\u00fc", "http://h.dom/a\\b|c{d}^`\"<>",
}

// corpusURLs lists all that stands in the second column of the tables of the corpus.
func corpusURLs(t testing.TB) []string {
	t.Helper()
	var list []string
	for _, dir := range []string{"labels", "uri"} {
		files, err := filepath.Glob("../../testdata/corpus/" + dir + "/*.tsv")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if columns := strings.Split(line, "\t"); len(columns) > 1 {
					list = append(list, columns[1])
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// askingFor gives the resource of a URL, if it is one of the web.
func askingFor(raw string) (resource, bool) {
	u, err := uri.Parse(raw)
	h, ok := u.(*uri.HTTP)
	if err != nil || !ok {
		return resource{}, false
	}
	return resourceOf(h), true
}

// soundRequest holds that a request asks for what the URL says in one line.
func soundRequest(t *testing.T, at resource, header http.Header) {
	t.Helper()
	request, err := written("GET", at, header)
	if err != nil {
		t.Errorf("%v: %v", at, err)
	}
	target := at.path + at.query
	if unsound(at) {
		target = at.String()
	}
	lines := strings.Split(request, "\r\n")
	if want := []string{"GET " + target + " HTTP/1.1", "Host: " + at.host}; !slices.Equal(lines[:2], want) {
		t.Errorf("%v: %q, want %q", at, lines, want)
	}
	if want := len(header) + 4; len(lines) != want {
		t.Errorf("%v: %d lines, want %d: %q", at, len(lines), want, lines)
	}
}

// unsound says whether net/http can only be told to name the host in the request
// line, RFC 9112 section 3.2.2: it cannot keep escapes that are none behind two slashes.
func unsound(at resource) bool { return at.url().Opaque != at.path && at.url().Opaque != "" }

func TestRequests(t *testing.T) {
	fields := fieldsOf(check.Options{UserAgent: "linkcheck/1", Contact: "librarian@example.org"})
	fields.Set("If-None-Match", `W/"1"`)
	asked, two, strange := 0, 0, 0
	for _, raw := range append(corpusURLs(t), oddURLs...) {
		if at, ok := askingFor(raw); ok {
			soundRequest(t, at, fields)
			asked++
			if strings.HasPrefix(at.path, "//") {
				two++
			}
			if unsound(at) {
				strange++
			}
		}
	}
	if asked < 1500 || two < 5 || strange != 2 {
		t.Errorf("%d resources, %d with two slashes, %d of these unsound", asked, two, strange)
	}
}

// No URL and no value makes a second line or request, or ends a string early.
// RFC 9112 sections 3 and 11.2.
func FuzzRequest(f *testing.F) {
	for _, raw := range oddURLs {
		f.Add(raw, `"tag"`)
	}
	f.Add("http://h.dom/", "a\r\nHost: b\r\n\r\nGET / HTTP/1.1\x00")
	f.Fuzz(func(t *testing.T, raw, value string) {
		at, ok := askingFor(raw)
		if !ok {
			return
		}
		soundRequest(t, at, http.Header{"User-Agent": {"linkcheck/1"}})
		request, err := written("GET", at, http.Header{"User-Agent": {"linkcheck/1"}, "If-None-Match": {value}})
		if (err != nil) != strings.ContainsAny(value, "\x00\r\n") {
			t.Fatalf("%q: %v", value, err)
		}
		lines := strings.Split(request, "\r\n")
		if err == nil && (len(lines) != 6 || lines[4] != "" || lines[5] != "" || strings.ContainsAny(strings.Join(lines, ""), "\r\n\x00") || strings.Count(lines[0], " ") != 2) {
			t.Fatalf("%q", lines)
		}
	})
}

// A path that begins with two slashes is asked for as it stands over TLS, too.
func TestTwoSlashesOverTLS(t *testing.T) {
	for _, proto := range []string{"http/1.1", "h2"} {
		asked := make(chan string, 1)
		addr := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{newIssuer(t).sign(t, "site.org", time.Now().Add(time.Hour))}, NextProtos: []string{proto}},
			lab.Site{"*": func(w http.ResponseWriter, r *http.Request) {
				asked <- r.Host + " " + r.RequestURI
				fine(w, r)
			}})
		p := New(Options{Options: check.Options{Dialer: &netguard.Guard{ConnectTo: rules4(t, addr)}}, NoSoft404: true, IgnoreRobots: true})
		defer p.Close()
		for _, path := range []string{"//other.org/a%2Fb?q", "//", "///a/../b?"} {
			r := p.Probe(t.Context(), check.Target{URI: parse(t, "https://site.org"+path)})
			if r.Outcome != check.OK {
				t.Fatalf("%s %s: %s(%s) %q", proto, path, r.Outcome, r.Reason, r.Reply)
			}
			if got := <-asked; got != "site.org "+path {
				t.Errorf("%s %s: asked for %s", proto, path, got)
			}
		}
	}
}
