package harvest

import (
	"testing"
	"time"
)

func TestFresh(t *testing.T) {
	now := time.Date(2026, 1, 10, 12, 4, 30, 0, time.UTC)
	for version, want := range map[string]bool{
		"modify=20260105120000;size=3": false, "modify=20260110120400;size=3": true, "modify=20260110120000;size=3": false, "modify=x": true, "": true,
		"-rw-r--r-- 1 0 0 30 Jan 10 12:03": true, "-rw-r--r-- 1 0 0 30 Jan 10 15:03": true, "-rw-r--r-- 1 0 0 30 Jan 10 11:40": false,
		"-rw-r--r-- 1 0 0 30 Jan  5 12:03": false, "-rw-r--r-- 1 0 0 30 Dec 20 12:03": false, "-rw-r--r-- 1 0 0 30 Dec 20  2024": false, "12-20-24 03:00PM 30": false,
	} {
		if isFresh(version, now) != want {
			t.Errorf("%s is fresh: %v", version, !want)
		}
	}
}

// FuzzPlaces: a name of a name is itself, in menus and folders too.
func FuzzPlaces(f *testing.F) {
	for _, s := range []string{"gopher://w.example/11/a b", "gopher://w.example", "gopher://w.example/0/x%09y%09+", "ftp://w.example/a/../b;type=d", "ftp://w.example", "ftp://w.example/%2Fetc;type=a"} {
		f.Add(s)
	}
	menus, err := newHole(Root{URI: "gopher://w.example/", Kind: Gopher})
	if err != nil {
		f.Fatal(err)
	}
	folders, err := newTree(Root{URI: "ftp://w.example/", Kind: FTP})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, address string) {
		for _, s := range []site{menus, folders} {
			name, ours := s.name(address)
			if !ours {
				continue
			}
			if again, ours := s.name(name); !ours || again != name {
				t.Errorf("%q: the name of %q is %q", address, name, again)
			}
			if path, query := s.resource(name); path == "" || path[0] != '/' || query != "" {
				t.Errorf("%q: %q is taken apart as %q and %q", address, name, path, query)
			}
			s.fetchable(name)
			if !s.holds(name) {
				t.Errorf("%q: %q is not in the root", address, name)
			}
		}
	})
}
