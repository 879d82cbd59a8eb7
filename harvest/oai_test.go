package harvest_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"linkcheck/harvest"
	"linkcheck/internal/lab"
)

const wellsRoot = "oai+http://wells.example/oai"

func TestOAIFirst(t *testing.T) {
	l := wells(t, 5, wellsRoot)
	l.Page = 2
	asked := l.whole(t)
	if len(asked) != 5 || asked[0] != "verb=Identify" || asked[1] != "verb=ListMetadataFormats" || asked[2] != "verb=ListRecords&metadataPrefix=marc21" {
		t.Errorf("asked %q", asked)
	}
	for _, q := range asked[3:] {
		if !strings.HasPrefix(q, "verb=ListRecords&resumptionToken=") || strings.Count(q, "=") != 2 {
			t.Errorf("a token is not alone: %q", q)
		}
	}
	l.stand(t, 5)
	d, ok := l.Document(wellsName(3))
	if !ok || d.Record != "wl0003" || d.Title != "Title 3" || d.Version != "2026-02-25T03:00:00Z" || d.Media != "application/xml" {
		t.Errorf("%v %+v", ok, d)
	}
	l.Nights++
	same(t, "the second night", l.whole(t), []string{"verb=Identify", "verb=ListRecords&metadataPrefix=marc21&from=2026-02-28T03%3A00%3A00Z"})
}

// TestOAILists: lists that are not what they say to be (section 3.5) are left, told and
// tried once more in the next sweep. What came is kept.
func TestOAILists(t *testing.T) {
	for name, test := range map[string]struct {
		said func(size int, sent, next string) (int, string)
		why  harvest.Reason
		text string
		came int
	}{
		"the same token again": {func(size int, sent, next string) (int, string) { return size, cmp.Or(sent, next) }, harvest.Broken, "the same resumptionToken comes again", 4},
		"far too many":         {func(size int, sent, next string) (int, string) { return 1, next }, harvest.Broken, "more than 3 records where 1 were said", 4},
		"too few":              {func(size int, sent, next string) (int, string) { return 1234, next }, harvest.Incomplete, "6 of 1,234 records came", 6},
	} {
		t.Run(name, func(t *testing.T) {
			l := wells(t, 6, wellsRoot)
			l.Page, l.Said = 2, test.said
			l.stops(t, test.why, test.text)
			l.stand(t, test.came)
			if l.Asked(); len(l.Notes) != 1 {
				t.Errorf("notes %q", l.Notes)
			}
			l.Nights, l.Said = l.Nights+1, nil
			same(t, "the next night", shape(l.whole(t)), []string{"Identify", "ListRecords from 2026-02-28T03:00:00Z", "ListRecords", "token", "token"})
			l.stand(t, 6)
			l.Nights++
			same(t, "the third night", shape(l.whole(t)), []string{"Identify", "ListRecords from 2026-03-01T03:00:00Z"})
		})
	}
}

// shape says in short what was asked.
func shape(queries []string) (list []string) {
	for _, q := range queries {
		v, _ := url.ParseQuery(q)
		s := v.Get("verb")
		if v.Has("resumptionToken") {
			s = "token"
		}
		for _, name := range []string{"set", "from", "until"} {
			if v.Has(name) {
				s += " " + name + " " + v.Get(name)
			}
		}
		list = append(list, s)
	}
	return list
}

func TestOAIEmptyPages(t *testing.T) {
	l := wells(t, 4, wellsRoot)
	l.Page = 2
	n := 0
	l.Before = func(r *http.Request) http.Handler {
		if !r.URL.Query().Has("resumptionToken") {
			return nil
		}
		n++
		return lab.Text("text/xml", fmt.Sprintf(`<OAI-PMH><responseDate>2026-03-01T03:00:00Z</responseDate><ListRecords><resumptionToken>%d</resumptionToken></ListRecords></OAI-PMH>`, n))
	}
	l.stops(t, harvest.Broken, "3 pages without a record")
	l.stand(t, 2)
	if n != 3 {
		t.Errorf("%d empty pages were asked for", n)
	}
}

// TestOAITokens: a list whose tokens cease to be valid is begun anew once, then read in
// halves.
func TestOAITokens(t *testing.T) {
	l := wells(t, 8, wellsRoot)
	l.Page = 2
	l.Before = func(r *http.Request) http.Handler {
		if r.URL.Query().Has("resumptionToken") {
			return lab.Text("text/xml", `<OAI-PMH><error code="badResumptionToken">gone</error></OAI-PMH>`)
		}
		return nil
	}
	asked := shape(l.whole(t))
	l.stand(t, 8)
	if again := asked[2] == "ListRecords" && asked[3] == "token" && asked[4] == "ListRecords" && asked[5] == "token"; !again || asked[6] != "ListRecords until 2026-02-24T23:59:59Z" {
		t.Errorf("asked %q", asked)
	}
	l.Nights++
	same(t, "the next night", shape(l.whole(t)), []string{"Identify", "ListRecords from 2026-02-28T03:00:00Z"})
}

// TestOAIOneDay: a day is not halved.
func TestOAIOneDay(t *testing.T) {
	l := wells(t, 2, wellsRoot)
	day := l.Nights.Now().AddDate(0, 0, -3)
	for i := range l.Records {
		l.Records[i].Date = day
	}
	l.Page = 1
	l.Before = func(r *http.Request) http.Handler {
		if r.URL.Query().Has("resumptionToken") {
			return lab.Text("text/xml", `<OAI-PMH><error code="badResumptionToken">gone</error></OAI-PMH>`)
		}
		return nil
	}
	l.stops(t, harvest.Broken, "the list of records")
	l.stand(t, 1)
	if n := len(l.Asked()); n > 20 {
		t.Errorf("%d requests", n)
	}
	l.Before = nil
	l.Nights++
	l.whole(t)
	l.stand(t, 2)
}

func TestOAIFirstDate(t *testing.T) {
	l := wells(t, 6, wellsRoot)
	l.Page = 2
	l.Before = func(r *http.Request) http.Handler {
		if r.URL.Query().Has("resumptionToken") {
			l.Nights++ // a list that takes two days
		}
		return nil
	}
	l.whole(t)
	l.Before = nil
	same(t, "the next night", shape(l.whole(t)), []string{"Identify", "ListRecords from 2026-02-28T03:00:00Z"})
}

// TestOAIDays: granularity is that of Identify, never mixed (section 3.3), and a record that
// is changed twice on a day is read twice.
func TestOAIDays(t *testing.T) {
	l := wells(t, 3, wellsRoot)
	l.Days = true
	l.Records = append(l.Records, record(4, l.Nights.Now(), "first"))
	l.whole(t)
	l.Records[3] = record(4, l.Nights.Now().Add(time.Hour), "second")
	l.Nights++
	same(t, "the second night", shape(l.whole(t)), []string{"Identify", "ListRecords from 2026-02-27"})
	if !strings.Contains(l.Report(), "/4/second") {
		t.Error("the later change of a day is not read")
	}
	if l.Told[harvest.Read] != 1 || l.Told[harvest.Same] != 1 {
		t.Errorf("told %v", l.Told)
	}
	l.Days = false // as repositories do when they are renewed
	l.Nights++
	same(t, "the third night", shape(l.whole(t)), []string{"Identify", "ListRecords from 2026-03-01T03:00:00Z"})
}

func TestOAIDeleted(t *testing.T) {
	l := wells(t, 5, wellsRoot)
	l.Records = append(l.Records, lab.CatalogueRecord{ID: "oai:wells.example:wl0009", Date: l.Nights.Now(), Deleted: true})
	l.whole(t)
	l.stand(t, 5)
	l.Nights++
	l.Records[1].Deleted, l.Records[1].Date = true, l.Nights.Now()
	l.whole(t)
	l.stand(t, 4)
	l.Nights++
	l.Records[1] = record(2, l.Nights.Now(), "back")
	l.whole(t)
	l.stand(t, 5)
}

// TestOAIFull: all identifiers are listed once in 90 days, whatever deletedRecord says:
// what is not among them is gone, and what is and was never seen is read.
func TestOAIFull(t *testing.T) {
	for _, noIDs := range []string{"", "badVerb", "404"} {
		l := wells(t, 6, wellsRoot)
		l.NoIDs = noIDs == "badVerb"
		l.Before = func(r *http.Request) http.Handler {
			if noIDs == "404" && r.URL.Query().Get("verb") == "ListIdentifiers" {
				return lab.Status(404)
			}
			return nil
		}
		l.whole(t)
		l.Records = append(l.Records[1:], record(7, l.Nights.Now().AddDate(0, 0, -20), "late"))
		l.Nights += 89
		l.whole(t)
		l.stand(t, 6)
		if got := l.Report(); strings.Contains(got, "late") {
			t.Errorf("it is read early: %s", got)
		}
		l.Nights += 1
		asked := shape(l.whole(t))
		want := []string{"Identify", "ListRecords from 2026-02-28T03:00:00Z", "ListIdentifiers", "ListRecords"}
		if noIDs == "" {
			want[3] += " from 2026-02-09T03:00:00Z until 2026-02-09T03:00:00Z"
		}
		same(t, "the list of all by "+noIDs, asked, want)
		l.stand(t, 6)
		if got := l.Report(); !strings.Contains(got, "/7/late") || strings.Contains(got, "wl0001") {
			t.Errorf("%q: there stand\n%s", noIDs, got)
		}
		l.Nights += 90
		if asked = shape(l.whole(t)); noIDs != "" {
			same(t, "the next list of all", asked, []string{"Identify", "ListMetadataFormats", "ListRecords"})
		}
	}
}

// TestOAIBrokenAgain: a list that was not whole in two sweeps of one night is asked for once
// in the next.
func TestOAIBrokenAgain(t *testing.T) {
	l := wells(t, 4, wellsRoot)
	l.whole(t)
	l.Nights++
	for i := range l.Records {
		l.Records[i].Date = l.Nights.Now()
	}
	l.Page, l.Said = 2, func(_ int, _, next string) (int, string) { return 1234, next }
	for range 2 {
		l.stops(t, harvest.Incomplete, "4 of 1,234 records came")
	}
	l.Asked()
	l.Nights, l.Said = l.Nights+1, nil
	same(t, "the night after", shape(l.whole(t)), []string{"Identify", "ListRecords from 2026-03-01T03:00:00Z", "token"})
}

// TestOAINothingNew: a list that says of days that nothing is new is begun there again, for
// a repository in disorder says so too (section 3.5: an empty list is noRecordsMatch).
func TestOAINothingNew(t *testing.T) {
	for name, empty := range map[string]string{"noRecordsMatch": `<error code="noRecordsMatch"/>`, "an empty list": "<ListRecords/>"} {
		l := wells(t, 3, wellsRoot)
		l.whole(t)
		l.Nights++
		l.Records = append(l.Records, record(4, l.Nights.Now(), "new"))
		l.Before = on("ListRecords", lab.Text("text/xml", "<OAI-PMH><responseDate>2026-06-01T03:00:00Z</responseDate>"+empty+"</OAI-PMH>"))
		for range 5 {
			l.whole(t)
			l.Nights++
		}
		l.Before = nil
		same(t, name, shape(l.whole(t)), []string{"Identify", "ListRecords from 2026-02-28T03:00:00Z"})
		l.stand(t, 4)
	}
}

func TestOAIEmptyFull(t *testing.T) {
	l := wells(t, 6, wellsRoot)
	l.whole(t)
	l.Records = nil
	l.Nights += 90
	l.stops(t, harvest.Broken, "the list of all records is empty")
	l.stand(t, 6)
}

// TestOAIEmptyFirst: a repository that is empty when it is first read is read when it is
// filled.
func TestOAIEmptyFirst(t *testing.T) {
	l := wells(t, 3, wellsRoot)
	records := l.Records
	l.Records = nil
	l.whole(t)
	l.Records, l.Nights = records, l.Nights+7
	l.whole(t)
	l.stand(t, 3)
}

// TestOAIEstimates: a repository that counts badly each time (section 3.5) is read whole
// from the second sweep on, but what its list of all does not name is not gone.
func TestOAIEstimates(t *testing.T) {
	l := wells(t, 6, wellsRoot)
	l.Page, l.Said = 2, func(size int, sent, next string) (int, string) { return size + 1, next }
	l.stops(t, harvest.Incomplete, "6 of 7 records came")
	l.Nights++
	l.Records[0].Deleted, l.Records[0].Date = true, l.Nights.Now()
	l.whole(t)
	l.stand(t, 5)
	if len(l.Notes) != 1 || l.Notes[0] != "the list of all records: 6 of 7 records came" {
		t.Errorf("notes %q", l.Notes)
	}
	l.Records = l.Records[2:]
	for range 3 {
		l.Nights += 90
		l.whole(t)
		l.stand(t, 5)
	}
	l.Said = nil
	l.Nights += 7
	l.whole(t)
	l.stand(t, 4)
}

// TestOAILastToken: the last page of some repositories has a token, which leads nowhere.
func TestOAILastToken(t *testing.T) {
	for how, code := range map[string]string{"again": "", "invalid": "badResumptionToken", "nothing": "noRecordsMatch"} {
		l := wells(t, 6, wellsRoot)
		l.Page = 2
		l.Said = func(size int, sent, next string) (int, string) {
			if how == "again" {
				return size, cmp.Or(next, sent)
			}
			return size, cmp.Or(next, "last")
		}
		l.Before = func(r *http.Request) http.Handler {
			if r.URL.Query().Get("resumptionToken") != "last" {
				return nil
			}
			return lab.Text("text/xml", `<OAI-PMH><error code="`+code+`"/></OAI-PMH>`)
		}
		if asked := l.whole(t); len(asked) > 6 {
			t.Errorf("%s: asked %q", how, shape(asked))
		}
		l.stand(t, 6)
	}
}
