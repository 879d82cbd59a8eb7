package records

import (
	"bytes"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"linkcheck/internal/lab/labtest"
	"linkcheck/internal/testdoc"
)

// chunks reads n octets at a time.
type chunks struct {
	r io.Reader
	n int
}

func (c chunks) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.n)]) }

// FuzzOAI: a page is read in pieces as it is at once, and a record that is put into
// another page is the same.
func FuzzOAI(f *testing.F) {
	seed(f, "oai-*.txt")
	f.Add(listRecords(`xmlns:m="u"`, `<m:a>&#x1;&#65; & caf`+"\xe9\xc3"+`</m:a>`), 1)
	f.Fuzz(func(t *testing.T, page string, n int) {
		n = 1 + (n & 0xFFF)
		whole, all, err := oai(strings.NewReader(page))
		pieces, same, err2 := oai(chunks{strings.NewReader(page), n})
		if !reflect.DeepEqual(whole, pieces) || !reflect.DeepEqual(all, same) || text(err) != text(err2) {
			t.Fatalf("in pieces of %d: %+v %+v %v, want %+v %+v %v", n, pieces, same, err2, whole, all, err)
		}
		if whole.Records != len(all) {
			t.Errorf("%d records, and %d came", whole.Records, len(all))
		}
		for _, r := range all {
			again(t, r.Body, r.Facts)
		}
	})
}

// FuzzPassedOver: whatever stands in one record, those before and behind it are read, and the token
// is found, unless it ends the record itself.
func FuzzPassedOver(f *testing.F) {
	for _, bad := range []string{"<b></c>", "<b", "<b a=\"", "<!--", "<![CDATA[", "<?x", "<!DOCTYPE b [", "</metadata>", "&#", "</OAI-PMH>", "\xff<"} {
		f.Add(bad, 100)
	}
	f.Fuzz(func(t *testing.T, bad string, n int) {
		for _, frame := range []string{"record", "ListRecords", "resumptionToken"} {
			if strings.Contains(bad, frame) {
				t.Skip("it stands for the page")
			}
		}
		page := strings.Replace(listRecords("", "<a xmlns='u'/>", bad, "<z xmlns='u'/>"), "</ListRecords>", "<resumptionToken>t</resumptionToken></ListRecords>", 1)
		p, all, err := oai(chunks{strings.NewReader(page), 1 + (n & 0xFFF)})
		if err != nil || p.Token.Value != "t" || len(all) != 3 || all[0].Body != prolog+"<a xmlns='u'/>" || all[2].Body != prolog+"<z xmlns='u'/>" || all[2].ID != "oai:wells.example:3" {
			t.Errorf("%q: %v, %+v, %+v", bad, err, p, all)
		}
		if len(all) == 3 && all[1].Fault != "" && all[1].Body != "" {
			t.Errorf("%q: %+v", bad, all[1])
		}
	})
}

// FuzzSRU holds of SRU what FuzzOAI does of OAI-PMH.
func FuzzSRU(f *testing.F) {
	seed(f, "sru-*.txt")
	f.Fuzz(func(t *testing.T, page string, n int) {
		n = 1 + (n & 0xFFF)
		whole, all, err := sru(strings.NewReader(page))
		pieces, same, err2 := sru(chunks{strings.NewReader(page), n})
		if !reflect.DeepEqual(whole, pieces) || !reflect.DeepEqual(all, same) || text(err) != text(err2) {
			t.Fatalf("in pieces of %d: %+v %+v %v, want %+v %+v %v", n, pieces, same, err2, whole, all, err)
		}
	})
}

func seed(f *testing.F, pattern string) {
	f.Helper()
	f.Add(listRecords("", "<a/>"), 7)
	names, err := filepath.Glob(filepath.Join(labtest.Transcripts(f), "harvest", pattern))
	if err != nil || len(names) == 0 {
		f.Fatalf("no sessions %s, %v", pattern, err)
	}
	for _, name := range names {
		f.Add(recorded(f, filepath.Base(name)), 13)
	}
}

// again reads a record in a page of its own.
func again(t *testing.T, body string, facts Facts) {
	inner, ok := strings.CutPrefix(body, prolog)
	if !ok {
		return
	}
	page := "<OAI-PMH><ListRecords><record><header/><metadata>" + inner + "</metadata></record></ListRecords></OAI-PMH>"
	_, all, err := oai(strings.NewReader(page))
	if err != nil || len(all) != 1 || all[0].Body != body || all[0].Facts != facts {
		t.Errorf("%q %+v: again it is %+v, %v", body, facts, all, err)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func BenchmarkOAI(b *testing.B) {
	marc := `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">wl0001</controlfield><datafield tag="245" ind1="1" ind2="0"><subfield code="a">Universal document identifiers</subfield></datafield><datafield tag="856" ind1="4" ind2="0"><subfield code="u">http://www.wells.example/udi</subfield></datafield></record>`
	var all []string
	for range 100 {
		all = append(all, marc)
	}
	page := []byte(listRecords("", all...))
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		if p, _, err := oai(bytes.NewReader(page)); err != nil || p.Records != 100 {
			b.Fatal(p, err)
		}
	}
	b.ReportMetric(100*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

// FuzzMARC: what a record says of itself is text of a bounded size, whatever its directory
// says.
func FuzzMARC(f *testing.F) {
	f.Add([]byte(testdoc.MARC("001wl0001", "003DLC", "24510\x1faTitle :\x1fba survey")))
	f.Fuzz(func(t *testing.T, record []byte) {
		facts := MARC(record)
		for _, s := range []string{facts.Control, facts.Agency, facts.Title} {
			if !utf8.ValidString(s) || len(s) > maxID || strings.TrimSpace(s) != s {
				t.Errorf("%q", s)
			}
		}
	})
}
