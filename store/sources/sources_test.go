package sources

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/store"
)

var night = time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)

// library is a store that two runs made, from the folder /w: of "docs" and "/a/docs"; one
// file is gone, a message was read, and one path is that of an old store.
func library(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "s.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	in, err := st.BeginIngest(night)
	if err != nil {
		t.Fatal(err)
	}
	for i, src := range []store.Source{
		{Path: "/w/docs/a.txt", Name: "docs/a.txt", Root: "/w/docs", Collection: "docs"},
		{Path: "/w/docs/box/cur/1.h", Name: "docs/box/new/1.h:2,S", Root: "/w/docs", Collection: "docs", Problems: 1, Damage: "cut short"},
		{Path: "/a/docs/a.txt", Root: "/a/docs", Collection: "docs"},
		{Path: "/a/docs/gone.txt", Root: "/a/docs", Collection: "docs"},
		{Path: "/a/cat.mrc", Root: "/a/cat.mrc", Collection: "opac"},
		{Path: "old/x.txt", Root: "old", Collection: "old"},
	} {
		url := fmt.Sprintf("http://h%d.example.net/", i)
		both := "http://both.example.net/"
		list := []store.Mention{{Collection: src.Collection, Line: 1, Raw: url, URL: url}, {Collection: src.Collection, Line: 2, Raw: both, URL: both}}
		src.Size, src.Mentions = 1, len(list)
		if err := in.Add(store.Step{Whole: []store.Source{src}, Batches: []*store.Batch{store.Prepare(src.Path, list, nil)}}); err != nil {
			t.Fatal(err)
		}
	}
	if in, err = st.BeginIngest(night); err != nil {
		t.Fatal(err)
	}
	if err := in.Add(store.Step{Gone: []store.Source{{Path: "/a/docs/gone.txt"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Finish(); err != nil {
		t.Fatal(err)
	}
	return st
}

func TestFind(t *testing.T) {
	st := library(t)
	for _, tt := range []struct {
		name, as string
		want     string // the paths; or the error
	}{
		{"/w/docs", Any, "/w/docs/a.txt /w/docs/box/cur/1.h"},
		{"/w/docs/", Any, "/w/docs/a.txt /w/docs/box/cur/1.h"},
		{"/w/doc", Any, ErrUnknown.Error()},
		{"/w/docs/a.txt", Any, "/w/docs/a.txt"},
		{"docs/a.txt", Any, "/w/docs/a.txt"},
		{"docs/box/new/1.h:2,S", Path, "/w/docs/box/cur/1.h"},
		{"docs", Any, ErrAmbiguous.Error()},
		{"docs", Path, "/w/docs/a.txt /w/docs/box/cur/1.h"},
		{"docs", Collection, "/a/docs/a.txt /a/docs/gone.txt /w/docs/a.txt /w/docs/box/cur/1.h"},
		{"opac", Any, "/a/cat.mrc"},
		{"opac", Path, ErrUnknown.Error()},
		{"old", Any, "old/x.txt"},
		{"old/x.txt", Any, "old/x.txt"},
		{"none", Any, ErrUnknown.Error()},
	} {
		c, known, err := Find(st, tt.name, tt.as)
		var got []string
		for _, src := range c.Sources {
			got = append(got, src.Path)
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if strings.Join(got, " ") != tt.want || errors.Is(err, ErrUnknown) != slices.Contains(known, "opac") {
			t.Errorf("%q as %q: %q, %q; want %q", tt.name, tt.as, got, known, tt.want)
		}
	}
}

func TestRename(t *testing.T) {
	whole, err := filepath.Abs("new")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		old, as, name string
		want          string // source, its name and its collection, of those that changed
	}{
		{"/w/docs", Any, "/w/papers", "/w/papers/a.txt docs/a.txt papers|/w/papers/box/cur/1.h docs/box/new/1.h:2,S papers"},
		{"docs", Path, "new", "/w/new/a.txt new/a.txt new|/w/new/box/cur/1.h new/box/new/1.h:2,S new"},
		{"/w/docs/box", Any, "/w/docs/mail", "/w/docs/mail/cur/1.h docs/box/new/1.h:2,S docs"},
		{"/a/cat.mrc", Any, "/a/cat2.mrc", "/a/cat2.mrc /a/cat2.mrc opac"},
		{"opac", Any, "catalogue", "/a/cat.mrc /a/cat.mrc catalogue"},
		{"old", Any, "new", whole + "/x.txt new/x.txt new"},
	} {
		st := library(t)
		before := list(t, st)
		c, _, err := Find(st, tt.old, tt.as)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := c.Rename(t.Context(), st, tt.name, night.AddDate(0, 0, 1)); err != nil || n != len(c.Sources) {
			t.Errorf("%s: %d of %d renamed, %v", tt.old, n, len(c.Sources), err)
		}
		after := slices.DeleteFunc(list(t, st), func(s string) bool { return slices.Contains(before, s) })
		if got := strings.Join(after, "|"); got != tt.want {
			t.Errorf("%s to %s:\ngot  %s\nwant %s", tt.old, tt.name, got, tt.want)
		}
		if problems, err := st.Verify(t.Context()); err != nil || len(problems) > 0 {
			t.Errorf("verify: %q, %v", problems, err)
		}
		if l, _, err := st.Find("http://both.example.net/"); err != nil || l.Mentions != 5 {
			t.Errorf("%d mentions, want 5: %v", l.Mentions, err)
		}
	}
}

func list(t *testing.T, st *store.Store) (list []string) {
	t.Helper()
	rows, err := List(t.Context(), st, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Documents != 1 || r.Links != 2 {
			t.Errorf("%+v", r)
		}
		list = append(list, r.Source+" "+r.Name+" "+r.Collection)
	}
	return list
}

func TestForget(t *testing.T) {
	st := library(t)
	c, _, err := Find(st, "docs", Collection)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := c.Sum(t.Context(), st)
	if want := (Forgotten{Documents: 3, Mentions: 6, Links: 3}); err != nil || sum != want {
		t.Errorf("%+v, want %+v: %v", sum, want, err)
	}
	if err := c.Forget(st, night.AddDate(0, 0, 1)); err != nil {
		t.Fatal(err)
	}
	rows, err := List(t.Context(), st, false)
	if err != nil || len(rows) != 2 || rows[0].Source != "/a/cat.mrc" || rows[1].Source != "old" {
		t.Errorf("left: %+v, %v", rows, err)
	}
	for url, want := range map[string]int{"http://h0.example.net/": 0, "http://h4.example.net/": 1, "http://both.example.net/": 2} {
		if l, found, err := st.Find(url); err != nil || !found || l.Mentions != want {
			t.Errorf("%s: %d mentions, want %d: %v", url, l.Mentions, want, err)
		}
	}
}

func TestListSumsUp(t *testing.T) {
	rows, err := List(t.Context(), library(t), false)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Source == "/w/docs" })
	if len(rows) != 4 || i < 0 {
		t.Fatalf("%+v", rows)
	}
	want := Row{Source: "/w/docs", Name: "/w/docs", Collection: "docs", LastRead: night, Documents: 2, Links: 3, Damaged: 1, Damage: "cut short"}
	if rows[i] != want {
		t.Errorf("got  %+v\nwant %+v", rows[i], want)
	}
}

// A remote root is found by its collection and by its URI, is not renamed, and is retired
// alone; what it gave comes back when it is read again.
func TestRemote(t *testing.T) {
	st := library(t)
	in, err := st.BeginIngest(night)
	if err != nil {
		t.Fatal(err)
	}
	root := store.Root{URI: "https://guides.example.net/", Name: "Guides", Mark: []byte("m"), Sweep: in.Reading, Whole: night}
	if err := in.Add(store.Step{Root: &root}); err != nil {
		t.Fatal(err)
	}
	step := store.Step{Found: []store.Source{{Remote: root.Number, Path: "https://guides.example.net/only-found"}}}
	for i := range 3 {
		url := fmt.Sprintf("http://guide%d.example.net/", i)
		name := root.URI + fmt.Sprint(i)
		b := store.Prepare(name, []store.Mention{{Collection: root.Name, Nth: 1, Raw: url, URL: url}}, nil)
		b.Remote = root.Number
		step.Batches, step.Whole = append(step.Batches, b), append(step.Whole, store.Source{Remote: root.Number, Path: name, Mentions: 1})
	}
	if err := in.Add(step); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Finish(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Guides", root.URI, root.URI + "1"} {
		c, _, err := Find(st, name, Any)
		if want := map[string]int{root.URI + "1": 1}[name]; err != nil || len(c.Sources) != max(want, 3-2*want) {
			t.Fatalf("%s: %+v, %v", name, c.Sources, err)
		}
		if _, err := c.Rename(t.Context(), st, "Other", night); !errors.Is(err, ErrRemote) {
			t.Errorf("%s: renamed: %v", name, err)
		}
	}
	before, err := List(t.Context(), st, false)
	if err != nil || len(before) != 5 || before[3].Source != root.URI || before[3].Documents != 3 || before[3].Links != 3 {
		t.Errorf("%+v, %v", before, err)
	}
	if n, err := Retire(st, root, night.Add(24*time.Hour)); n != 3 || err != nil {
		t.Errorf("retired: %d, %v", n, err)
	}
	after, err := List(t.Context(), st, false)
	if err != nil || !slices.Equal(after, slices.Delete(before, 3, 4)) {
		t.Errorf("%+v, %v", after, err)
	}
	roots, err := st.Roots()
	if err != nil || len(roots) != 1 || roots[0].Sweep != 0 || roots[0].Mark != nil || !roots[0].Whole.IsZero() || roots[0].Name != "Guides" {
		t.Errorf("%+v, %v", roots, err)
	}
	if problems, err := st.Verify(t.Context()); len(problems) > 0 || err != nil {
		t.Error(problems, err)
	}
}
