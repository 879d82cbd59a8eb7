package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

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
	harvesttest.Run(t, harvesttest.Case{
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
