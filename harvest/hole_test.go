package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
	"linkcheck/uri"
)

// menus is a gopher server in memory: answers by selector. Lines of a menu are those of
// RFC 1436, with blanks around "|" in place of tabs; "{at}" is the server.
type menus struct {
	items map[string]string
	asked []string
}

const holeAt = "gopher://hole.example/"

func (m *menus) Read(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	g := t.URI.(*uri.Gopher)
	m.asked = append(m.asked, string(g.Type)+g.Selector)
	text, ok := m.items[g.Selector]
	switch {
	case !ok:
		return check.New(check.Gone, check.ReasonGopherErrorItem, "3 not here"), nil
	case text == "busy":
		return check.New(check.Temporary, check.ReasonGopherBusy, ""), nil
	}
	a := &check.Answer{URI: t.URI, Media: "text/plain", Body: strings.NewReader(text)}
	if whole, cut := strings.CutSuffix(text, "~"); cut { // as it may be
		a.Body = strings.NewReader(whole)
		if text = whole; w.Short != "d" { // it is not believed
			a.Short, a.Body = "d", io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("it seems to be cut")))
		}
	}
	if g.Type == '1' {
		a.Media = "application/gopher-menu"
		a.Entries = func(yield func(check.Entry, error) bool) {
			for line := range strings.Lines(text) {
				f := strings.Split(strings.TrimSpace(line), "|")
				if len(f) < 3 || f[0] == "" || f[0][0] == 'i' {
					continue
				}
				host := strings.Replace(f[2], "{at}", "hole.example", 1)
				if !yield(check.Entry{Name: "gopher://" + host + "/" + f[0][:1] + strings.ReplaceAll(f[1], " ", "%20"), Folder: f[0][0] == '1'}, nil) {
					return
				}
			}
		}
	}
	return check.New(check.OK, check.ReasonGopherItem, ""), take(a)
}

func hole() *menus {
	return &menus{items: map[string]string{
		"robots.txt":      "User-agent: *\nDisallow: /private\nDisallow: 0/hidden\n",
		"":                "iWelcome||fake\n1Papers|/papers|{at}\n0About|/about|{at}\n1Itself||{at}\n7Search|/search|{at}\n1Elsewhere|/|other.example\n0Private|/private/a|{at}\n0Hidden|0/hidden/a|{at}\nIPicture|/seal.gif|{at}\nhWeb|URL:http://wells.example/|{at}\n8Telnet|/t|{at}\n",
		"/papers":         "0One|/papers/1|{at}\n0Two|/papers/2|{at}\n1Up||{at}\n1More|1/papers/more|{at}\n0Lost|/papers/lost|{at}\n",
		"1/papers/more":   "0Three|0/papers/more/3|{at}\n1Loop|1/papers/more|{at}\n",
		"0/papers/more/3": "three", "/papers/1": "one", "/papers/2": "two", "/about": "about", "/private/a": "private", "0/hidden/a": "hidden", "/search": "x", "/seal.gif": "x", "/t": "x",
	}}
}

func TestHoleSuite(t *testing.T) {
	Run(t, Case{
		Open: walkOf(rootOf(t, holeAt)),
		World: func() check.Reader { // without what only robots.txt keeps back
			m := hole()
			delete(m.items, "/private/a")
			delete(m.items, "0/hidden/a")
			return m
		},
		Again: 3, // robots.txt and the document at hand
	})
}

// TestHole: what is read of a gopher server, as a whole and below a selector.
func TestHole(t *testing.T) {
	for address, want := range map[string]string{
		holeAt:              "1 0/about 1/papers 0/papers/1 0/papers/2 00/papers/more/3 11/papers/more",
		holeAt + "1/papers": "1/papers 0/papers/1 0/papers/2 00/papers/more/3 11/papers/more",
	} {
		m, s := hole(), &harvesttest.Store{}
		items, _, err := told(t, s, harvest.NewWalk(rootOf(t, address), m, harvest.Options{}))
		if err != nil {
			t.Error(err)
		}
		var got []string
		for _, name := range s.Standing() {
			got = append(got, strings.TrimPrefix(name, holeAt))
		}
		wanted := strings.Fields(want)
		slices.Sort(wanted)
		if slices.Sort(got); !slices.Equal(got, wanted) {
			t.Errorf("%s: %q, want %q", address, got, wanted)
		}
		slices.Sort(m.asked)
		if len(slices.Compact(slices.Clone(m.asked))) != len(m.asked) {
			t.Errorf("%s: asked twice: %q", address, m.asked)
		}
		for _, never := range []string{"7/search", "8/t", "0/private/a", "00/hidden/a", "I/seal.gif"} {
			if slices.Contains(m.asked, never) {
				t.Errorf("%s: %s is asked for", address, never)
			}
		}
		if address == holeAt && (!strings.HasPrefix(items["//hole.example/0/private/a"], "F robots") || items["//hole.example/0/papers/lost"] != "M") {
			t.Errorf("%q", items)
		}
	}
}

// TestHoleStops: a server that does not answer for robots.txt or for the root.
func TestHoleStops(t *testing.T) {
	for selector, c := range map[string]struct {
		answer string
		why    harvest.Reason
	}{"robots.txt": {"busy", harvest.Outage}, "": {"busy", harvest.Outage}} {
		m := hole()
		m.items[selector] = c.answer
		err := (&harvesttest.Store{}).Run(t.Context(), harvest.NewWalk(rootOf(t, holeAt), m, harvest.Options{}), 0, false)
		if stop, ok := errors.AsType[*harvest.Stop](err); !ok || stop.Why != c.why {
			t.Errorf("%q: %v", selector, err)
		}
	}
	m := hole()
	delete(m.items, "")
	err := (&harvesttest.Store{}).Run(t.Context(), harvest.NewWalk(rootOf(t, holeAt), m, harvest.Options{}), 0, false)
	if fmt.Sprint(err) != "not found: gopher-error-item: 3 not here" {
		t.Error(err)
	}
}

// TestHoleOneMenu: a server that gives its root menu for every selector has not changed its
// documents, be it for all of them or for some. A copy of the root goes with it.
func TestHoleOneMenu(t *testing.T) {
	for name, c := range map[string]struct {
		change func(m *menus)
		outage bool
		told   map[string]string
	}{
		"all": {func(m *menus) {
			for s := range m.items {
				m.items[s] = m.items[""]
			}
		}, true, nil},
		"two of them": {func(m *menus) { m.items["/papers/1"], m.items["/about"] = m.items[""], m.items[""] }, false,
			map[string]string{"0/papers/1": "F soft-404: the page that stands at other addresses too", "0/about": "F soft-404: the page that stands at other addresses too", "0/papers/2": "R", "1": "R"}},
		"a new item in the root and in its copy": {func(m *menus) {
			m.items[""] += "0New|/new|{at}\n"
			m.items["/copy"], m.items["/new"] = m.items[""], "new"
		}, false,
			map[string]string{"1": "R", "1/copy": "R", "0/new": "R", "0/about": "R"}},
		"three copies of another menu": {func(m *menus) {
			for _, s := range []string{"/c1", "/c2", "/c3"} {
				m.items[s] = "0New|/new|{at}\n"
			}
			m.items["/new"] = "new"
		}, false, map[string]string{"1/c1": "R", "1/c2": "R", "1/c3": "R", "0/new": "R", "0/about": "R"}},
	} {
		m, s := hole(), &harvesttest.Store{Lead: leads}
		delete(m.items, "robots.txt")
		m.items[""] += "1Copy|/copy|{at}\n1One|/c1|{at}\n1Two|/c2|{at}\n1Three|/c3|{at}\n"
		m.items["/copy"] = m.items[""]
		for _, s := range []string{"/c1", "/c2", "/c3"} {
			m.items[s] = "iNothing||fake\n"
		}
		if _, _, err := told(t, s, harvest.NewWalk(rootOf(t, holeAt), m, harvest.Options{})); err != nil {
			t.Fatal(err)
		}
		stood := s.Standing()
		c.change(m)
		items, _, err := told(t, s, harvest.NewWalk(rootOf(t, holeAt), m, harvest.Options{}))
		if stop, ok := errors.AsType[*harvest.Stop](err); c.outage != (ok && stop.Why == harvest.Outage) || !c.outage && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		short := map[string]string{}
		for item, kind := range items {
			short[strings.TrimPrefix(strings.TrimPrefix(item, "//hole.example"), "/")] = kind
		}
		for item, want := range c.told {
			if got := short[item]; got != want {
				t.Errorf("%s: %s is %q, want %q", name, item, got, want)
			}
		}
		for item, kind := range short {
			if c.outage && kind[0] == 'R' && item != "1" && item != "1/copy" {
				t.Errorf("%s: %q", name, items)
			}
		}
		if now := s.Standing(); len(now) < len(stood) {
			t.Errorf("%s: %q of %q", name, now, stood)
		}
	}
}

// TestHoleShort: what seems to be cut is asked for again and taken for whole when it came in
// the same way for a week; so it is no outage where all do.
func TestHoleShort(t *testing.T) {
	m, s := hole(), &harvesttest.Store{Lead: leads}
	whole := maps.Clone(m.items)
	var night harvesttest.Nights
	for ; night < 12; night++ {
		if m.items = maps.Clone(whole); night > 1 {
			for _, selector := range []string{"", "/papers", "/papers/1", "/papers/2", "/about", "0/papers/more/3"} {
				m.items[selector] = whole[selector][:len(whole[selector])-1] + "~"
			}
		}
		items, _, err := told(t, s, harvest.NewWalk(rootOf(t, holeAt), m, harvest.Options{Now: night.Now}))
		report := s.Report()
		if err != nil || items["//hole.example/0/about"] != "R" {
			t.Errorf("night %d: %q, %v", night, items, err)
		}
		if kept, believed := strings.Contains(report, `"about"`), strings.Contains(report, `"abou"`); kept == believed || kept != (night < 9) {
			t.Errorf("night %d: kept %v, believed %v: %s", night, kept, believed, report)
		}
	}
}

// TestHoleTorn: documents that break off are an outage if there are many of them.
func TestHoleTorn(t *testing.T) {
	m, s := hole(), &harvesttest.Store{Lead: leads}
	for i := range 8 {
		m.items[""] += fmt.Sprintf("0Page|/p%d|{at}\n", i)
		m.items[fmt.Sprintf("/p%d", i)] = fmt.Sprintf("page %d", i)
	}
	breaking := check.ReadFunc(func(ctx context.Context, to check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
		return m.Read(ctx, to, w, func(a *check.Answer) error {
			if a.Media == "text/plain" && to.URI.(*uri.Gopher).Selector != "robots.txt" {
				a.Body = io.MultiReader(io.LimitReader(a.Body, 3), iotest.ErrReader(errors.New("reset")))
			}
			return take(a)
		})
	})
	if _, _, err := told(t, s, harvest.NewWalk(rootOf(t, holeAt), m, harvest.Options{})); err != nil {
		t.Fatal(err)
	}
	before := s.Report()
	_, _, err := told(t, s, harvest.NewWalk(rootOf(t, holeAt), breaking, harvest.Options{}))
	if stop, ok := errors.AsType[*harvest.Stop](err); !ok || stop.Why != harvest.Outage || stop.Text != "reset" {
		t.Errorf("%v", err)
	}
	if s.Report() != before {
		t.Errorf("%s\nwas\n%s", s.Report(), before)
	}
}
