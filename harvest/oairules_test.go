package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/internal/lab"
)

// on answers the requests of a verb, or those with a token, in place of the repository.
func on(verb string, h http.Handler) func(*http.Request) http.Handler {
	return func(r *http.Request) http.Handler {
		q := r.URL.Query()
		if q.Get("verb") == verb || verb == "token" && q.Has("resumptionToken") {
			return h
		}
		return nil
	}
}

// TestOAINotThis: what answers is no repository, or not one that can be read so.
func TestOAINotThis(t *testing.T) {
	for _, test := range []struct {
		name, root string
		before     func(*http.Request) http.Handler
		why        harvest.Reason
		text       string
	}{
		{"a page", wellsRoot, on("Identify", lab.Page("Wells", "Welcome")), harvest.NotThis, `no OAI-PMH answer: it begins with "<!DOCTYPE html>"`},
		{"other XML", wellsRoot, on("Identify", lab.Text("text/xml", "<rss/>")), harvest.NotThis, `it begins with "<rss/>"`},
		{"nothing", wellsRoot, on("Identify", lab.Text("text/xml", "")), harvest.NotThis, `it begins with ""`},
		{"404", wellsRoot, on("Identify", lab.Status(404)), harvest.NotThis, `it begins with "404 Not Found"`},
		{"an error", wellsRoot, on("Identify", lab.Text("text/xml", `<OAI-PMH><error code="badVerb">no  such
			verb</error></OAI-PMH>`)), harvest.NotThis, "Identify is answered: badVerb: no such verb"},
		{"half an answer", wellsRoot, on("Identify", lab.Text("text/xml", "<OAI-PMH><Identify>")), harvest.Outage, "its answer was cut: it ends in the middle"},
		{"unknown format", wellsRoot + "?metadataPrefix=mods", nil, harvest.NotThis, "cannotDisseminateFormat: metadataPrefix mods is not supported; there are the formats oai_dc, marc21"},
		{"unknown set", wellsRoot + "?set=nosuch", nil, harvest.NotThis, "badArgument: set does not exist; there are the sets ebooks, maps"},
		{"unknown set that is no error", wellsRoot + "?set=nosuch", on("ListRecords", lab.Text("text/xml", `<OAI-PMH><error code="noRecordsMatch"/></OAI-PMH>`)),
			harvest.NotThis, `there is no set "nosuch"; there are the sets ebooks, maps`},
		{"unknown verb", wellsRoot, on("ListRecords", lab.Text("text/xml", `<OAI-PMH><error code="badVerb">illegal OAI verb</error></OAI-PMH>`)), harvest.NotThis, "badVerb: illegal OAI verb"},
		{"403", wellsRoot, on("ListRecords", lab.Status(403)), harvest.Refused, "http-403"},
		{"401", wellsRoot, on("ListRecords", lab.Status(401)), harvest.Refused, "http-401"},
		{"another host", wellsRoot, on("Identify", lab.Redirect(301, "http://new.example/oai")), harvest.Moved, "http://new.example/oai"},
		{"500", wellsRoot, on("ListRecords", lab.Status(500)), harvest.Outage, "http-500"},
		{"rests", wellsRoot, on("ListRecords", lab.Status(503, "Retry-After", "3600")), harvest.Resting, "http-503"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := wells(t, 3, test.root)
			l.Before = test.before
			l.stops(t, test.why, test.text)
			l.stand(t, 0)
		})
	}
}

// TestOAIFlowControl: 503 with Retry-After is the protocol's own (section 3.1.2.2).
func TestOAIFlowControl(t *testing.T) {
	l := wells(t, 6, wellsRoot)
	l.Page = 2
	n := 0
	l.Before = func(r *http.Request) http.Handler {
		if n++; n%3 != 0 {
			return lab.Status(503, "Retry-After", "20")
		}
		return nil
	}
	l.whole(t)
	l.stand(t, 6)
	l.Nights++
	l.Before = on("Identify", lab.Status(503, "Retry-After", "20"))
	l.Asked()
	l.stops(t, harvest.Resting, "http-503")
	if n := len(l.Asked()); n != 11 {
		t.Errorf("a server that is never ready is asked %d times", n)
	}
	l.Before = on("Identify", lab.Status(503, "Retry-After", "3600"))
	stop := (*harvest.Stop)(nil)
	if err := l.night(t); !errors.As(err, &stop) || stop.Until != l.Nights.Now().Add(time.Hour) {
		t.Errorf("it ends with %v", err)
	}
}

// TestOAIStatus: errors are XML whatever the status.
func TestOAIStatus(t *testing.T) {
	l := wells(t, 3, wellsRoot)
	l.Status = 404
	l.whole(t)
	l.Nights += 9 // no record is that new
	l.whole(t)
	l.Nights += 9
	l.whole(t)
	l.stand(t, 3)
}

func TestOAIPrefix(t *testing.T) {
	const marc, mods, ead, dc = "http://www.loc.gov/MARC21/slim", "http://www.loc.gov/mods/v3", "urn:isbn:1-931666-22-9", "http://www.openarchives.org/OAI/2.0/oai_dc/"
	for _, test := range []struct {
		root, format string
		formats      [][2]string
		want         string
	}{
		{wellsRoot, "", [][2]string{{"oai_dc", dc}, {"oai_ead", ead}, {"m3", mods}, {"oai_marc", marc}}, "oai_marc"},
		{wellsRoot, "", [][2]string{{"oai_dc", dc}, {"oai_ead", ead}, {"m3", mods}}, "m3"},
		{wellsRoot, "", [][2]string{{"oai_dc", dc}, {"oai_ead", ead}}, "oai_ead"},
		{wellsRoot, "", [][2]string{{"marc21", "urn:mine"}, {"oai_dc", dc}}, "oai_dc"},
		{wellsRoot, "", nil, "oai_dc"},
		{wellsRoot + "?metadataPrefix=oai_dc", "", [][2]string{{"oai_dc", dc}, {"marc21", marc}}, "oai_dc"},
		{wellsRoot + "?metadataPrefix=oai_dc", "marc21", [][2]string{{"oai_dc", dc}, {"marc21", marc}}, "marc21"},
		{wellsRoot + "?x=1&set=ebooks&y=%26", "", [][2]string{{"marc21", marc}}, "marc21&set=ebooks"},
	} {
		l := wells(t, 1, test.root)
		l.Formats, l.root.Format = test.formats, test.format
		l.night(t)
		asked := l.Asked()
		if !slices.ContainsFunc(asked, func(q string) bool { return strings.HasSuffix(q, "verb=ListRecords&metadataPrefix="+test.want) }) {
			t.Errorf("%s of %v: %q", test.root, test.formats, asked)
		}
		if strings.Contains(test.root, "x=1") && !strings.HasPrefix(asked[0], "x=1&y=%26&verb=") {
			t.Errorf("%q", asked)
		}
	}
}

// TestOAIFormats: the formats are asked for once a month, and one that was chosen stays
// as long as it is there.
func TestOAIFormats(t *testing.T) {
	l := wells(t, 2, wellsRoot)
	l.Formats = l.Formats[:1]
	l.whole(t)
	l.Formats = append(l.Formats, [2]string{"marc21", "http://www.loc.gov/MARC21/slim"})
	l.Nights += 29
	if asked := shape(l.whole(t)); slices.Contains(asked, "ListMetadataFormats") {
		t.Errorf("early: %q", asked)
	}
	l.Nights++
	if asked := shape(l.whole(t)); !slices.Contains(asked, "ListMetadataFormats") {
		t.Errorf("late: %q", asked)
	}
	for _, name := range l.Standing() {
		if !strings.Contains(name, "metadataPrefix=oai_dc") {
			t.Errorf("%s stands", name)
		}
	}
}

// TestOAITorn: the records before a fault are kept, the page is asked for once more, and
// then its list is read in halves.
func TestOAITorn(t *testing.T) {
	l := wells(t, 8, wellsRoot)
	l.Page = 2
	l.Records[5].Metadata["marc21"] = "</metadata></record></x>"
	l.stops(t, harvest.Broken, "from 2026-02-25T00:00:00Z to 2026-02-25T23:59:59Z: not well formed")
	l.stand(t, 7)
	asked := shape(l.Asked())
	if !slices.Equal(asked[2:7], []string{"ListRecords", "token", "token", "token", "ListRecords until 2026-02-24T23:59:59Z"}) || len(asked) > 30 {
		t.Errorf("%d requests: %q", len(asked), asked)
	}
	if !slices.ContainsFunc(l.Notes, func(n string) bool {
		return strings.HasPrefix(n, wellsRoot+" the list of all records: not well formed")
	}) {
		t.Errorf("notes %q", l.Notes)
	}
	l.Nights++
	l.stops(t, harvest.Broken, "from 2026-02-25T00:00:00Z to 2026-02-25T23:59:59Z: not well formed")
	l.Nights++
	l.whole(t) // it is left to the list of all
	l.stand(t, 7)
	l.Records[5] = record(6, l.Records[5].Date, "mended")
	l.Nights += 7
	l.whole(t)
	l.stand(t, 8)
}

// TestOAILeftOut: a record that cannot be read is told by its place and identifier, and costs
// nothing else: the others are read, one that stood stays, and the list is whole. Where its
// identifier cannot be read either, nothing that is not listed is gone.
func TestOAILeftOut(t *testing.T) {
	l := wells(t, 8, wellsRoot)
	l.Page = 3
	good := l.Records[4].Metadata["marc21"]
	l.Records[4].Metadata["marc21"] = "<record><leader></record>"
	same(t, "asked", shape(l.whole(t)), []string{"Identify", "ListMetadataFormats", "ListRecords", "token", "token"})
	l.stand(t, 7)
	if len(l.Notes) != 2 || l.Notes[0] != wellsRoot+` record 5 (oai:wells.example:wl0005): not well formed: end of "record" in "leader"` {
		t.Errorf("notes %q", l.Notes)
	}
	l.Nights++
	l.Records[4] = record(5, l.Nights.Now(), "mended")
	l.whole(t)
	l.stand(t, 8)
	l.Nights++
	l.Records[4] = record(5, l.Nights.Now(), "spoilt")
	l.Records[4].Metadata["marc21"] = good[:len(good)/2]
	l.whole(t)
	l.stand(t, 8)
	l.Nights += 90
	l.Records = l.Records[:7]
	l.Before = func(r *http.Request) http.Handler {
		if r.URL.Query().Get("verb") != "ListIdentifiers" {
			return nil
		}
		list := "<OAI-PMH><ListIdentifiers><header><identifier>oai:wells.example:wl0001<identifier></header>"
		for i := range 6 {
			list += fmt.Sprintf("<header><identifier>oai:wells.example:wl%04d</identifier><datestamp>2026-01-05</datestamp></header>", i+2)
		}
		return lab.Text("text/xml", list+"</ListIdentifiers></OAI-PMH>")
	}
	l.whole(t)
	l.stand(t, 8)
	l.Before = nil
	l.Nights += 7
	l.whole(t)
	l.stand(t, 7)
}

// TestOAICut: a page that is cut is asked for once more in a night, whatever page it is. After
// a week its list is read in halves.
func TestOAICut(t *testing.T) {
	l := wells(t, 8, wellsRoot)
	l.Page = 2
	down := true
	l.Before = func(r *http.Request) http.Handler {
		if down && r.URL.Query().Has("resumptionToken") {
			return lab.Text("text/xml", "<OAI-PMH><ListRecords><record><header>")
		}
		return nil
	}
	for night, want := range [][]string{{"Identify", "ListMetadataFormats", "ListRecords", "token", "token"}, {"Identify", "token", "token"}, {"Identify", "token", "token"}} {
		l.stops(t, harvest.Outage, "its answer was cut: it ends in the middle")
		same(t, fmt.Sprint("night ", night), shape(l.Asked()), want)
		l.stand(t, 2)
		l.Nights++
	}
	l.Nights += 5
	l.whole(t)
	if asked := shape(l.Asked()); len(asked) > 20 {
		t.Errorf("asked %q", asked)
	}
	l.stand(t, 8)
	down = false
	l.Nights++
	l.whole(t)
	if len(l.Notes) > 0 {
		t.Errorf("notes %q", l.Notes)
	}
}

// TestOAIOutage: the mark stays at the last page that came. The next night goes on with
// its token or, where that is not valid any more, begins the window again.
func TestOAIOutage(t *testing.T) {
	for _, life := range []time.Duration{0, time.Hour} {
		for _, silent := range []bool{false, true} {
			l := wells(t, 8, wellsRoot)
			l.Page, l.TokenLife, l.Silent = 2, life, silent
			n := 0
			l.Before = func(r *http.Request) http.Handler {
				if n++; n > 4 {
					return http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
				}
				return nil
			}
			l.stops(t, harvest.Outage, "tcp-reset")
			l.stand(t, 4)
			if asked := shape(l.Asked()); len(asked) != 5 {
				t.Errorf("asked %q", asked)
			}
			l.Nights++
			l.stops(t, harvest.Outage, "tcp-reset")
			l.Nights, l.Before = l.Nights+1, nil
			l.Asked()
			want := []string{"Identify", "token", "token"}
			if life > 0 {
				want = []string{"Identify", "ListRecords", "token", "token", "token"}
				if silent {
					want = slices.Insert(want, 1, "token")
				}
			}
			same(t, fmt.Sprint("after the outage, tokens of ", life), shape(l.whole(t)), want)
			l.stand(t, 8)
			l.Nights++
			same(t, "the night after", shape(l.whole(t)), []string{"Identify", "ListRecords from 2026-02-28T03:00:00Z"})
		}
	}
}

func TestOAIBound(t *testing.T) {
	l := wells(t, 8, wellsRoot)
	l.root.Documents = 5
	l.whole(t)
	l.stand(t, 5)
	if len(l.Notes) != 1 || l.Notes[0] != "5 documents are the bound" {
		t.Errorf("notes %q", l.Notes)
	}
	l.Nights += 90
	l.whole(t)
	l.stand(t, 5)
}

// TestOAIRecords: what is no document, and what has no metadata.
func TestOAIRecords(t *testing.T) {
	l := wells(t, 4, wellsRoot)
	l.Records[0].ID, l.Records[1].ID = "", strings.Repeat("x", 3000)
	l.whole(t)
	l.stand(t, 2)
	if len(l.Notes) != 1 || !strings.Contains(l.Notes[0], "without an identifier") {
		t.Errorf("notes %q", l.Notes)
	}
	l.Nights++
	l.Records = l.Records[2:]
	l.Before = on("ListRecords", lab.Text("text/xml", `<OAI-PMH><ListRecords><record><header><identifier>oai:wells.example:wl0003</identifier><datestamp>2026-03-01T00:00:00Z</datestamp></header></record></ListRecords></OAI-PMH>`))
	l.whole(t)
	l.stand(t, 2)
	if l.Told[harvest.Failed] != 1 {
		t.Errorf("told %v", l.Told)
	}
}

// TestOAIMark: a mark that is none of ours is as none, and a mark is small.
func TestOAIMark(t *testing.T) {
	for _, mark := range []string{"", "{", `{"windows":3}`, strings.Repeat(" ", 2<<20), `{"last":"2026-03-01T00:00:00Z","windows":[` + strings.Repeat("{},", 200) + "{}]}"} {
		l := wells(t, 3, wellsRoot)
		h := harvest.NewOAI(l.root, served(&l.OAI), l.options)
		read := 0
		for item, err := range h.Harvest(t.Context(), marked{mark}) {
			if err != nil {
				t.Errorf("%.20q: %v", mark, err)
			}
			if item.Kind == harvest.Read {
				read++
			}
			if len(item.Mark) > 2000 {
				t.Errorf("a mark of %d octets", len(item.Mark))
			}
		}
		if read != 3 {
			t.Errorf("%.20q: %d records", mark, read)
		}
	}
}

// TestOAIWanted: how a repository is asked.
func TestOAIWanted(t *testing.T) {
	l := wells(t, 1, wellsRoot)
	l.root.Secret = check.Secret{Token: "open sesame"}
	inner := served(&l.OAI)
	reader := check.ReadFunc(func(ctx context.Context, t1 check.Target, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
		if !reflect.DeepEqual(w, check.Wanted{AnyStatus: true, NoRobots: true, MaxBytes: 64 << 20, Secret: l.root.Secret}) {
			t.Errorf("wanted %+v", w)
		}
		return inner.Read(ctx, t1, w, take)
	})
	if err := l.Run(t.Context(), harvest.NewOAI(l.root, reader, harvest.Options{}), 0, false); err != nil {
		t.Error(err)
	}
	l.stand(t, 1)
}
