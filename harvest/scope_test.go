package harvest

import (
	"regexp"
	"strings"
	"testing"
)

func mustScope(t testing.TB, address string) *scope {
	t.Helper()
	root, err := ParseRoot(address)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newScope(root)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ root, address, name string }{
		{"https://wells.example/", "https://WELLS.example:443/a/../b#c", "https://wells.example/b"},
		{"https://wells.example/", "http://wells.example/b", "https://wells.example/b"},
		{"http://wells.example", "https://wells.example", "http://wells.example/"},
		{"http://wells.example/", "http://wells.example:8080/", ""},
		{"http://wells.example:8080/", "https://wells.example:8080/x", "http://wells.example:8080/x"},
		{"http://wells.example:8080/", "http://wells.example/x", ""},
		{"http://wells.example/", "http://www.wells.example/", ""},
		{"http://wells.example/", "ftp://wells.example/", ""},
		{"http://wells.example/", "mailto:a@wells.example", ""},
		{"http://wells.example/", "http://wells.example/a;jsessionid=0F3A?b=1", "http://wells.example/a?b=1"},
		{"http://wells.example/", "http://wells.example/a;JSessionID=0F3A/b;v=1", "http://wells.example/a/b;v=1"},
		{"http://wells.example/", "http://wells.example/a?PHPSESSID=1&b=2&sid=3", "http://wells.example/a?b=2"},
		{"http://wells.example/", "http://wells.example/a?CFID=1;CFTOKEN=2", "http://wells.example/a"},
		{"http://wells.example/", "http://wells.example/a?ASPSESSIONIDQQ=1&utm_source=x&c", "http://wells.example/a?c"},
		{"http://wells.example/", "http://wells.example/a?inside=1&sidebar=2", "http://wells.example/a?inside=1&sidebar=2"},
		{"http://wells.example/", "http://user@wells.example/a", "http://wells.example/a"},
		{"http://wells.example/", "http://wells.example/a?", "http://wells.example/a"},
		{"http://wells.example/", "http://wells.example/%7Ehill/%c3%a4", "http://wells.example/~hill/%C3%A4"},
		{"sitemap+https://wells.example/s.xml", "http://wells.example/a", "https://wells.example/a"},
	} {
		if got, _ := mustScope(t, c.root).name(c.address); got != c.name {
			t.Errorf("%s: the name of %s is %q, not %q", c.root, c.address, got, c.name)
		}
	}
}

func TestScope(t *testing.T) {
	follow, not := regexp.MustCompile(`/annex/`), regexp.MustCompile(`\.bak$|print=`)
	for _, c := range []struct {
		root, name       string
		follow, noFollow *regexp.Regexp
		in               bool
	}{
		{"http://w.example/papers/index.html", "http://w.example/papers/1.html", nil, nil, true},
		{"http://w.example/papers/index.html", "http://w.example/papers/", nil, nil, true},
		{"http://w.example/papers/index.html", "http://w.example/papers", nil, nil, false},
		{"http://w.example/papers", "http://w.example/maps/", nil, nil, true},
		{"http://w.example/papers/", "http://w.example/annex/1", nil, nil, false},
		{"http://w.example/papers/", "http://w.example/annex/1", follow, nil, true},
		{"http://w.example/papers/", "http://w.example/papers/1.bak", nil, not, false},
		{"http://w.example/papers/", "http://w.example/annex/1?print=1", follow, not, false},
	} {
		s := mustScope(t, c.root)
		s.follow, s.noFollow = c.follow, c.noFollow
		if got := s.holds(c.name); got != c.in {
			t.Errorf("%s holds %s: %v", c.root, c.name, got)
		}
	}
}

func TestFetchable(t *testing.T) {
	s := mustScope(t, "http://w.example/")
	for name, want := range map[string]bool{
		"/": true, "/a.html": true, "/a": true, "/a.GIF": false, "/a.png?raw=1": true, "/style.css": false, "/a.gif/b": true, "/x.mrc": true, "/a.pdf": true,
		"/a.txt.gz": true, "/rfc/?C=N;O=D": false, "/rfc/?C=M&O=A": false, "/rfc/?N=D": false, "/a?C=N": true, "/a/?q=C": true, "/.woff": false,
	} {
		if got := s.fetchable("http://w.example" + name); got != want {
			t.Errorf("%s is fetched: %v", name, got)
		}
	}
}

func TestSameDocument(t *testing.T) {
	s := mustScope(t, "http://w.example/")
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"/a?x=1", "/a", true}, {"/a/", "/a", true}, {"/a/index.html", "/a/", true}, {"/a/index.php?p=1", "/a", true},
		{"/a", "/b", false}, {"/a", "/", false}, {"/a/b", "/a", false}, {"/index.html", "/", true},
	} {
		if got := s.sameDocument("http://w.example"+c.a, "http://w.example"+c.b); got != c.same {
			t.Errorf("%s may call itself %s: %v", c.a, c.b, got)
		}
	}
}

// FuzzName: a name of a name is itself, and lies on the site.
func FuzzName(f *testing.F) {
	for _, s := range []string{"http://w.example/a/../b?x=1#y", "https://w.example:443", "http://w.example/;jsessionid=1;jsessionid=2/?sid&sid",
		"http://w.example/%3bjsessionid=1", "http://w.example/?s%69d=1", "http://w.example/a;;jsessionid=/..", "//w.example/", "http://w.example//../..//"} {
		f.Add(s)
	}
	s := mustScope(f, "http://w.example/")
	f.Fuzz(func(t *testing.T, address string) {
		name, ok := s.name(address)
		if !ok {
			return
		}
		if again, ok := s.name(name); !ok || again != name {
			t.Errorf("%q: the name of %q is %q", address, name, again)
		}
		if !strings.HasPrefix(name, "http://w.example/") {
			t.Errorf("%q: %q is no name of the site", address, name)
		}
		path, query := s.resource(name)
		if "http://w.example"+path+query != name {
			t.Errorf("%q is taken apart as %q and %q", name, path, query)
		}
		s.fetchable(name)
		if !s.sameDocument(name, name) {
			t.Errorf("%q is not the same as itself", name)
		}
	})
}
