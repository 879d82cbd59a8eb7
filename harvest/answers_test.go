package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// told is what a run tells of each document, by path: the kind as a letter, and its note.
func told(t *testing.T, s *harvesttest.Store, h harvest.Harvester) (items map[string]string, notes []string, err error) {
	t.Helper()
	items = map[string]string{}
	err = s.Run(t.Context(), spy{h, func(i harvest.Item) {
		if i.Doc.Name != "" && i.Kind != harvest.Found && i.Kind != harvest.Heard {
			_, path, _ := strings.Cut(strings.TrimPrefix(i.Doc.Name, "http://"), "/")
			items["/"+path] += string("-RSGMFEL"[i.Kind]) // in the order of the kinds
			if i.Note != "" {
				items["/"+path] += " " + i.Note
			}
		} else if i.Note != "" {
			notes = append(notes, i.Note)
		}
	}}, 0, false)
	for _, w := range s.Wrong {
		t.Error(w)
	}
	return items, notes, err
}

// spy shows the items of a harvest.
type spy struct {
	harvest.Harvester
	see func(harvest.Item)
}

func (s spy) Harvest(ctx context.Context, k harvest.Known) iter.Seq2[harvest.Item, error] {
	return func(yield func(harvest.Item, error) bool) {
		for i, err := range s.Harvester.Harvest(ctx, k) {
			if err == nil {
				s.see(i)
			}
			if !yield(i, err) {
				return
			}
		}
	}
}

// nights reads a site again and again: change is done before each night.
func nights(t *testing.T, site pages, root harvest.Root, change ...func()) (items map[string]string, notes []string, err error) {
	t.Helper()
	s := &harvesttest.Store{Lead: leads}
	for _, c := range append([]func(){func() {}}, change...) {
		c()
		items, notes, err = told(t, s, harvest.NewWalk(root, harvesttest.NewWeb(site), harvest.Options{}))
	}
	return items, notes, err
}

// TestAnswers holds the table of what is heard of a document that was read.
func TestAnswers(t *testing.T) {
	for _, c := range []struct{ answer, want string }{
		{"410", "G"}, {"404", "M"}, {"401", "F http-401: Unauthorized"}, {"403", "F http-403: Forbidden"}, {"451", "F http-451: Unavailable For Legal Reasons"},
		{"500", "F http-500: Internal Server Error"}, {"503", "F http-503: Service Unavailable"}, {"429", "F http-429: Too Many Requests"},
		{"->/b", "G it is http://w.example/b"},
		{"->http://other.example/b", "F moved to http://other.example/b"},
		{"->/elsewhere/", "F moved to http://w.example/elsewhere/"},
		{"->/d/a", "F redirect-too-many"},
		{"<title>A</title>", "S"}, {"<title>Another</title>", "R"}, {"", "R"},
	} {
		site := pages{"/d/": `<a href="a">a</a><a href="/d/b">b</a>`, "/d/a": "<title>A</title>", "/d/b": "<title>B</title>", "/elsewhere/": "x"}
		answer := strings.Replace(c.answer, "->/b", "->/d/b", 1)
		items, _, err := nights(t, site, rootOf(t, "http://w.example/d/"), func() { site["/d/a"] = answer })
		want := strings.Replace(c.want, "w.example/b", "w.example/d/b", 1)
		if items["/d/a"] != want || err != nil {
			t.Errorf("%q: %q and %v, want %q", c.answer, items["/d/a"], err, want)
		}
		if items["/d/"] != "S" {
			t.Errorf("%q: the root: %q", c.answer, items["/d/"])
		}
	}
}

// TestRedirectsToKnown: a document to which others lead by redirects is asked for once.
func TestRedirectsToKnown(t *testing.T) {
	site := pages{"/": `<a href="a">a</a><a href="b">b</a><a href="c">c</a><a href="d">d</a>`,
		"/a": "<title>A</title>", "/b": "<title>B</title>", "/c": "<title>C</title>", "/d": "500"}
	s := &harvesttest.Store{Lead: leads}
	for _, night := range []struct {
		change func()
		want   map[string]string
		asked  int // of /a
	}{
		{func() {}, map[string]string{"/a": "R", "/b": "R"}, 1},
		{func() { site["/b"], site["/c"] = "->/a", "->/b" }, map[string]string{"/a": "S", "/b": "G it is http://w.example/a", "/c": "G it is http://w.example/a"}, 1},
		{func() { site["/b"] = "->/d" }, map[string]string{"/a": "S", "/b": "F http-500: Internal Server Error"}, 1},
	} {
		night.change()
		web := harvesttest.NewWeb(site)
		items, _, err := told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{}))
		for name, want := range night.want {
			if items[name] != want || err != nil {
				t.Errorf("%s: %q and %v, want %q", name, items[name], err, want)
			}
		}
		if n := web.Asked["http://w.example/a"]; n != night.asked {
			t.Errorf("/a is asked for %d times, want %d", n, night.asked)
		}
	}
}

// TestRootAnswers: what the root answers is said of all of it.
func TestRootAnswers(t *testing.T) {
	for answer, why := range map[string]harvest.Reason{
		"404": harvest.Vanished, "410": harvest.Vanished, "403": harvest.Refused, "401": harvest.Refused, "503": harvest.Outage,
		"->http://other.example/": harvest.Moved, "->/elsewhere/": harvest.Moved, "->/d/": harvest.NotThis,
	} {
		site := pages{"/d/": `<a href="a">a</a>`, "/d/a": "<title>A</title>", "/elsewhere/": "x"}
		items, _, err := nights(t, site, rootOf(t, "http://w.example/d/"), func() { site["/d/"] = answer })
		if stop, ok := errors.AsType[*harvest.Stop](err); !ok || stop.Why != why {
			t.Errorf("%s: %v, want %s", answer, err, why)
		}
		if len(items) != 0 {
			t.Errorf("%s: %q is told", answer, items)
		}
	}
	for status, why := range map[string]harvest.Reason{"500": harvest.Outage, "503": harvest.Outage, "404": 0, "403": 0} {
		web := harvesttest.NewWeb(pages{"/robots.txt": status, "/": "x"})
		err := (&harvesttest.Store{}).Run(t.Context(), harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{}), 0, false)
		stop, _ := errors.AsType[*harvest.Stop](err)
		if why == 0 && err != nil || why != 0 && (stop == nil || stop.Why != why || web.Requests() != 1) {
			t.Errorf("robots.txt %s: %v, %d requests", status, err, web.Requests())
		}
	}
	site := pages{"/robots.txt": "User-agent: *\nDisallow: /", "/": "x"}
	if _, _, err := nights(t, site, rootOf(t, "http://w.example/")); err == nil || !strings.Contains(err.Error(), "robots.txt disallows") {
		t.Errorf("robots.txt forbids the root: %v", err)
	}
}

// TestOutage: five failures in a row end the reading, and none of them was asked for; half
// of the last twenty end it too. What stands stays.
func TestOutage(t *testing.T) {
	site := pages{}
	var links strings.Builder
	for i := range 40 {
		path := fmt.Sprintf("/p%d", i)
		fmt.Fprintf(&links, "<a href=%s>", path)
		site[path] = "<title>page</title>" + path
	}
	site["/"] = links.String()
	whole := maps.Clone(site)
	for name, down := range map[string]func(i int) bool{"all": func(i int) bool { return i >= 10 }, "every other": func(i int) bool { return i%2 == 0 }} {
		items, _, err := nights(t, site, rootOf(t, "http://w.example/"), func() {
			for i := range 40 {
				if down(i) {
					site[fmt.Sprintf("/p%d", i)] = "503"
				}
			}
		})
		if stop, ok := errors.AsType[*harvest.Stop](err); !ok || stop.Why != harvest.Outage {
			t.Errorf("%s: %v", name, err)
		}
		var kinds string
		for _, k := range items {
			kinds += k[:1]
		}
		if failed := strings.Count(kinds, "F"); name == "all" && failed != 0 || strings.ContainsAny(kinds, "GM") {
			t.Errorf("%s: %q", name, kinds)
		}
		maps.Copy(site, whole)
	}
}

// TestEndlessPages: pages that came whole and now are longer than what is read of one are an
// outage if there are many of them; those that never came whole are not.
func TestEndlessPages(t *testing.T) {
	site := pages{}
	var links strings.Builder
	for i := range 8 {
		fmt.Fprintf(&links, "<a href=/p%d>", i)
		site[fmt.Sprintf("/p%d", i)] = fmt.Sprintf("<title>page %d</title>", i)
	}
	site["/"] = links.String()
	web := harvesttest.NewWeb(site)
	endless := check.ReadFunc(func(ctx context.Context, to check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
		w.Version = ""
		return web.Read(ctx, to, w, func(a *check.Answer) error {
			a.Cut = strings.Contains(to.URI.String(), "/p")
			return take(a)
		})
	})
	for _, before := range []check.Reader{web, endless} {
		s := &harvesttest.Store{Lead: leads}
		if _, _, err := told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), before, harvest.Options{})); err != nil {
			t.Fatal(err)
		}
		items, _, err := told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), endless, harvest.Options{}))
		stop, stopped := errors.AsType[*harvest.Stop](err)
		if stopped != (before == check.Reader(web)) || stopped && stop.Why != harvest.Outage {
			t.Errorf("%v, %v", err, items)
		}
	}
}

// TestOnePage: a server that gives one page for every address has not changed all of them.
// Pages that each have another text than before have, and so has a lone one.
func TestOnePage(t *testing.T) {
	fresh := func() (pages, int) {
		site, links := pages{}, ""
		for i := range 12 {
			path := fmt.Sprintf("/p%d", i)
			links += "<a href=" + path + ">"
			site[path] = "<title>page</title>" + path
		}
		site["/"] = links
		return site, len(site)
	}
	const one = "<title>Please stand by</title><p>This page is the same wherever it stands.</p>"
	for name, tt := range map[string]struct {
		change func(pages)
		outage bool
		read   int // pages that were
	}{
		"every address": {func(p pages) {
			for path := range p {
				p[path] = one
			}
		}, true, 0},
		"each another": {func(p pages) {
			for path := range p {
				p[path] += " and more of " + path
			}
		}, false, 13},
		"the root alone": {func(p pages) { p["/"] += "<p>news</p>" }, false, 1},
		"one alone":      {func(p pages) { p["/p3"] = one }, false, 1},
		"two alike, far from each other": {func(p pages) {
			p["/p1"], p["/p4"], p["/p8"] = one, "<title>another</title> text than all the others here", one
		}, false, 3},
	} {
		site, all := fresh()
		items, _, err := nights(t, site, rootOf(t, "http://w.example/"), func() { tt.change(site) })
		if stop, ok := errors.AsType[*harvest.Stop](err); tt.outage != (ok && stop.Why == harvest.Outage) || !tt.outage && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		read, same := 0, 0
		for path, k := range items {
			switch k[0] {
			case 'R':
				read++
			case 'S':
				same++
			default:
				t.Errorf("%s: %s is %s", name, path, k)
			}
		}
		if read != tt.read || !tt.outage && read+same != all {
			t.Errorf("%s: %d read and %d the same of %d, want %d: %q", name, read, same, all, tt.read, items)
		}
	}
	// A site of fewer pages than make an outage.
	few := pages{"/": "<a href=/a>a</a>", "/a": "page a"}
	if items, _, err := nights(t, few, rootOf(t, "http://w.example/"), func() { few["/"], few["/a"] = one, one }); err != nil || items["/"][0] != 'F' || items["/a"][0] != 'F' {
		t.Errorf("%q, %v", items, err)
	}
	// A site of one page that changes.
	site := pages{"/": "one text"}
	if items, _, err := nights(t, site, rootOf(t, "http://w.example/"), func() { site["/"] = "and another text" }); err != nil || items["/"] != "R" {
		t.Errorf("%q, %v", items, err)
	}
}

// TestResting: a server that asks to be left alone is, or its Reader waits for it a little.
func TestResting(t *testing.T) {
	for wait, rests := range map[string]bool{"3600": true, "30": false} {
		asked := 0
		site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/a" {
				if asked++; asked == 1 {
					w.Header().Set("Retry-After", wait)
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
			}
			fmt.Fprint(w, `<a href="/a">`)
		})
		s := &harvesttest.Store{Lead: leads}
		now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		waits := check.ReadFunc(func(ctx context.Context, target check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
			res, err := harvesttest.NewWeb(site).Read(ctx, target, w, take)
			if res.RetryAfter > 0 && res.RetryAfter < time.Minute {
				res, err = harvesttest.NewWeb(site).Read(ctx, target, w, take)
			}
			return res, err
		})
		err := s.Run(t.Context(), harvest.NewWalk(rootOf(t, "http://w.example/"), waits, harvest.Options{Now: func() time.Time { return now }}), 0, false)
		stop, stopped := errors.AsType[*harvest.Stop](err)
		switch {
		case stopped != rests:
			t.Errorf("Retry-After: %s: %v", wait, err)
		case rests && (stop.Why != harvest.Resting || !stop.Until.Equal(now.Add(time.Hour))):
			t.Errorf("it rests: %v until %v", stop, stop.Until)
		case !rests && (asked != 2 || len(s.Standing()) != 2):
			t.Errorf("Retry-After: %s: asked %d times", wait, asked)
		}
	}
}

// TestLeft: what the operator's settings leave out is told, and costs no request.
func TestLeft(t *testing.T) {
	site := pages{"/": `<a href="/a"><a href="/b">`, "/a": `<a href="/c">`, "/b": "b", "/c": "c"}
	root := rootOf(t, "http://w.example/")
	s := &harvesttest.Store{Lead: leads}
	for range 2 {
		if _, _, err := told(t, s, harvest.NewWalk(root, harvesttest.NewWeb(site), harvest.Options{})); err != nil {
			t.Fatal(err)
		}
	}
	root.Depth = 1
	root.NoFollow = regexpOf("/b$")
	web := harvesttest.NewWeb(site)
	items, _, err := told(t, s, harvest.NewWalk(root, web, harvest.Options{}))
	if want := map[string]string{"/": "S", "/a": "S", "/b": "L", "/c": "L"}; !maps.Equal(items, want) || err != nil {
		t.Errorf("%q, %v", items, err)
	}
	if web.Asked["http://w.example/b"] != 0 || !slices.Equal(s.Standing(), []string{"http://w.example/", "http://w.example/a"}) {
		t.Errorf("asked %v, standing %q", web.Asked, s.Standing())
	}
}

// TestGoneComesBack: what is gone is asked for again while a standing document links to it,
// also where that one is the same.
func TestGoneComesBack(t *testing.T) {
	site := pages{"/": `<a href="/a"><a href="/b">`, "/a": `a`, "/b": `b`}
	back := func(linked bool) (map[string]string, map[string]int) {
		s := &harvesttest.Store{Lead: leads}
		var items map[string]string
		var web *harvesttest.Web
		for _, change := range []func(){func() {}, func() { site["/a"] = "410" }, func() {
			if !linked {
				site["/"] = `<a href="/b"> alone`
			}
		}, func() { site["/a"] = "back" }} {
			change()
			web = harvesttest.NewWeb(site)
			items, _, _ = told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{}))
		}
		return items, web.Asked
	}
	if items, _ := back(true); items["/a"] != "R" || items["/"] != "S" {
		t.Errorf("linked to: %q", items)
	}
	site["/"], site["/a"] = `<a href="/a"><a href="/b">`, "a"
	if items, asked := back(false); items["/a"] != "" || asked["http://w.example/a"] != 0 {
		t.Errorf("not linked to: %q", items)
	}
}
