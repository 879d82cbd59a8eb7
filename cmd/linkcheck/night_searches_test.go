package main

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
	"linkcheck/internal/testdoc"
)

// searched is a server of searches as the nights of an archive want it: whatever fails, its
// records are there.
type searched struct {
	root   string
	sound  func()            // it is as it should be
	fail   map[string]func() // how it fails
	remove func()            // the first two records go
	asked  func() []string   // searches and portions since it was looked at last
	down   *atomic.Bool      // it closes each connection
}

const searchedRecords = 24

func searchedSRU(l *library) searched {
	sru := &lab.SRU{Schemas: []string{"marcxml"}, Most: 12}
	for i := range searchedRecords {
		sru.Records = append(sru.Records, lab.CatalogueRecord{Metadata: map[string]string{"marcxml": fmt.Sprintf(
			`<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">b%d</controlfield>`+
				`<datafield tag="856" ind1="4" ind2="0"><subfield code="u">http://www.mill-library.org/%d</subfield></datafield></record>`, i, i)}})
	}
	down := &atomic.Bool{}
	l.serve(func(at net.Listener) error { return lab.HTTP(refusing{at, down}, sru) }, "search.mill-library.org:80")
	second := func(h http.HandlerFunc) func() {
		return func() {
			sru.Before = func(r *http.Request) http.Handler {
				if r.URL.Query().Get("startRecord") != "13" {
					return nil
				}
				return h
			}
		}
	}
	const surrogate = `<diagnostic xmlns="http://www.loc.gov/zing/srw/diagnostic/"><uri>info:srw/diagnostic/1/64</uri><message>Record temporarily unavailable</message></diagnostic>`
	whole := slices.Clone(sru.Records)
	return searched{root: "sru+http://search.mill-library.org/db?query=local.856%3D1", down: down,
		sound: func() { sru.Change(func() { sru.Before, sru.Says, sru.Records = nil, nil, slices.Clone(whole) }) },
		fail: map[string]func(){
			"500 in the middle":                   second(lab.Status(500)),
			"503 in the middle":                   second(lab.Status(503)),
			"reset in the middle":                 second(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
			"a page in the middle":                second(lab.Text("text/html", "<title>Out of order</title>")),
			"no records of a count in the middle": second(lab.Text("text/xml", `<searchRetrieveResponse xmlns="http://www.loc.gov/zing/srw/"><numberOfRecords>24</numberOfRecords></searchRetrieveResponse>`)),
			"a count of 0 in the middle":          second(lab.Text("text/xml", `<searchRetrieveResponse xmlns="http://www.loc.gov/zing/srw/"><numberOfRecords>0</numberOfRecords></searchRetrieveResponse>`)),
			"nothing is found":                    func() { sru.Records = nil },
			"a count of 0 with records":           func() { sru.Says = func(int) int { return 0 } },
			"hardly anything is found":            func() { sru.Records = sru.Records[:1] },
			"surrogate diagnostics": func() {
				for i := range 15 {
					sru.Records[i] = lab.CatalogueRecord{Metadata: map[string]string{"marcxml": surrogate}}
				}
			},
			"surrogate diagnostics alone": func() {
				for i := range sru.Records {
					sru.Records[i] = lab.CatalogueRecord{Metadata: map[string]string{"marcxml": surrogate}}
				}
			},
			"a diagnostic": func() {
				sru.Before = func(*http.Request) http.Handler {
					return lab.Text("text/xml", `<searchRetrieveResponse xmlns="http://www.loc.gov/zing/srw/"><numberOfRecords>0</numberOfRecords><diagnostics>`+surrogate+`</diagnostics></searchRetrieveResponse>`)
				}
			},
		},
		remove: func() { whole = whole[2:]; sru.Change(func() { sru.Records = slices.Clone(whole) }) },
		asked:  sru.Asked,
	}
}

func searchedZ3950(l *library) searched {
	set := &lab.Z3950Set{}
	for i := range searchedRecords {
		set.Records = append(set.Records, []byte(testdoc.MARC(fmt.Sprintf("001b%d", i), fmt.Sprintf("85640\x1fuhttp://www.mill-library.org/%d", i))))
	}
	down := &atomic.Bool{}
	l.serve(func(at net.Listener) error { return set.Serve(refusing{at, down}) }, "z.mill-library.org:210")
	whole := slices.Clone(set.Records)
	return searched{root: "z39.50s://z.mill-library.org/books", down: down,
		sound: func() {
			set.Change(func() { set.Refuses, set.Hangs, set.Most, set.Records = 0, 0, 0, slices.Clone(whole) })
		},
		fail: map[string]func(){
			"it hangs up in the middle": func() { set.Hangs = 20 },
			"it hangs up in a portion":  func() { set.Hangs, set.Most = 20, 7 },
			"nothing is found":          func() { set.Records = nil },
			"hardly anything is found":  func() { set.Records = set.Records[:1] },
			"the database is away":      func() { set.Refuses = 109 },
			"the database is not there": func() { set.Refuses = 235 },
			"a system error":            func() { set.Refuses = 2 },
			"surrogate diagnostics": func() {
				for i := range 15 {
					set.Records[i] = nil
				}
			},
			"surrogate diagnostics alone": func() { set.Records = make([][]byte, len(set.Records)) },
		},
		remove: func() { whole = whole[2:]; set.Change(func() { set.Records = slices.Clone(whole) }) },
		asked:  set.Asked,
	}
}

// Searches over nights in which the server is away, breaks off, finds nothing or gives
// diagnostics in place of records: none of these retires a document, each is told, nothing is
// asked for twice, and what is gone in the end is.
func TestNightsOfFailingSearches(t *testing.T) {
	for name, of := range map[string]func(*library) searched{"SRU": searchedSRU, "Z39.50": searchedZ3950} {
		l := newLibrary(t, nil)
		web := lab.Site{}
		for i := range searchedRecords {
			web[fmt.Sprintf("/%d", i)] = lab.Text("text/html", "<title>here</title>")
		}
		l.serveWeb(lab.Web{"www.mill-library.org": web})
		s, day := of(l), 0.0
		night := func(what string, code, documents int) {
			t.Helper()
			got := l.readRoot(day, s.root)
			var row rootRow
			for _, row = range l.roots() {
			}
			asked := s.asked()
			if got.code != code || row.Documents != documents || row.Links != documents {
				t.Errorf("%s, %s: exit %d, want %d; %d documents, %d links: %s", name, what, got.code, code, row.Documents, row.Links, row.Message)
			}
			if name == "SRU" && len(slices.Compact(slices.Sorted(slices.Values(asked)))) < len(asked) || len(asked) > 2 { // an association that was cut is begun again once
				t.Errorf("%s, %s: asked %q", name, what, asked)
			}
			t.Logf("%s, %s: %d asked: %s", name, what, len(asked), row.Message)
			day++
		}
		night("first", exit.OK, searchedRecords)
		s.down.Store(true)
		for range 5 {
			night("away", exit.Partial, searchedRecords)
		}
		s.down.Store(false)
		night("back", exit.OK, searchedRecords)
		for _, how := range slices.Sorted(maps.Keys(s.fail)) {
			s.fail[how]()
			night(how, exit.Partial, searchedRecords)
			s.sound()
			night("after "+how, exit.OK, searchedRecords)
		}
		s.remove()
		night("two are gone", exit.OK, searchedRecords-2)
		dead := 0
		for _, link := range l.links() {
			if strings.HasPrefix(link.URL, "http://www") && link.State != "alive" {
				dead++
			}
		}
		if dead > 0 {
			t.Errorf("%s: %d links are not alive", name, dead)
		}
	}
}

// A WARC file that is read as the site that it was (--map): what it holds is looked up there, and
// the server is asked for the rest alone; a page that a later file has no more is asked for.
func TestNightsOfWARC(t *testing.T) {
	l := newLibrary(t, nil)
	var log asked
	l.serveWeb(lab.Web{"old.mill-library.org": log.site(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" || r.URL.Path == "/lost" {
			lab.NotFound(w, r)
			return
		}
		lab.Text("text/html", fmt.Sprintf("<title>%s</title><p>Here are %d words of its own", r.URL.Path, 97*len(r.URL.Path)))(w, r)
	})})
	const site = "http://old.mill-library.org/"
	const page = "<title>p</title><a href=a>a</a> <a href='a#part'>b</a> <a href='https://old.mill-library.org/a'>c</a> <a href='/r?q=1'>d</a> <a href='/r?q=2'>e</a> <a href=moved>f</a> <a href=lost>g</a>"
	response := func(status, path string) string {
		return testdoc.WARC("response", site+path, testdoc.HTTPMedia, "HTTP/1.1 "+status+"\r\nContent-Type: text/html\r\nLocation: /a\r\n\r\n"+page)
	}
	night := func(day float64, records string, want ...string) {
		t.Helper()
		l.write("site.warc", records)
		s := l.run(day, "--all", "--map", l.docs()+"/site.warc="+site)
		var got []string
		for _, path := range log.list {
			if path = strings.TrimPrefix(path, "old.mill-library.org/"); path != "robots.txt" && len(path) < 20 {
				got = append(got, path)
			}
		}
		slices.Sort(got)
		log.twice() // what is dead by it is asked for once more
		if got = slices.Compact(got); s.code != exit.OK || !slices.Equal(got, want) {
			t.Errorf("day %v: exit %d, asked %q, want %q\n%s", day, s.code, got, want, s.err)
		}
	}
	most := response("200 OK", "") + response("200 OK", "r?q=1") + response("301 Moved", "moved") + response("404 Not Found", "lost")
	night(0, most+response("200 OK", "a"), "lost", "moved", "r?q=2")
	night(8, most+response("200 OK", "a"), "lost", "moved", "r?q=2")
	if got := l.links()[site+"a"]; got.Reason != "in-archive" || got.State != "alive" {
		t.Errorf("%+v", got)
	}
	night(16, most, "a", "lost", "moved", "r?q=2")
	if got := l.links()[site+"a"]; got.Reason != "http-200" || got.State != "alive" {
		t.Errorf("%+v", got)
	}
}
