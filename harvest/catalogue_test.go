package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
	"linkcheck/internal/lab"
	"linkcheck/uri"
)

// served reads from a handler, without a network.
func served(h http.Handler) check.Reader {
	return check.ReadFunc(func(ctx context.Context, t check.Target, w check.Wanted, take func(*check.Answer) error) (r check.Result, err error) {
		if err := ctx.Err(); err != nil {
			return check.Classify(err), nil
		}
		out := httptest.NewRecorder()
		defer func() {
			if recover() != nil {
				r, err = check.New(check.Temporary, check.ReasonTCPReset, ""), nil
			}
		}()
		h.ServeHTTP(out, httptest.NewRequest("GET", t.URI.String(), nil))
		outcome := map[int]check.Outcome{200: check.OK, 401: check.Auth, 403: check.Blocked, 404: check.Gone, 500: check.Temporary, 503: check.Temporary}[out.Code]
		r = check.New(outcome, check.ReasonHTTP(out.Code), "HTTP/1.1 "+http.StatusText(out.Code))
		r.RetryAfter = check.RetryAfter(out.Header(), time.Now, 24*time.Hour)
		if to := out.Header().Get("Location"); to != "" {
			u, err := uri.Parse(to)
			if err != nil {
				return check.InvalidResult(err), nil
			}
			return check.Result{}, &check.Elsewhere{To: u}
		}
		return r, take(&check.Answer{Body: out.Body, URI: t.URI, Media: out.Header().Get("Content-Type")})
	})
}

// repository is a repository of OAI-PMH, the night in it, and what is kept of it.
type repository struct {
	lab.OAI
	harvesttest.Nights
	harvesttest.Store
	root    harvest.Root
	options harvest.Options
	watch   func(harvest.Item) // sees what is told; may be nil
}

// Harvest implements harvest.Harvester.
func (l *repository) Harvest(ctx context.Context, known harvest.Known) iter.Seq2[harvest.Item, error] {
	return func(yield func(harvest.Item, error) bool) {
		for item, err := range harvest.NewOAI(l.root, served(&l.OAI), l.options).Harvest(ctx, known) {
			if l.watch != nil {
				l.watch(item)
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

// wells is a repository of n records, changed on the days before the first night.
func wells(t testing.TB, n int, root string) *repository {
	t.Helper()
	l := &repository{}
	l.Formats = [][2]string{{"oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc/"}, {"marc21", "http://www.loc.gov/MARC21/slim"}}
	l.Sets = []string{"ebooks", "maps"}
	l.OAI.Now = l.Nights.Now
	for i := range n {
		l.Records = append(l.Records, record(i+1, l.Nights.Now().AddDate(0, 0, i-n-1), "first"))
	}
	var err error
	if l.root, err = harvest.ParseRoot(root); err != nil {
		t.Fatal(err)
	}
	l.options.Now = l.Nights.Now
	return l
}

const marcRecord = `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">wl%04d</controlfield><datafield tag="245" ind1="1" ind2="0"><subfield code="a">Title %d</subfield></datafield><datafield tag="856" ind1="4" ind2="0"><subfield code="u">http://www.wells.example/%d/%s</subfield></datafield></record>`

// record is a record of a catalogue.
func record(n int, date time.Time, edition string) lab.CatalogueRecord {
	return lab.CatalogueRecord{ID: fmt.Sprintf("oai:wells.example:wl%04d", n), Date: date, Sets: []string{"ebooks"}, Metadata: map[string]string{
		"marc21": fmt.Sprintf(marcRecord, n, n, n, edition),
		"oai_dc": fmt.Sprintf(`<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Title %d</dc:title></oai_dc:dc>`, n),
	}}
}

// night is one reading of the repository by h.
func (l *repository) night(t testing.TB) error {
	t.Helper()
	err := l.Run(t.Context(), l, 0, false)
	for _, w := range l.Wrong {
		if !strings.HasPrefix(w, "asked twice in a sweep") { // lists overlap
			t.Error(w)
		}
	}
	l.Wrong = nil
	return err
}

// whole is a night that must end whole.
func (l *repository) whole(t testing.TB) []string {
	t.Helper()
	if err := l.night(t); err != nil {
		t.Fatalf("%v; notes %q", err, l.Notes)
	}
	if ended, _ := l.Whole(); !ended {
		t.Fatal("the sweep has not ended")
	}
	return l.Asked()
}

// stops is a night that must end with a Stop.
func (l *repository) stops(t testing.TB, why harvest.Reason, text string) {
	t.Helper()
	stop := (*harvest.Stop)(nil)
	if err := l.night(t); !errors.As(err, &stop) || stop.Why != why || !strings.Contains(stop.Text, text) {
		t.Errorf("it ends with %v, want %s: %s", err, why, text)
	}
	if ended, _ := l.Whole(); ended {
		t.Error("the sweep has ended")
	}
}

// stand fails the test where not n documents stand.
func (l *repository) stand(t testing.TB, n int) {
	t.Helper()
	if got := len(l.Standing()); got != n {
		t.Errorf("%d documents stand, want %d", got, n)
	}
}

// wellsName is the name of a record of wells.
func wellsName(n int) string {
	return fmt.Sprintf("http://wells.example/oai?verb=GetRecord&metadataPrefix=marc21&identifier=oai%%3Awells.example%%3Awl%04d", n)
}

func same(t testing.TB, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// marked knows a mark and no document.
type marked struct{ mark string }

func (m marked) Mark() []byte                               { return []byte(m.mark) }
func (marked) Document(string) (d harvest.Document, _ bool) { return d, false }
func (marked) Documents() iter.Seq[harvest.Document]        { return func(func(harvest.Document) bool) {} }
func (marked) Linked(string) bool                           { return false }
func (marked) Elsewhere(string) bool                        { return false }
func (marked) MetSince(string, string) bool                 { return false }
func (marked) Enough() bool                                 { return false }
func (marked) Kept(string) []byte                           { return nil }
