package harvest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/checktest"
	"linkcheck/check/z3950"
	"linkcheck/harvest"
	"linkcheck/harvest/harvesttest"
	"linkcheck/internal/lab"
	"linkcheck/internal/lab/labtest"
	"linkcheck/internal/testdoc"
)

// database is a database of Z39.50, the night in it, and what is kept of it.
type database struct {
	lab.Z3950Set
	harvesttest.Nights
	harvesttest.Store
	root harvest.Root
}

// databaseOf has n records.
func databaseOf(t testing.TB, n int, form string) *database {
	t.Helper()
	d := &database{}
	for i := range n {
		d.Records = append(d.Records, marc(i+1, "first"))
	}
	at := labtest.Start(t, d.Serve)
	var err error
	if d.root, err = harvest.ParseRoot("z39.50s://" + at + "/books" + form); err != nil {
		t.Fatal(err)
	}
	return d
}

// marc is a record of MARC.
func marc(n int, edition string) []byte {
	return []byte(testdoc.MARC(fmt.Sprintf("001wl%04d", n), fmt.Sprintf("24510\x1faTitle %d /\x1fcW. Wells", n), fmt.Sprintf("85640\x1fuhttp://www.wells.example/%d/%s", n, edition)))
}

func readerOfZ3950() check.Reader {
	return z3950.New(check.Options{Dialer: checktest.Loopback(), Timeout: 5 * time.Second}).(check.Reader)
}

// Harvest implements harvest.Harvester.
func (d *database) Harvest(ctx context.Context, known harvest.Known) iter.Seq2[harvest.Item, error] {
	return harvest.NewZ3950(d.root, readerOfZ3950(), harvest.Options{Now: d.Nights.Now}).Harvest(ctx, known)
}

// night is one reading, which must end as is said, and n documents stand then.
func (d *database) night(t testing.TB, end string, n int) {
	t.Helper()
	err := d.Run(t.Context(), d, 0, false)
	stop := (*harvest.Stop)(nil)
	if ended, _ := d.Whole(); end == "" && (err != nil || !ended) || end != "" && (!errors.As(err, &stop) || ended || stop.Error() != end) {
		t.Errorf("it ends with %v (whole: %v), want %q; notes %q", err, ended, end, d.Notes)
	}
	if got := len(d.Standing()); got != n {
		t.Errorf("%d documents stand, want %d", got, n)
	}
	for _, w := range d.Wrong {
		t.Error(w)
	}
	d.Wrong = nil
	d.Nights++
}

func TestZ3950(t *testing.T) {
	d := databaseOf(t, 250, "")
	d.night(t, "", 250)
	if asked := d.Asked(); !slices.Equal(asked, []string{"", "", ""}) {
		t.Errorf("asked %q", asked)
	}
	if doc, ok := d.Document(d.root.URI + "#wl0007"); !ok || doc.Record != "wl0007" || doc.Title != "Title 7" || doc.Media != "application/marc" {
		t.Errorf("%v %+v", ok, doc)
	}
	d.Records = append(slices.Delete(d.Records, 3, 5), marc(251, "first"))
	d.Records[9] = marc(12, "second")
	d.night(t, "", 249)
	if d.Told[harvest.Read] != 2 || d.Told[harvest.Gone] != 2 || d.Told[harvest.Same] != 247 || !strings.Contains(d.Report(), "/12/second") {
		t.Errorf("told %v", d.Told)
	}
	d.Change(func() { d.Refuses = 235 })
	d.night(t, "not understood: 235: database does not exist", 249)
	d.Change(func() { d.Refuses = 109 })
	d.night(t, "in outage: z3950-109: diagnostic 109 database unavailable", 249)
	d.Change(func() { d.Refuses, d.Hangs = 0, 30 })
	d.night(t, "in outage: eof: connection closed too early", 249)
	d.Change(func() { d.Most = 10 }) // in the middle of a portion
	d.Asked()
	d.night(t, "in outage: its answer was cut: eof: connection closed too early", 249)
	d.night(t, "in outage: its answer was cut: eof: connection closed too early", 249)
	if n := len(d.Asked()); n != 4 {
		t.Errorf("a database that hangs up is searched %d times in two nights", n)
	}
	d.Change(func() { d.Hangs = 0 })
	d.night(t, "", 249)
	d.Change(func() { d.Records[20] = nil })
	d.night(t, "incomplete: 248 different records of 249 came", 249)
	d.Change(func() { d.Records = nil })
	d.night(t, "broken: no record is found, where there were some", 249)
}

// TestZ3950Forms: USmarc, where there is some, else XML; or what the root names.
func TestZ3950Forms(t *testing.T) {
	for form, want := range map[string]string{"": "", ";rs=xml": "", ";esn=F": "", "format xml": "", ";rs=unimarc": "not understood: 239", "format unimarc": "not understood: 239"} {
		format, named := strings.CutPrefix(form, "format ")
		if named {
			form = ""
		} else {
			format = ""
		}
		d := databaseOf(t, 0, form)
		d.XML, d.root.Format = true, format
		for i := range 3 {
			d.Records = append(d.Records, fmt.Appendf(nil, marcRecord, i, i, i, "x"))
		}
		n := 3
		if want != "" {
			n = 0
		}
		d.night(t, want, n)
		d.night(t, want, n)
		for _, name := range d.Standing() {
			if doc, _ := d.Document(name); doc.Media != "application/xml" || !strings.HasPrefix(doc.Title, "Title ") {
				t.Errorf("%+v", doc)
			}
		}
	}
}

func TestZ3950Query(t *testing.T) {
	d := databaseOf(t, 3, "")
	d.root.Query = `@and "old maps" @attr 1=4 wells`
	d.night(t, "", 3)
	if asked := d.Asked(); !slices.Equal(asked, []string{"old maps", "wells"}) {
		t.Errorf("asked %q", asked)
	}
	d.root.Query = "@near a b"
	d.night(t, `refused: uri-z3950-query: "@near" is none of @and, @or, @not and @attr`, 3)
}

func TestZ3950Suite(t *testing.T) {
	d := databaseOf(t, 9, "")
	d.Most = 4
	Run(t, Case{
		Open: func(r check.Reader, now func() time.Time) harvest.Harvester {
			return harvest.NewZ3950(d.root, r, harvest.Options{Now: now})
		},
		World: readerOfZ3950,
		Again: 1,
	})
}
