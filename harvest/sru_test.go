package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
	"linkcheck/internal/lab"
)

const searchRoot = "sru+http://wells.example/db"

// searched is a server of SRU, the night in it, and what is kept of it.
type searched struct {
	lab.SRU
	harvesttest.Nights
	harvesttest.Store
	root harvest.Root
}

// searchedWells is a server of n records.
func searchedWells(t testing.TB, n int, root string) *searched {
	t.Helper()
	s := &searched{}
	s.Schemas = []string{"marcxml"}
	for i := range n {
		s.Records = append(s.Records, sruRecord(i+1, "first"))
	}
	var err error
	if s.root, err = harvest.ParseRoot(root); err != nil {
		t.Fatal(err)
	}
	return s
}

func sruRecord(n int, edition string) lab.CatalogueRecord {
	marc := fmt.Sprintf(marcRecord, n, n, n, edition)
	return lab.CatalogueRecord{Metadata: map[string]string{"marcxml": marc, "other": marc}}
}

// Harvest implements harvest.Harvester.
func (s *searched) Harvest(ctx context.Context, known harvest.Known) iter.Seq2[harvest.Item, error] {
	return harvest.NewSRU(s.root, served(&s.SRU), harvest.Options{Now: s.Nights.Now}).Harvest(ctx, known)
}

// night is one reading, which must end as is said: with a Stop, or "" for whole.
func (s *searched) night(t testing.TB, end string) []string {
	t.Helper()
	s.Asked()
	err := s.Run(t.Context(), s, 0, false)
	ended, _ := s.Whole()
	stop := (*harvest.Stop)(nil)
	if end == "" && (err != nil || !ended) {
		t.Errorf("it ends with %v; notes %q", err, s.Notes)
	} else if end != "" && (!errors.As(err, &stop) || ended || stop.Error() != end) {
		t.Errorf("it ends with %v (whole: %v), want %s", err, ended, end)
	}
	for _, w := range s.Wrong {
		t.Error(w)
	}
	s.Wrong = nil
	return s.Asked()
}

func (s *searched) stand(t testing.TB, n int) {
	t.Helper()
	if got := len(s.Standing()); got != n {
		t.Errorf("%d documents stand, want %d", got, n)
	}
}

func TestSRU(t *testing.T) {
	s := searchedWells(t, 120, searchRoot)
	const asked = "version=1.1&operation=searchRetrieve&query=cql.allRecords%3D1&startRecord="
	same(t, "asked", s.night(t, ""), []string{asked + "1&maximumRecords=50&recordSchema=marcxml", asked + "51&maximumRecords=50&recordSchema=marcxml", asked + "101&maximumRecords=50&recordSchema=marcxml"})
	s.stand(t, 120)
	if d, ok := s.Document(searchRoot + "#wl0007"); !ok || d.Record != "wl0007" || d.Title != "Title 7" || d.Media != "application/xml" || d.Version == "" {
		t.Errorf("%v %+v", ok, d)
	}
	s.Records = append(slices.Delete(s.Records, 3, 5), sruRecord(121, "first"))
	s.Records[9] = sruRecord(12, "second")
	s.Nights++
	s.night(t, "")
	s.stand(t, 119)
	if s.Told[harvest.Read] != 2 || s.Told[harvest.Gone] != 2 || s.Told[harvest.Same] != 117 || !strings.Contains(s.Report(), "/12/second") {
		t.Errorf("told %v", s.Told)
	}
}

// TestSRUWhole: what a list does not name is gone only where the list is whole.
func TestSRUWhole(t *testing.T) {
	for _, test := range []struct {
		name   string
		n      int
		change func(s *searched)
		end    string
	}{
		{"as many as are counted", 70, nil, ""},
		{"fewer at a time than are wanted", 70, func(s *searched) { s.Most = 7 }, ""},
		{"as strings", 70, func(s *searched) { s.Strings = true }, ""},
		{"cut off", 70, func(s *searched) { s.Limit = 50 }, "incomplete: 50 of 70: make the query narrower"},
		{"cut off within a portion", 70, func(s *searched) { s.Limit = 57 }, "incomplete: 57 of 70: make the query narrower"},
		{"the limit as the count", 10_000, nil, "incomplete: 10,000 may be the limit of the server: make the query narrower"},
		{"nearly so", 10_001, nil, ""},
		{"a round number that is small", 2000, nil, ""},
		{"the count changes", 70, func(s *searched) {
			n := 0
			s.Says = func(count int) int { n++; return count + n }
		}, "incomplete: 71 records were counted at first, and 73 at the end"},
		{"one record twice", 70, func(s *searched) { s.Records[20] = s.Records[40] }, "incomplete: 69 different records of 70 came"},
		{"nothing, as for an unclosed quote", 70, func(s *searched) { s.Records = nil }, "broken: no record is found, where there were some"},
		{"counted, and none", 70, func(s *searched) {
			s.Before = func(*http.Request) http.Handler {
				return lab.Text("text/xml", "<searchRetrieveResponse><numberOfRecords>70</numberOfRecords></searchRetrieveResponse>")
			}
		}, "broken: 70 records are counted, and none is given"},
		{"no text", 70, func(s *searched) {
			s.Before = func(*http.Request) http.Handler { return lab.Text("text/xml", "<searchRetrieveResponse/>") }
		}, "broken: it has no numberOfRecords"},
		{"a record that is not well formed", 70, func(s *searched) {
			s.Records[60].Metadata["marcxml"] = "<record></leader>"
		}, "broken: 1 records of 70 are not well formed"},
		{"an error in the middle", 70, func(s *searched) {
			s.Before = func(r *http.Request) http.Handler {
				if r.URL.Query().Get("startRecord") == "1" {
					return nil
				}
				return lab.Text("text/xml", "<searchRetrieveResponse><numberOfRecords>70</numberOfRecords><diagnostics><diagnostic><uri>info:srw/diagnostic/1/1</uri><message>General system error</message></diagnostic></diagnostics></searchRetrieveResponse>")
			}
		}, "incomplete: 50 of 70: 1: General system error"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := searchedWells(t, test.n, searchRoot)
			if test.n < 10_000 {
				s.night(t, "")
				s.Nights++
			}
			if test.change != nil {
				test.change(s)
			}
			s.night(t, test.end)
			s.stand(t, test.n)
		})
	}
}

func TestSRUAsked(t *testing.T) {
	for _, test := range []struct {
		root, query, format string
		schemas             []string
		end                 string
		asked               []string
	}{
		{"?version=2.0&query=title%3D%22x%20y%22&maximumRecords=9&recordSchema=other&x-info-1=k", "", "", []string{"other"}, "",
			[]string{"x-info-1=k&version=2.0&operation=searchRetrieve&query=title%3D%22x+y%22&startRecord=1&maximumRecords=9&recordSchema=other"}},
		{"?query=a", "b", "other", []string{"other"}, "", []string{"version=1.1&operation=searchRetrieve&query=b&startRecord=1&maximumRecords=50&recordSchema=other"}},
		{"", "", "", []string{"other"}, "", []string{"version=1.1&operation=searchRetrieve&query=cql.allRecords%3D1&startRecord=1&maximumRecords=50&recordSchema=marcxml",
			"version=1.1&operation=searchRetrieve&query=cql.allRecords%3D1&startRecord=1&maximumRecords=50"}},
		{"", "", "nosuch", []string{"other"}, "not understood: 66: Unknown schema for retrieval: nosuch",
			[]string{"version=1.1&operation=searchRetrieve&query=cql.allRecords%3D1&startRecord=1&maximumRecords=50&recordSchema=nosuch"}},
	} {
		s := searchedWells(t, 3, searchRoot+test.root)
		s.root.Query, s.root.Format, s.Schemas = test.query, test.format, test.schemas
		same(t, "asked", s.night(t, test.end), test.asked)
	}
}

// TestSRUResumed: a sweep goes on where it was broken off, if the set of results is the
// same.
func TestSRUResumed(t *testing.T) {
	for _, more := range []int{0, 1, -30} {
		s := searchedWells(t, 120, searchRoot)
		s.Before = func(r *http.Request) http.Handler {
			if r.URL.Query().Get("startRecord") == "101" {
				return lab.Status(503)
			}
			return nil
		}
		s.night(t, "in outage: http-503: HTTP/1.1 Service Unavailable")
		s.stand(t, 100)
		s.Before, s.Nights = nil, s.Nights+1
		var want []string
		if more > 0 {
			s.Records = append(s.Records, sruRecord(121, "first"))
		} else if more < 0 {
			s.Records = s.Records[:90]
		}
		asked := starts(s.night(t, ""))
		if want = []string{"101"}; more != 0 {
			want = append(want, "1", "51") // what came from 101 on is not asked for again
		}
		same(t, "asked", asked, want)
		s.Nights++
		s.night(t, "")
		s.stand(t, 120+more)
	}
}

// TestSRUCut: an answer that is cut is asked for once more in a night, whatever page it is.
// After a week what is behind its last record is passed over.
func TestSRUCut(t *testing.T) {
	s := searchedWells(t, 120, searchRoot)
	s.night(t, "")
	for i := range 120 {
		s.Records[i] = sruRecord(i+1, "second")
	}
	down := true
	s.Before = func(r *http.Request) http.Handler {
		if !down || r.URL.Query().Get("startRecord") == "1" {
			return nil
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start, _ := strconv.Atoi(r.URL.Query().Get("startRecord"))
			fmt.Fprint(w, "<searchRetrieveResponse><numberOfRecords>120</numberOfRecords><records>")
			for i := range 3 {
				fmt.Fprintf(w, "<record><recordData>"+marcRecord+"</recordData></record>", start+i, start+i, start+i, "second")
			}
			fmt.Fprint(w, "<record><recordData><rec")
		})
	}
	const cut = "in outage: its answer was cut: it ends in the middle"
	for night, want := range [][]string{{"1", "51", "51"}, {"51", "51"}, {"51", "51"}, {"51", "51"}, {"51", "51"}, {"51", "51"}, {"51", "51"}, {"51", "51", "55"}, {"55", "55"}} {
		s.Nights++
		same(t, fmt.Sprint("night ", night), starts(s.night(t, cut)), want)
		s.stand(t, 120)
		if len(s.Notes) != map[bool]int{true: 1}[night == 7] {
			t.Errorf("night %d: notes %q", night, s.Notes)
		}
	}
	if !strings.Contains(s.Report(), "/53/second") {
		t.Error("what came before the cut is not kept")
	}
	down = false
	s.Nights++
	same(t, "the night after", starts(s.night(t, "broken: 1 records of 120 are not well formed")), []string{"55", "105"})
	s.Nights++
	same(t, "a clean night", starts(s.night(t, "")), []string{"1", "51", "101"})
	s.stand(t, 120)
	if len(s.Notes) > 0 {
		t.Errorf("notes %q", s.Notes)
	}
}

// TestSRUFaults: a record that is not well formed costs no further question, and nothing of such a
// list is taken for gone.
func TestSRUFaults(t *testing.T) {
	s := searchedWells(t, 120, searchRoot)
	for _, i := range []int{6, 20, 69} {
		s.Records[i].Metadata["marcxml"] = "<record></sub&field></record>"
	}
	for range 2 {
		same(t, "asked", starts(s.night(t, "broken: 3 records of 120 are not well formed")), []string{"1", "51", "101"})
		s.stand(t, 117)
		s.Nights++
	}
}

// starts are the places that were asked for.
func starts(asked []string) (list []string) {
	for _, q := range asked {
		v, _ := url.ParseQuery(q)
		list = append(list, v.Get("startRecord"))
	}
	return list
}

func TestSRUBound(t *testing.T) {
	s := searchedWells(t, 8, searchRoot)
	s.root.Documents = 5
	s.night(t, "")
	s.stand(t, 5)
	if !slices.Equal(s.Notes, []string{"5 documents are the bound"}) {
		t.Errorf("notes %q", s.Notes)
	}
}

// TestSRUNames: 001 with 003, else the identifier that the page gives, else the record's own.
func TestSRUNames(t *testing.T) {
	s := searchedWells(t, 0, searchRoot)
	s.Before = func(*http.Request) http.Handler {
		return lab.Text("text/xml", `<searchRetrieveResponse><numberOfRecords>4</numberOfRecords><records>
<record><recordData><record xmlns="http://www.loc.gov/MARC21/slim"><controlfield tag="001">7</controlfield><controlfield tag="003">DLC</controlfield></record></recordData></record>
<record><recordData><dc xmlns="u"><title>x</title></dc></recordData><recordIdentifier>a/b</recordIdentifier></record>
<record><recordData><mods xmlns="u"><recordInfo><recordIdentifier>m1</recordIdentifier></recordInfo></mods></recordData></record>
<record><recordData><dc xmlns="u"><title>y</title></dc></recordData></record>
</records></searchRetrieveResponse>`)
	}
	s.night(t, "")
	var names []string
	for _, name := range s.Standing() {
		names = append(names, strings.TrimPrefix(name, searchRoot+"#"))
	}
	if len(names) != 4 || names[0] != "%28DLC%297" || !slices.Contains(names, "a%2Fb") || !slices.Contains(names, "m1") {
		t.Errorf("%q", names)
	}
}

func TestSRUNotThis(t *testing.T) {
	for name, test := range map[string]struct {
		h   http.Handler
		end string
	}{
		"a page": {lab.Page("Wells", "Welcome"), `not understood: no SRU answer: it begins with "<!DOCTYPE html>"`},
		"404":    {lab.Status(404), `not understood: no SRU answer: it begins with "404 Not Found"`},
		"401":    {lab.Status(401), "refused: http-401: HTTP/1.1 Unauthorized"},
		"OAI":    {lab.Text("text/xml", "<OAI-PMH/>"), `not understood: no SRU answer: it begins with "<OAI-PMH/>"`},
	} {
		s := searchedWells(t, 3, searchRoot)
		s.Before = func(*http.Request) http.Handler { return test.h }
		t.Run(name, func(t *testing.T) { s.night(t, test.end) })
	}
}

// TestSRURecorded reads what zebrasrv said.
func TestSRURecorded(t *testing.T) {
	at := play(t, "sru-*-zebra.txt")
	for _, test := range []struct {
		query, end string
		stand      int
	}{
		{"maximumRecords=1000000", "", 5},
		{"query=dc.title%3Dnosuchword&maximumRecords=1", "", 0},
		{"query=wells.nosuch%3D1&maximumRecords=1&recordSchema=", "not understood: 15: Unsupported context set", 0},
		{"query=rec.lastModificationDate%3E%3D20260301&maximumRecords=9", "not understood: 16: Unsupported index: 1012", 0},
	} {
		root, err := harvest.ParseRoot("sru+http://" + at + "/Default?" + test.query)
		if err != nil {
			t.Fatal(err)
		}
		var store harvesttest.Store
		err = store.Run(t.Context(), harvest.NewSRU(root, overHTTP(t), harvest.Options{}), 0, false)
		if got := fmt.Sprint(err); got != test.end && (test.end != "" || err != nil) {
			t.Errorf("%s: it ends with %v", test.query, err)
		}
		if got := len(store.Standing()); got != test.stand {
			t.Errorf("%s: %d documents stand", test.query, got)
		}
	}
}

func TestSRUSuite(t *testing.T) {
	root, err := harvest.ParseRoot(searchRoot)
	if err != nil {
		t.Fatal(err)
	}
	root.Documents = 30
	page := func(body string) func() check.Reader {
		return func() check.Reader {
			n := 0
			return served(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n++
				lab.Text("text/xml", "<searchRetrieveResponse><numberOfRecords>2000000000</numberOfRecords>"+strings.ReplaceAll(body, "NNN", fmt.Sprint(n))+"</searchRetrieveResponse>")(w, r)
			}))
		}
	}
	Run(t, Case{
		Open: func(r check.Reader, now func() time.Time) harvest.Harvester {
			return harvest.NewSRU(root, r, harvest.Options{Now: now})
		},
		World: func() check.Reader {
			s := searchedWells(t, 9, searchRoot)
			s.Most = 2
			return served(&s.SRU)
		},
		Empty: func(string) (media, body string) {
			return "text/xml", "<searchRetrieveResponse><numberOfRecords>0</numberOfRecords></searchRetrieveResponse>"
		},
		Endless: map[string]func() check.Reader{
			"records":      page("<records><record><recordData><a xmlns='u'>NNN</a></recordData></record></records>"),
			"one record":   page("<records><record><recordData><a xmlns='u'/></recordData></record></records>"),
			"empty pages":  page("<records/>"),
			"broken pages": page("<records><record></b>"),
		},
		Requests: 200,
		Again:    1,
	})
}
