package faults_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
	"linkcheck/lint"
	"linkcheck/report/faults"
)

// planted are fields with their one fault and its repair; {n} is the number of the record.
var planted = []struct{ field, code, repair string }{
	{"85640|u", lint.Empty, ""},
	{"85640|uN/A", lint.NoAddress, ""},
	{"85640|uhttp://", lint.NoAddress, ""},
	{"85640|uhttp//www.x.test/{n}", lint.Scheme, "http://www.x.test/{n}"},
	{"85640|uhtp://www.x.test/{n}", lint.Scheme, "http://www.x.test/{n}"},
	{"85640|uwww.x.test/{n}", lint.Scheme, "http://www.x.test/{n}"},
	{"85640|uhttp://www.x.test/?id={n}&amp;b=2", lint.Reference, "http://www.x.test/?id={n}&b=2"},
	{"85640|uhttp://www.x.test/a {n}.pdf", lint.Blanks, "http://www.x.test/a%20{n}.pdf"},
	{"85640|uhttp://www.x.test/end/{n} ", lint.Blanks, "http://www.x.test/end/{n}"},
	{"85640|uhttp://192.168.0.1/{n}", lint.Private, ""},
	{"85640|uhttp://opac/{n}", lint.Private, ""},
	{"85640|udoi:10.1000/{n}", lint.Unclickable, "https://doi.org/10.1000/{n}"},
	{"85640|uhdl:2027/{n}", lint.Unclickable, "https://hdl.handle.net/2027/{n}"},
	{"85640|uhttp://a.test/two/{n} http://b.test/two/{n}", lint.Several, "http://a.test/two/{n} $u http://b.test/two/{n}"},
	{"85610|uhttp://www.x.test/ind/{n}", lint.Indicator, "4"},
	{"85640|uftp://ftp.x.test/{n}", lint.Indicator, "1"},
	{"85640|uhttp://www.x.test/same/{half}", lint.Same, ""},
}

// clean are fields that are right, however odd.
var clean = []string{
	"85640|uhttps://doi.org/10.1000/{n}&amp%3b", "85640|uhttp://a.example/{n}?u=http://b.example/", "85640|uhttps://proxy.x.test/login?url=https://b.example/{n}",
	"85641|3Contents|uhttp://www.x.test/toc/{n}.html|zOpen access", "856  |uftp://ftp.x.test/pub/{n}", "8567 |ugopher://g.x.test/0{n}|2gopher", "8560 |umailto:m{n}@x.test",
	"85642|uhttps://web.archive.org/web/2010/http://c.test/{n}", "520  |aSee N/A|uhttp://www.x.test/note/{n}", "540  |aLicence|uhttps://creativecommons.org/licenses/by/4.0/",
	"85640|uurn:nbn:de:101:1-{n}", "100 |aName|uN/A", "85640|uhttp://www.x.test/a,b;c/{n}", "85640|uhttps://[2001:db8::1]/{n}", "773 |uTR {n}",
	"85640|uHTTP://WWW.X.TEST/%7Ea%20b/{n}", "85640|uhttp://www.x.test/{n}#a?b=http://c.test/;d",
}

// TestCatalogue: of many records, every planted fault is found with its record and repair, and
// nothing else. LINKCHECK_SIMULATION_RECORDS says how many records there are.
func TestCatalogue(t *testing.T) {
	records := 3400
	if n, err := strconv.Atoi(os.Getenv("LINKCHECK_SIMULATION_RECORDS")); err == nil {
		records = n
	}
	var text strings.Builder
	want := map[string]string{}
	for i := range records {
		number := strconv.Itoa(i)
		filled := func(s string) string {
			return strings.NewReplacer("{n}", number, "{half}", strconv.Itoa(i/len(planted)/10/2)).Replace(s)
		}
		fields := []string{"001b" + number, "24510|aTitle " + number, filled(clean[i%len(clean)])}
		if i%10 == 3 {
			p := planted[i/10%len(planted)]
			fields = append(fields, filled(p.field))
			want["b"+number+" "+p.code] = filled(p.repair)
		}
		text.WriteString(testdoc.MARC(fields...))
	}
	document, begun := text.String(), time.Now()
	rows := faults.Documents(extract.Document("a.mrc", strings.NewReader(document), extract.Options{Faults: true}), func(err error) { t.Error(err) })
	found, wrong := len(want), 0
	for r := range rows {
		key := r.Record + " " + r.Code
		if repair, ok := want[key]; !ok || repair != r.Repair {
			if wrong++; wrong < 10 {
				t.Errorf("false: %+v, repair %q", r, r.Repair)
			}
		}
		delete(want, key)
	}
	missed := 0
	for key := range want {
		if missed++; missed < 10 {
			t.Errorf("missed: %s", key)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d records, %d octets: %d planted, %d missed, %d false; %v, heap %d MB", records, len(document), found, missed, wrong, time.Since(begun).Round(time.Millisecond), m.HeapSys>>20)
	if found < len(planted) {
		t.Error("not every fault was planted")
	}
}

// TestSameOrder: an address in several records is told of each, in the order of the document.
func TestSameOrder(t *testing.T) {
	var text strings.Builder
	for i, url := range []string{"http://b.test/", "http://a.test/", "HTTP://A.test:80/", "http://c.test/", "http://b.test/"} {
		text.WriteString(testdoc.MARC(fmt.Sprintf("001r%d", i), "85640|u"+url))
	}
	var got []string
	for r := range faults.Documents(extract.Document("a.mrc", strings.NewReader(text.String()), extract.Options{Faults: true}), func(err error) { t.Error(err) }) {
		got = append(got, r.Code+" "+r.Record+" "+r.Value+" "+strings.Join(r.Also, ","))
	}
	if want := []string{"same-url r0 http://b.test/ r4", "same-url r4 http://b.test/ r0", "same-url r1 http://a.test/ r2", "same-url r2 HTTP://A.test:80/ r1"}; !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
}
