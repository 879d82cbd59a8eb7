package ingest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/internal/testdoc"
)

// The rules of gitignore(5), "PATTERN FORMAT".
func TestSelection(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "in")
	for _, p := range []string{"a.txt", "b.html", "sub/a.txt", "sub/b.html", "sub/deep/c.html", "old/d.html", ".git/config"} {
		testdoc.Write(t, filepath.Join(dir, p), "x")
	}
	testdoc.Write(t, filepath.Join(dir, ".gitignore"), "# none\n\n*.txt\n/old/\n!sub/a.txt\n")
	testdoc.Write(t, filepath.Join(dir, "sub", ".gitignore"), "deep\n")
	all := []string{".git/config", ".gitignore", "a.txt", "b.html", "old/d.html", "sub/.gitignore", "sub/a.txt", "sub/b.html", "sub/deep/c.html"}
	without := func(gone ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(p string) bool {
			return slices.ContainsFunc(gone, func(g string) bool { return p == g || strings.HasPrefix(p, g+"/") })
		})
	}
	for _, c := range []struct {
		name string
		s    Selection
		want []string
	}{
		{"all", Selection{}, all},
		{"a name, anywhere", Selection{Exclude: []string{"a.txt"}}, without("a.txt", "sub/a.txt")},
		{"a path", Selection{Exclude: []string{"/a.txt", "./sub/b.html"}}, without("a.txt", "sub/b.html")},
		{"a folder", Selection{Exclude: []string{"sub/"}}, without("sub")},
		{"a folder, and no file", Selection{Exclude: []string{"a.txt/"}}, all},
		{"any folders", Selection{Exclude: []string{"sub/**/*.html"}}, without("sub/b.html", "sub/deep")},
		{"all below", Selection{Exclude: []string{"sub/**"}}, without("sub")},
		{"taken back", Selection{Exclude: []string{"*.html", "!b.html"}}, without("old", "sub/deep")},
		{"classes", Selection{Exclude: []string{"[ab].[!t]*", "?.txt"}}, without("a.txt", "b.html", "sub/a.txt", "sub/b.html")},
		{"escapes", Selection{Exclude: []string{`\a.txt`, "*.ht"}}, without("a.txt", "sub/a.txt")},
		{"the path as it was named", Selection{Exclude: []string{filepath.ToSlash(filepath.Join(dir, "sub"))}}, without("sub")},
		{"only some", Selection{Include: []string{"*.html"}}, without(".git", ".gitignore", "a.txt", "sub/.gitignore", "sub/a.txt")},
		{"only a folder", Selection{Include: []string{"sub/deep/", "/a.txt"}}, []string{"a.txt", "sub/deep/c.html"}},
		{"only some, less others", Selection{Include: []string{"*.html"}, Exclude: []string{"old"}}, []string{"b.html", "sub/b.html", "sub/deep/c.html"}},
		{"gitignore", Selection{GitIgnore: true}, without(".git", "a.txt", "old", "sub/deep")},
	} {
		var got []string
		for s := range sources([]string{dir}, way{Selection: c.s}) {
			if s.err != nil {
				t.Fatal(s.err)
			}
			rel, _ := filepath.Rel(dir, s.path)
			got = append(got, filepath.ToSlash(rel))
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
	for s := range sources([]string{filepath.Join(dir, "a.txt")}, way{Selection: Selection{Exclude: []string{"*.txt"}}}) {
		t.Errorf("a file that is named itself: %q", s.path)
	}
	if err := (&Selection{Exclude: []string{"[z-a]"}}).Check(); err == nil {
		t.Error("a class that is none passes")
	}
}

// What is left out by decision is gone, and comes back with it.
func TestExcludedIsGone(t *testing.T) {
	l := newLibrary(t)
	l.write("in/a.txt", u1)
	l.write("in/old/b.txt", u2)
	in := filepath.Join(l.dir, "in")
	l.readPaths(in)
	l.opts.Exclude = []string{"old/"}
	if sum := l.readPaths(in); sum.Gone != 1 || l.live(u1) != 1 || l.live(u2) != 0 {
		t.Errorf("excluded: %+v, %d live", sum, l.live(u2))
	}
	l.opts.Exclude = nil
	if sum := l.readPaths(in); sum.Gone != 0 || l.live(u2) != 1 {
		t.Errorf("taken back: %+v, %d live", sum, l.live(u2))
	}
}
