package mirror

import (
	"strings"
	"testing"
)

func mirrors(t testing.TB, pairs ...string) (list List) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		m, err := New(pairs[i], pairs[i+1])
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

func TestMirrorAddresses(t *testing.T) {
	list := mirrors(t, "/srv/m", "HTTPS://Www.Example.org:443/g", "/srv/m/old", "http://old.example/", "/", "http://root.example/r/")
	for path, want := range map[string]string{
		"/srv/m/a.html":           "https://www.example.org/g/a.html",
		"/srv/m/sub/a b#c%.html":  "https://www.example.org/g/sub/a%20b%23c%25.html",
		"/srv/m/\xe4.html":        "https://www.example.org/g/%E4.html",
		"/srv/m/d?x/a":            "https://www.example.org/g/d%3Fx/a",
		"/srv/m/l.html?p=a%20b c": "https://www.example.org/g/l.html?p=a%20b%20c",
		"/srv/m":                  "https://www.example.org/g/",
		"/srv/m/old/a":            "http://old.example/a",
		"/srv/mx/a":               "http://root.example/r/srv/mx/a",
	} {
		m, name, ok := list.Of(path)
		if got := m.Address(name); !ok || got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if m := list[0]; m.Address(strings.Repeat("a", maxName+1)) != m.URL || m.Names(strings.Repeat("a", maxName+1))[0] != "" {
		t.Error("a name of any length has an address")
	}
	if _, _, ok := list[:2].Of("/srv/other"); ok {
		t.Error("a file beside the tree is in it")
	}
	if _, _, ok := list.Of(""); ok {
		t.Error("a document without a path is in a tree")
	}
}

// What is equal by RFC 3986 section 6.2 asks for the same file; a query is part of a name.
func TestMirrorLookups(t *testing.T) {
	list := mirrors(t, "/srv/m", "https://www.example.org/g/", "/srv/old", "http://www.example.org/g/old/", "/srv/p", "http://p.example:8080")
	for ref, want := range map[string]string{
		"https://www.example.org/g/a.html":                            "/srv/m/a.html",
		"http://WWW.example.org:80/g/./x/../a.html#f":                 "/srv/m/a.html",
		"https://www.example.org/g/%61.html":                          "/srv/m/a.html",
		"https://www.example.org/g/a%2Bb":                             "/srv/m/a+b",
		"https://www.example.org/g/%e4":                               "/srv/m/\xe4",
		"https://www.example.org/g/":                                  "/srv/m/",
		"https://www.example.org/g/s":                                 "/srv/m/s",
		"https://www.example.org/g/l?p=%7e1":                          "/srv/m/l?p=~1",
		"https://www.example.org/g/l%3Fp=~1":                          "/srv/m/l?p=~1",
		"https://www.example.org/g/old/a":                             "/srv/old/a",
		"https://p.example:8080/a":                                    "/srv/p/a",
		"https://www.example.org/":                                    "",
		"https://www.example.org/g":                                   "",
		"https://www.example.org:444/g/a.html":                        "",
		"https://ann@www.example.org/g/a.html":                        "",
		"ftp://www.example.org/g/a.html":                              "",
		"https://www.example.org/g/../../etc/passwd":                  "",
		"https://www.example.org/g/%2e%2e/%2e%2e/etc":                 "",
		"https://www.example.org/g/..%2f..%2fetc":                     "",
		"https://www.example.org/g/a%00b":                             "",
		"https://www.example.org/g/%":                                 "/srv/m/%", // as browsers read it
		"https://www.example.org/g/" + strings.Repeat("a", maxName+1): "",
		"": "",
	} {
		wanted := ""
		if want != "" {
			m, name, _ := list.Of(want)
			wanted = m.fileName(name)
		}
		if got := list.NameOf(ref); got != wanted || (got == "") != (want == "") {
			t.Errorf("%.60s: %q, want %q", ref, got, wanted)
		}
	}
}

func TestNewFaults(t *testing.T) {
	for address, want := range map[string]string{
		"www.example.org":         "no web address",
		"":                        "no web address",
		"ftp://h.example/":        "no web address",
		"http://":                 "no web address",
		"http://u:s3cret@h/":      "no user",
		"http://h.example/?x":     "query",
		"http://h.example/#x":     "fragment",
		"htt://u:s3cret@h/s3cret": "no web address",
	} {
		if m, err := New("/srv", address); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), ":s3cret@") {
			t.Errorf("%q: %v, %v", address, m, err)
		}
	}
}

// A file is found at its address, in every tree, and a link asks for no file above it.
func FuzzMirror(f *testing.F) {
	for _, name := range []string{"a.html", "s/i.html?x=%41", "\xff", "..", "a%00", "?", "a//b", "%2e%2e/x", "s?x/y"} {
		f.Add(name)
	}
	list := mirrors(f, "/srv/m", "https://www.example.org/g/")
	f.Fuzz(func(t *testing.T, name string) {
		if found, ok := fileOf(name); ok {
			for _, part := range strings.Split(strings.SplitN(found, "?", 2)[0], "/") {
				if part == ".." || part == "." || strings.Contains(part, "\x00") {
					t.Fatalf("%q asks for %q", name, found)
				}
			}
		}
		if list.NameOf("https://www.example.org/g/"+name) == "web:" {
			t.Fatal("a name of nothing")
		}
		for _, part := range strings.Split(name, "/") {
			if part == "" || part == "." || part == ".." || strings.Contains(part, "\x00") || len(name) > maxName/4 {
				return // no file on a disk is called so
			}
		}
		m := list[0]
		if got, want := list.NameOf(m.Address(name)), m.fileName(name); got != want || got == "" {
			t.Fatalf("%q: at %q it is %q, want %q", name, m.Address(name), got, want)
		}
	})
}
