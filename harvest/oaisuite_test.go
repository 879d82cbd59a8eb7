package harvest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/internal/lab"
)

// emptyOAI is what a repository that holds nothing answers at an address.
func emptyOAI(address string) (media, body string) {
	answer := `<error code="noRecordsMatch">no records found</error>`
	switch {
	case strings.Contains(address, "verb=Identify"):
		answer = "<Identify><earliestDatestamp>2026-01-01</earliestDatestamp><granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify>"
	case strings.Contains(address, "verb=ListMetadataFormats"):
		answer = "<ListMetadataFormats/>"
	}
	return "text/xml", "<OAI-PMH><responseDate>2026-03-01T03:00:00Z</responseDate>" + answer + "</OAI-PMH>"
}

// endlessOAI is a repository whose lists do not end.
func endlessOAI(list func(n int) string) func() check.Reader {
	return func() check.Reader {
		n := 0
		return served(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if verb := r.URL.Query().Get("verb"); verb != "ListRecords" {
				media, body := emptyOAI("verb=" + verb)
				lab.Text(media, body)(w, r)
				return
			}
			n++
			lab.Text("text/xml", "<OAI-PMH><responseDate>2026-03-01T03:00:00Z</responseDate>"+list(n)+"</OAI-PMH>")(w, r)
		}))
	}
}

func TestOAISuite(t *testing.T) {
	root, err := harvest.ParseRoot(wellsRoot + "?metadataPrefix=marc21")
	if err != nil {
		t.Fatal(err)
	}
	root.Documents = 30
	header := "<record><header><identifier>wl%d</identifier><datestamp>2026-01-01T00:00:00Z</datestamp></header><metadata><a xmlns='u'/></metadata></record>"
	for _, days := range []bool{false, true} {
		Run(t, Case{
			Open: func(r check.Reader, now func() time.Time) harvest.Harvester {
				return harvest.NewOAI(root, r, harvest.Options{Now: now})
			},
			World: func() check.Reader {
				l := wells(t, 9, wellsRoot)
				l.Page, l.Days = 2, days
				l.Records[3].Deleted = true
				return served(&l.OAI)
			},
			Empty: emptyOAI,
			Endless: map[string]func() check.Reader{
				"records": endlessOAI(func(n int) string {
					return fmt.Sprintf("<ListRecords>"+header+"<resumptionToken>%d</resumptionToken></ListRecords>", n, n)
				}),
				"empty pages": endlessOAI(func(n int) string {
					return fmt.Sprintf("<ListRecords><resumptionToken>%d</resumptionToken></ListRecords>", n)
				}),
				"one token": endlessOAI(func(n int) string {
					return fmt.Sprintf("<ListRecords>"+header+"<resumptionToken>x</resumptionToken></ListRecords>", n)
				}),
				"bad tokens": endlessOAI(func(n int) string {
					return []string{fmt.Sprintf("<ListRecords>"+header+"<resumptionToken>x</resumptionToken></ListRecords>", n), `<error code="badResumptionToken"/>`}[1-n%2]
				}),
				"broken pages": endlessOAI(func(n int) string { return "<ListRecords></b>" }),
			},
			Requests: 200,
			Again:    3,
		})
	}
}

// FuzzOAIMark: whatever a mark says, the harvest ends, and the mark behind it is small.
func FuzzOAIMark(f *testing.F) {
	f.Add([]byte(`{"prefix":"marc21","windows":[{"from":"2026-02-01","until":"2026-03-01","token":"x","seen":3,"size":9},{"ids":true,"all":true}],"last":"2026-02-01T00:00:00Z","all":true}`))
	f.Add([]byte(`{"failed":[{"from":"2026-02-01"}],"late":{"from":"a"},"next":"2026-02-01T00:00:00Z","why":7,"loose":true}`))
	f.Fuzz(func(t *testing.T, mark []byte) {
		l := wells(t, 9, wellsRoot+"?metadataPrefix=marc21")
		l.Page = 2
		last := mark
		for item, err := range l.Harvest(t.Context(), marked{string(mark)}) {
			if err != nil && err.Error() == "" {
				t.Error("an error without words")
			}
			if item.Mark != nil {
				last = item.Mark
			}
		}
		if n := len(l.Asked()); n > 2000 || len(last) > len(mark)+2000 {
			t.Errorf("%d requests, a mark of %d octets behind one of %d", n, len(last), len(mark))
		}
	})
}
