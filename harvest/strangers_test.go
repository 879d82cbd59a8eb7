package harvest_test

import (
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

// stranger is a site as somebody makes it who has never seen this package: its true pages, which
// a careful reader finds, and what else it answers.
type stranger struct {
	pages  map[string]string                  // by path and query: what stands between head and foot
	nav    []string                           // links at the head of each page
	foot   func(at string, visit int) string  // what each page ends with
	others func(u *url.URL, visit int) string // pages that are no true ones; "": there is none
	mirror string                             // a folder that shows the whole site once more, and again below itself
	robots string
	visits int
}

func newStranger(nav ...string) *stranger {
	return &stranger{pages: map[string]string{}, nav: nav}
}

// add makes a true page, with a text of its own and links.
func (s *stranger) add(at string, sentences int, links ...string) {
	s.pages[at] += prose(at, sentences)
	s.link(at, links...)
}

func (s *stranger) link(at string, links ...string) {
	for _, to := range links {
		s.pages[at] += "<li>" + anchored(to) + "</li>\n"
	}
}

func anchored(to string) string {
	return fmt.Sprintf("<a href=\"%s\">%s</a>", strings.ReplaceAll(to, "&", "&amp;"), word(to, 3))
}

func anchors(links ...string) (text string) {
	for _, to := range links {
		text += "<li>" + anchored(to) + "</li>\n"
	}
	return text
}

func (s *stranger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		fmt.Fprint(w, s.robots)
		return
	}
	s.visits++
	at := r.URL.RequestURI()
	prefix := ""
	for s.mirror != "" && strings.HasPrefix(at, s.mirror) {
		at, prefix = at[len(s.mirror)-1:], prefix+strings.TrimSuffix(s.mirror, "/")
	}
	text, ok := s.pages[at]
	if !ok && s.others != nil {
		u, _ := url.Parse(at)
		text = s.others(u, s.visits)
		ok = text != ""
	}
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<html><title>Not found</title><p>There is no such page here, we are sorry to say so.")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	text = fmt.Sprintf("<html><head><title>%s</title></head><body><ul>%s</ul><h1>%s</h1>\n%s", word(at, 1), anchors(s.nav...), word(at, 2), text)
	if s.foot != nil {
		text += s.foot(at, s.visits)
	}
	text += "<p>This site is kept by a few volunteers of the society, who are glad of any word.</p></body></html>"
	if prefix != "" {
		text = strings.ReplaceAll(text, `href="/`, `href="`+prefix+"/")
	}
	fmt.Fprint(w, text)
}

var vocabulary = strings.Fields(`the of a in and to was by for with on from at as that which were had who his her their
old great small northern southern eastern western early late first last second third wooden stone iron silver copper woven
painted carved printed bound lost found given bought sold kept shown drawn written read made built burnt moved
church mill river bridge market harbour abbey school library garden tower gate road field wood hill valley island shore farm
bishop miller widow captain clerk teacher farmer printer painter weaver carpenter merchant sailor surgeon judge mayor keeper
letter map ledger psalter chart seal coin bell clock lamp spoon jug plate chest loom plough anchor net sail rope barrel
spring summer autumn winter morning evening year month week century harvest flood fire plague war peace feast fair wedding
between before after during under over beside without against among near behind because although while until since
parish county village town family children people soldiers monks visitors members account number part piece half pair`)

// prose is a text of its own for each name.
func prose(of string, sentences int) string {
	var b strings.Builder
	x := sum(of, "prose", 0) | 1
	for i := range sentences {
		if i%3 == 0 {
			b.WriteString("<p>")
		}
		for j := range 9 + int(x>>7%7) {
			x = x*6364136223846793005 + 1442695040888963407
			w := vocabulary[x>>33%uint64(len(vocabulary))]
			if j == 0 {
				w = strings.ToUpper(w[:1]) + w[1:]
			}
			b.WriteString(w + " ")
		}
		b.WriteString(".\n")
	}
	return b.String() + "</p>\n"
}

// Traps that sites have in common.

// monthsOf is a calendar of months and days in a query, empty but for what it says itself.
func monthsOf(path string, q url.Values) string {
	var y, m int
	if day := q.Get("day"); day != "" {
		return "<p>There are no events on this day, please come back later.</p>" + anchors(path+"?month="+day[:min(7, len(day))])
	}
	if n, _ := fmt.Sscanf(q.Get("month"), "%d-%d", &y, &m); n < 2 || m < 1 || m > 12 {
		return ""
	}
	text := "<p>Events of the month, of which there are none at the moment.</p>" + anchors(fmt.Sprintf("%s?month=%d-%02d", path, y+m/12, m%12+1), fmt.Sprintf("%s?month=%d-%02d", path, y-(12-m)/11, (m+10)%12+1))
	for d := range 28 {
		text += anchors(fmt.Sprintf("%s?day=%d-%02d-%02d", path, y, m, d+1))
	}
	return text
}

// babble is a page of a honeypot: words without sense, and names that nobody has asked for.
func babble(path string, folder string, links int) string {
	text := prose(path, 5)
	for i := range links {
		text += anchors(folder + word(path, 20+i) + ".html")
	}
	return text
}

// refine are the pages of a search with filters: what is found, and each filter that is not set.
func refine(path string, q url.Values, facets map[string]int, found []string) string {
	text := fmt.Sprintf("<p>%d results</p>", len(found)) + anchors(found...)
	for _, name := range slices.Sorted(maps.Keys(facets)) {
		for i := range facets[name] {
			more := maps.Clone(q)
			more.Del("page")
			if more.Set(name, word(name, i)); !q.Has(name) {
				text += anchors(path + "?" + more.Encode())
			}
		}
	}
	for _, sort := range []string{"title", "year"} {
		more := maps.Clone(q)
		more.Set("sort", sort)
		text += anchors(path + "?" + more.Encode())
	}
	return text
}

// figures of a night: true pages that are missing, and requests.
type figures struct{ missing, requests int }

// visit reads a site for some nights.
func visit(t *testing.T, s *stranger, nights int) (of []figures) {
	t.Helper()
	store := &harvesttest.Store{Lead: leads}
	for night := range nights {
		web := harvesttest.NewWeb(s)
		_, notes, err := told(t, store, harvest.NewWalk(rootOf(t, "http://w.example/"), web, harvest.Options{}))
		if ended, _ := store.Whole(); err != nil || !ended {
			t.Fatalf("%v, whole %v", err, ended)
		}
		lost := map[string]int{}
		example := map[string]string{}
		standing := store.Standing()
		asked, all := map[string]int{}, 0
		for page := range s.pages {
			if _, found := slices.BinarySearch(standing, "http://w.example"+page); !found {
				lost[part(page)]++
				example[part(page)] = page
				all++
			}
		}
		for address := range web.Asked {
			if _, is := s.pages[strings.TrimPrefix(address, "http://w.example")]; !is {
				asked[part(strings.TrimPrefix(address, "http://w.example"))]++
			}
		}
		of = append(of, figures{all, web.Requests()})
		t.Logf("night %d: %d of %d missing %v %v; %d requests, no true pages: %s", night+1, all, len(s.pages), lost, example, web.Requests(), most(asked))
		if night == 0 {
			t.Logf("%q", notes)
		}
	}
	return of
}

// TestStrangers: sites of many kinds with the traps that such sites have.
func TestStrangers(t *testing.T) {
	for _, c := range strangers {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := c.site()
			if c.pages > 0 && len(s.pages) != c.pages {
				t.Fatalf("%d true pages, want %d", len(s.pages), c.pages)
			}
			most := max(3000, len(s.pages)*51/50)
			if c.plain {
				most = len(s.pages) * 51 / 50
			}
			for night, of := range visit(t, s, 3) {
				if of.missing > 0 || of.requests > most {
					t.Errorf("night %d: %d of %d true pages missing, %d requests", night+1, of.missing, len(s.pages), of.requests)
				}
			}
		})
	}
}
