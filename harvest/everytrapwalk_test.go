package harvest_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
)

// TestEveryTrap walks for three nights over a site of plain pages with each trap alone, and
// with all of them: fewer than 3,000 requests a night, and every plain page is read.
func TestEveryTrap(t *testing.T) {
	all := slices.Sorted(maps.Keys(traps))
	cases := map[string][]string{"all traps": all, "no trap": {}}
	if !testing.Short() {
		for _, trap := range all {
			cases[trap] = []string{trap}
		}
	}
	for name, on := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := newTrapped(on...)
			s := &harvesttest.Store{Lead: leads}
			for night := range 3 {
				web := harvesttest.NewWeb(site)
				_, notes, err := told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{}))
				if ended, _ := s.Whole(); err != nil || !ended {
					t.Fatalf("%v, whole %v", err, ended)
				}
				missing := map[string][]string{}
				of := map[string]int{}
				standing := s.Standing()
				for page := range site.pages {
					if _, found := slices.BinarySearch(standing, "http://w.example"+page); !found {
						missing[part(page)] = append(missing[part(page)], page)
					}
				}
				for address := range web.Asked {
					of[part(strings.TrimPrefix(address, "http://w.example"))]++
				}
				for of, pages := range missing {
					t.Errorf("night %d: %d pages of %s are not read, such as %s", night, len(pages), of, slices.Min(pages))
				}
				if web.Requests() >= 3000 {
					t.Errorf("night %d: %d requests", night, web.Requests())
				}
				t.Logf("night %d: %d requests, %d documents, %d plain pages; %s", night, web.Requests(), len(standing), len(site.pages), most(of))
				if night == 0 {
					t.Logf("%q", notes)
					if len(on) == len(all) && !slices.ContainsFunc(notes, func(n string) bool { return strings.HasSuffix(n, " more forms or folders") }) {
						t.Error("parts that are held back and not named are not counted")
					}
				}
			}
		})
	}
}

func part(path string) string {
	p, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	p, _, _ = strings.Cut(p, "?")
	return p
}

func most(of map[string]int) (text string) {
	keys := slices.SortedFunc(maps.Keys(of), func(a, b string) int { return cmp.Compare(of[b], of[a]) })
	for _, key := range keys[:min(28, len(keys))] {
		text += fmt.Sprintf(" %s:%d", key, of[key])
	}
	return text
}

// TestLargeSitesAreReadWhole: a folder of 5,000 names that its index lists, a wiki whose pages
// name each other, a tree, a mail archive from message to message, and a catalogue whose
// records are listed by pages, as far as a form goes.
func TestLargeSitesAreReadWhole(t *testing.T) {
	number := func(path string) (n int) {
		fmt.Sscan(strings.Trim(path[strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1:], "/m"), &n)
		return n
	}
	sites := map[string]func(path string, query url.Values) string{
		"a folder": func(path string, _ url.Values) string {
			if path != "/" {
				return path
			}
			return words("folder", 5000, "/papers/%s.html")
		},
		"a wiki": func(path string, _ url.Values) (text string) {
			for i := range 6 {
				text += anchor("/wiki/" + word("wiki", int(sum(path, "", i)%3000)))
			}
			return path + text
		},
		"a tree": func(path string, _ url.Values) string {
			if depth := strings.Count(path, "/"); depth < 6 {
				return path + words(path, 5, path+"%s/")
			}
			return path
		},
		"a mail archive": func(path string, _ url.Values) (text string) {
			n := number(path)
			for _, to := range []int{n - 1, n + 1, n + 10, n + 100, n + 1000} {
				text += anchor(fmt.Sprintf("/lists/m%d", max(0, min(to, 3999))))
			}
			return path + text
		},
		"a catalogue": func(path string, q url.Values) (text string) {
			if path != "/" && path != "/new" {
				return path + q.Encode()
			}
			for i := range 20 {
				text += anchor(fmt.Sprintf("/opac?id=%d", 20*value(q, "page")+i))
			}
			return path + text + anchor(fmt.Sprintf("/new?page=%d", min(value(q, "page")+1, 24)))
		},
	}
	for name, least := range map[string]int{"a folder": 5001, "a wiki": 2900, "a tree": 3906, "a mail archive": 4000, "a catalogue": 500} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, notes, web := read(t, endless(func(r *http.Request) string { return sites[name](r.URL.Path, r.URL.Query()) }), rootOf(t, "http://w.example/"))
			if len(got) < least {
				t.Errorf("%d documents, want %d: %q", len(got), least, notes)
			}
			t.Logf("%d documents, %d requests, %q", len(got), web.Requests(), notes)
		})
	}
}

// TestCataloguesOfText: records that say something new are read beyond the bound of a form,
// whatever the number of lists that name them one after the other, and so are those that come
// on another night. Where they lead to each other alone the bound holds.
func TestCataloguesOfText(t *testing.T) {
	records := 1500
	web := harvesttest.NewWeb(endless(func(r *http.Request) (text string) {
		q := r.URL.Query()
		switch r.URL.Path {
		case "/record":
			return sentence(q.Get("id"))
		case "/search":
			return sentence(q.Get("q")) + words(q.Get("q"), 6, "/search?q=%s")
		}
		page := value(q, "page")
		for id := 20 * page; id < min(20*page+20, records); id++ {
			text += anchor(fmt.Sprintf("/record?id=%d", id))
		}
		return fmt.Sprint(page) + text + anchor(fmt.Sprintf("/new?page=%d", min(page+1, records/20))) + anchor("/search?q=maps")
	}))
	s := &harvesttest.Store{Lead: leads}
	for range 2 {
		_, notes, err := told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{}))
		of := map[string]int{}
		for _, name := range s.Standing() {
			of[part(strings.TrimPrefix(name, "http://w.example"))]++
		}
		if err != nil || of["record"] != records || of["search"] > 500 {
			t.Errorf("of %d records: %v, %q, %v", records, of, notes, err)
		}
		records += 30
	}
}

// sentence is a text that says something new.
func sentence(of string) (text string) {
	for i := range 12 {
		text += word(of, i) + " "
	}
	return text
}

// TestTopicsAmongTraps: the lists of a forum are views of its first pages, and what they name
// is read though 12,500 names wait before it, and so is what people have below their folder beside
// links that are dead, and what redirects lead to; ever new names, one behind the other, are not.
func TestTopicsAmongTraps(t *testing.T) {
	visits := 0
	site := endless(func(r *http.Request) (text string) {
		visits++
		q := r.URL.Query()
		switch part(r.URL.Path) {
		case "":
			for i := range 2400 {
				text += anchor(fmt.Sprintf("/plain/%d.html", i))
			}
			for f := range 10 {
				text += anchor(fmt.Sprintf("/forum?f=%d", f)) + anchor(fmt.Sprintf("/add/%d.html", f))
			}
			for home := range 60 {
				text += anchor(fmt.Sprintf("/people/%d/", home))
			}
			for essay := range 60 {
				text += anchor(fmt.Sprintf("/essay?nr=%d", essay))
			}
		case "people":
			if text = anchor("http://cited.example" + r.URL.Path); strings.HasSuffix(r.URL.Path, "/") {
				text += anchor("cv.html") + anchor("dead/links.html") + anchor("dead/photos.html")
			}
		case "plain":
			for trap := range 25 {
				text += anchor(fmt.Sprintf("/%s?return=%s", word("trap", trap), r.URL.Path))
			}
		case "forum":
			for sort := range 20 {
				text += anchor(fmt.Sprintf("/forum?f=%s&sort=%d&dir=up", q.Get("f"), sort))
			}
			for start := range 5 {
				text += anchor(fmt.Sprintf("/forum?f=%s&start=%d", q.Get("f"), 10*start))
			}
			for t := range 10 {
				text += anchor(fmt.Sprintf("/topic?t=%d", 50*value(q, "f")+value(q, "start")+t))
			}
		case "topic":
			text = sentence(q.Encode())
		case "essays":
			text = sentence(r.URL.Path)
		case "add", "basket":
			text = anchor(fmt.Sprintf("/basket/%d", visits))
		}
		return r.URL.RequestURI() + text
	})
	web := harvesttest.NewWeb(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/dead/") {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if r.URL.Path == "/essay" {
			http.Redirect(w, r, "/essays/"+r.URL.Query().Get("nr"), http.StatusMovedPermanently)
			return
		}
		site.ServeHTTP(w, r)
	}))
	s := &harvesttest.Store{Lead: leads}
	_, notes, err := told(t, s, harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{}))
	of := map[string]int{}
	for _, name := range s.Standing() {
		of[part(strings.TrimPrefix(name, "http://w.example"))]++
	}
	if err != nil || of["topic"] != 500 || of["plain"] != 2400 || of["people"] != 120 || of["essays"] != 60 || of["basket"] > 100 {
		t.Errorf("%s: %q, %v", most(of), notes, err)
	}
}
