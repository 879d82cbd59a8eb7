package harvest

import (
	"fmt"
	"strings"
	"testing"
)

func TestMaze(t *testing.T) {
	for _, c := range []struct {
		path string
		held bool
	}{
		{"/", false}, {"/a/a/b", false}, {"/a/a/a/b", true}, {"/a/b/a/b/c", false}, {"/a/b/a/b/a/b", true}, {"/x/a/b/c/a/b/d/a/b", true},
		{"/a/a/b/a/a", false}, {strings.Repeat("/x/y", 2), false}, {"/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20", false},
		{"/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21", true}, {"/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/", false},
	} {
		if why := maze(c.path, len(c.path)); (why != "") != c.held {
			t.Errorf("%s: %q", c.path, why)
		}
	}
	if maze("/a", maxName) != "" || maze("/a", maxName+1) == "" {
		t.Error("the bound of names is not 2,000 octets")
	}
}

func TestForm(t *testing.T) {
	for _, c := range []struct{ path, query, form string }{
		{"/cal", "?month=3&year=2026", "/cal?month=V&year=V"},
		{"/cal", "?year=1&month=x", "/cal?month=V&year=V"},
		{"/list", "?f[1]=a&f[2]=b&f[3]=c", "/list?f[N]=V"},
		{"/cal/2026/11/", "", "/cal/N/N/"},
		{"/p12a3", "?x", "/pNaN?x"},
		{"/p", "", "/p"},
	} {
		if got := form(c.path, c.query); got != c.form {
			t.Errorf("%s%s is of the form %s, not %s", c.path, c.query, got, c.form)
		}
	}
}

func TestFormsAreBounded(t *testing.T) {
	f := newForms()
	n := 0
	for ; f.full("/cal", fmt.Sprintf("?d=%d", n)) == "" && n < 10*maxOfPaths; n++ {
		f.add("/cal", fmt.Sprintf("?d=%d", n))
	}
	if n != maxOfQueries {
		t.Errorf("%d documents of a form with a query", n)
	}
	for n = 0; f.full(fmt.Sprintf("/%d.html", n), "") == "" && n < 10*maxOfPaths; n++ {
		f.add(fmt.Sprintf("/%d.html", n), "")
	}
	if n != maxOfPaths {
		t.Errorf("%d documents of a form without one", n)
	}
	// A filter of many names makes many forms, which have their path in common.
	for n = 0; f.full("/find", manyNames(n+1)) == "" && n < 10*maxOfPaths; n++ {
		f.add("/find", manyNames(n+1))
	}
	if n != maxOfPath {
		t.Errorf("%d documents of a path with any query", n)
	}
	if f.full("/other.html", "") != "" || f.full("/cal", "?e=1") != "" {
		t.Error("another form is held back")
	}
	for form, dates := range map[string]bool{"/events/N/N/": true, "/day/N-N-N": true, "/item/N/page/N": true, "/papers/N.html": false, "/N/list.html": false, "/": false, "/a-b/c-d/N": false, "/N/N/name/": false} {
		if isOfDates(form) != dates {
			t.Errorf("%s: of dates %v", form, !dates)
		}
	}
}

// manyNames is a query whose names are the bits of n.
func manyNames(n int) string {
	query := "?"
	for i := range 20 {
		if n>>i&1 == 1 {
			query += string(rune('a'+i)) + "=1&"
		}
	}
	return query
}

// FuzzForm: a form of a form is itself but for its values, is no longer than what it is
// made of by more than a letter for each value, and nothing panics.
func FuzzForm(f *testing.F) {
	f.Add("/cal/2026", "?a=1&b=2;c")
	f.Add("/a/a/a", "?=&&;=1")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, path, query string) {
		one := form(path, query)
		if form(path, query) != one {
			t.Errorf("%q %q: two forms", path, query)
		}
		if limit := len(path) + 2*len(query) + 1; len(one) > limit {
			t.Errorf("%q %q: %d octets of a form", path, query, len(one))
		}
		if plain := form(path, ""); form(plain, "") != plain {
			t.Errorf("%q: the form of a form is another", path)
		}
		maze(path, len(path))
	})
}

// TestHeldBack: what a walk would not ask for, and what it would.
func TestHeldBack(t *testing.T) {
	root, err := ParseRoot("http://w.example/a/")
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBounds(root)
	if err != nil {
		t.Fatal(err)
	}
	for n := range maxOfQueries {
		b.Add(Document{Name: fmt.Sprintf("https://w.example/a/view?id=%d", n), Read: true})
	}
	b.Add(Document{Name: "https://w.example/a/page", Read: true})
	for address, held := range map[string]bool{
		"https://w.example/a/view?id=9": false, "http://w.example/a/view?id=9#top": false, "https://w.example/a/view?id=900": true, "http://w.example/a/view?id=901": true,
		"https://w.example/a/view?id=900&x=1": false, "https://w.example/view?id=900": false, "https://v.example/a/view?id=900": false,
		"https://w.example/a/page?sid=1": true, "https://w.example/a/page;jsessionid=AB": true, "http://w.example/a/page": false, "https://w.example/a/other?sid=1": false,
		"https://w.example/a/b/b/b/c": true, "https://w.example/a/b/b/c": false, "https://w.example/a/photo.gif?id=1": false, "mailto:a@w.example": false,
	} {
		if why := b.HeldBack(address); (why != "") != held {
			t.Errorf("%s: %q", address, why)
		}
	}
	if b, err := NewBounds(Root{Kind: OAI}); b != nil || err != nil {
		t.Errorf("a catalogue: %v, %v", b, err)
	}
}
