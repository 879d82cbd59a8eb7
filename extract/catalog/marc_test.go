package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/testdoc"
)

func TestMARC(t *testing.T) {
	rec := testdoc.MARC("001b1", "24510|aTitle :|brest /", "500  |aSee http://n.org/x.", "85640|3Text|uhttp://a.org/1|uhttp://a.org/2", "8564 |uurn:isbn:0451450523|zx", "100  |u12/3/1996|0(uri)http://id.org/9")
	damaged := func(s string) string { return "damage: a.mrc: record at byte " + s }
	want := []string{"1 b1|500[1]$a http://n.org/x", "1 b1|856[1]$u http://a.org/1", "1 b1|856[1]$u[2] http://a.org/2", "1 b1|856[2]$u urn:isbn:0451450523", "1 b1|100[1]$0 http://id.org/9"}
	second := testdoc.MARC("001b2", "856  |uhttp://b.org/")
	wrong := "00009" + rec[5:] // the length lies
	shift := strings.Replace(rec, "00000245", "00007245", 1)
	extracttest.Run(t, "a.mrc", doc.Options{}, []extracttest.Case{
		{"a record", rec, want},
		{"two, a line break between", rec + "\r\n" + second, append(slices.Clone(want), "2 b2|856[1]$u http://b.org/")},
		{"a wrong record length", wrong + second, append(slices.Clone(want), "1 b2|856[1]$u http://b.org/")},
		{"a directory that points elsewhere", shift + second, append(append([]string{damaged("0: the directory does not fit the fields: fields taken in order")},
			want...), "1 b2|856[1]$u http://b.org/")},
		{"cut short", second + rec[:strings.Index(rec, "a.org/2")+7], []string{"1 b2|856[1]$u http://b.org/",
			damaged(fmt.Sprint(len(second)) + ": MARC record is cut short"), "1 b1|500[1]$a http://n.org/x", "1 b1|856[1]$u http://a.org/1", "1 b1|856[1]$u[2] http://a.org/2"}},
	})
}

// The location in binary MARC is record and field: its lines mean nothing.
func TestMARCLocation(t *testing.T) {
	rec := testdoc.MARC("001b1", "856  |uhttp://a.org/", "856  |uhttp://b.org/")
	text := "=LDR  00000nam a2200000   4500\n=001  b1\n=856  4\\$uhttp://a.org/\n"
	for _, tt := range []struct{ name, data, want string }{
		{"a b.mrc", rec, "a b.mrc b1 856[1]$u; a b.mrc b1 856[2]$u"},
		{"a.mrc", testdoc.MARC("245  |aNo number", "856  |uhttp://a.org/"), "a.mrc 856[1]$u"},
		{"a.mrk", text, "a.mrk:3:11"}, // an editor goes there
	} {
		var got []string
		for f, err := range extract.Document(tt.name, strings.NewReader(tt.data), doc.Options{}) {
			if err != nil || f.Line == 0 {
				t.Fatalf("%s: line %d, %v", tt.name, f.Line, err)
			}
			got = append(got, f.Location())
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, s, tt.want)
		}
	}
}

func TestMARCOptions(t *testing.T) {
	rec := testdoc.MARC("001b1", "035  |a(X)77", "555  |uhttp://f.org/", "856  |uhttp://a.org/|xwww.h.org", "856  |uh.org/x", "8561 |uftp.uu.net:/pub/x")
	got := extracttest.Records("a.mrc", rec, doc.Options{MARC: []string{"856u"}, RecordID: "035"})
	want := []string{"1 (X)77|555[1]$u http://f.org/", "1 (X)77|856[1]$u http://a.org/", "1 (X)77|856[1]$x http://www.h.org", "1 (X)77|856[2]$u (h.org/x)", "1 (X)77|856[3]$u ftp://ftp.uu.net/pub/x"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReference: an "&amp;" in $u is a copy of the source of a page; the address is without.
func TestReference(t *testing.T) {
	for name, text := range map[string]string{
		"a.mrc": testdoc.MARC("001b1", "520  |aSee http://n.org/?a&amp;b now", "856  |uhttp://a.org/?x=1&amp;y=2"),
		"a.mrk": "=LDR  00000nam\n=001  b1\n=520  \\\\$aSee http://n.org/?a&amp;b now\n=856  \\\\$uhttp://a.org/?x=1&amp;y=2\n",
	} {
		var got []string
		for f, err := range extract.Document(name, strings.NewReader(text), doc.Options{}) {
			if err != nil {
				t.Fatal(name, err)
			}
			got = append(got, f.URI+" "+f.Raw)
		}
		if want := []string{"http://n.org/?a&amp;b http://n.org/?a&amp;b", "http://a.org/?x=1&y=2 http://a.org/?x=1&amp;y=2"}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestIDInSubfield: the id of a record may be a subfield that stands behind its links.
func TestIDInSubfield(t *testing.T) {
	for name, text := range map[string]string{
		"a.mrc": testdoc.MARC("001b1", "856  |uhttp://a.org/", "999  |d78|c77") + testdoc.MARC("001b2", "856  |uhttp://b.org/"),
		"a.mrk": "=LDR  00000nam\n=001  b1\n=856  \\\\$uhttp://a.org/\n=999  \\\\$d78$c77\n\n=LDR  00000nam\n=001  b2\n=856  \\\\$uhttp://b.org/\n",
		"a.xml": "<?xml version='1.0'?><collection><record><controlfield tag='001'>b1</controlfield><datafield tag='856'><subfield code='u'>http://a.org/</subfield></datafield><datafield tag='999'><subfield code='d'>78</subfield><subfield code='c'>77</subfield></datafield></record>" +
			"<record><datafield tag='856'><subfield code='u'>http://b.org/</subfield></datafield></record></collection>",
	} {
		var got []string
		for f, err := range extract.Document(name, strings.NewReader(text), doc.Options{RecordID: "999$c"}) {
			if err != nil {
				t.Fatal(name, err)
			}
			got = append(got, f.Record+"|"+f.URI)
		}
		if want := []string{"77|http://a.org/", "|http://b.org/"}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// A link tells the title of its record and the field around it: indicators, $3, $y, $z.
func TestMARCContext(t *testing.T) {
	rec := testdoc.MARC("001b1", "24510|aA title :|bthe rest /|cby me.", "85640|3Part 1|uhttp://a.org/|yOnline|zFree", "8564 |uinfo:lccn/2002022641", "024  |ahttp://b.org/")
	var got []string
	for f, err := range extract.Document("a.mrc", strings.NewReader(rec), doc.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.URI+"|"+f.Title+"|"+f.Context)
	}
	want := []string{"http://a.org/|A title : the rest|40 $3 Part 1 $u http://a.org/ $y Online $z Free", "info:lccn/2002022641|A title : the rest|4# $u info:lccn/2002022641", "http://b.org/|A title : the rest|## $a http://b.org/"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Where a URI must stand and a host without a scheme does, the finding is faulty,
// whatever answers there.
func TestFaultyValues(t *testing.T) {
	rec := testdoc.MARC("001b1", "856  |uwww.x.test/a", "856  |uftp.x.test/pub/", "856  |uhttp//www.x.test/b", "856  |ulib.x.test:8080/c", "856  |zsee www.x.test", "856  |uhttp://x.test/", "856  |uOnline", "856  |uthis title at www.x.test", "9991 |u6/28/1996")
	var got []string
	for f, err := range extract.Document("a.mrc", strings.NewReader(rec), doc.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(f.Locator, " ", f.Raw, " ", f.URI, " ", f.Faulty))
	}
	want := []string{"856[1]$u www.x.test/a http://www.x.test/a true", "856[2]$u ftp.x.test/pub/  true", "856[3]$u http//www.x.test/b  true", "856[4]$u lib.x.test:8080/c  true",
		"856[5]$z www.x.test http://www.x.test false", "856[6]$u http://x.test/ http://x.test/ false", "856[8]$u www.x.test http://www.x.test false"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestMARCXML(t *testing.T) {
	extracttest.Run(t, "a.xml", doc.Options{}, []extracttest.Case{
		{"record", `<?xml version="1.0"?><collection xmlns="http://www.loc.gov/MARC21/slim">
<marc:record><marc:leader>x</marc:leader><marc:controlfield tag="001"> b1 </marc:controlfield>
<marc:datafield tag="856" ind1="4" ind2="0"><marc:subfield code="u">
  http://a.org/?x=1&amp;
  y=2</marc:subfield></marc:datafield>
<marc:datafield tag="856"><marc:subfield code="z">at
http://z.org/ .</marc:subfield></marc:datafield></marc:record></collection>`,
			[]string{"4 b1|856[1]$u http://a.org/?x=1&y=2", "7 b1|856[2]$z http://z.org/"}},
		{"not well formed: raw ampersand, missing end tag", `<record><controlfield tag="001">b1</controlfield><datafield tag="856"><subfield code="u">http://a.org/?x&y</subfield>
</record><record><controlfield tag="001">b2</controlfield><datafield tag="856"><subfield code="u">http://b.org/</subfield></datafield></record>`,
			[]string{`damage: a.xml:2: end of "record" inside "datafield": not well formed`, "1 b1|856[1]$u http://a.org/?x&y", "2 b2|856[1]$u http://b.org/"}},
	})
}

// XML of sixteen bits a letter begins with the mark of its byte order (XML 1.0 section 4.3.3).
func TestMARCXMLInUTF16(t *testing.T) {
	const text = "<?xml version='1.0' encoding='UTF-16'?>\n<record><controlfield tag='001'>b1</controlfield>\n" +
		"<datafield tag='856'><subfield code='u'>http://a.org/</subfield><subfield code='y'>Caf\u00e9</subfield></datafield></record>"
	for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		coded, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		extracttest.Run(t, "a.xml", doc.Options{}, []extracttest.Case{{fmt.Sprint(order), coded, []string{"3 b1|856[1]$u http://a.org/"}}})
	}
}

func TestMRK(t *testing.T) {
	extracttest.Run(t, "a.mrk", doc.Options{}, []extracttest.Case{{"record", "=LDR  00000nam\n=001  b1\n=856  40$3Text$uhttp://a.org/{dollar}x$zsee\n=856  4\\$uhttp://b.org/\n",
		[]string{"3 b1|856[1]$u http://a.org/$x", "4 b1|856[2]$u http://b.org/"}}})
}

// A stream that breaks off gives what came before, and one damage for the
// stream beside the one of the record that it cut.
func TestMARCBrokenStream(t *testing.T) {
	rec := testdoc.MARC("001b1", "8564 |uhttp://a.org/")
	packed := testdoc.Gzip(rec + rec[:len(rec)-4] + strings.Repeat(" ", 64))
	got := extracttest.Records("a.mrc.gz", packed[:len(packed)-6], doc.Options{})
	if len(got) < 3 || got[0] != "1 b1|856[1]$u http://a.org/" || !strings.HasPrefix(got[len(got)-1], "damage: ") {
		t.Errorf("got %q", got)
	}
}
