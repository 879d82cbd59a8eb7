package mend

import (
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
)

// TestMARCXML: records in MARC-8, UTF-8 and .mrk say the same in MARCXML; one whose text
// cannot be said there is named.
func TestMARCXML(t *testing.T) {
	const want = `<datafield tag="245" ind1="1" ind2="0">
    <subfield code="a">Étude &amp; $5</subfield>
  </datafield>
  <datafield tag="856" ind1="4" ind2=" ">
    <subfield code="u">https://n.example/?a&amp;b</subfield>
  </datafield>`
	latin, utf := testdoc.MARC("001b1", "24510|a\xe2Etude & $5", "8564 |uhttp://a.example/"), testdoc.MARC("001b1", "24510|a\u00c9tude & $5", "8564 |uhttp://a.example/")
	latin = latin[:9] + " " + latin[10:]
	mrk := "=LDR  00000nam\\a22000007i\\4500\n=001  b1\n=245  10$a\u00c9tude & {dollar}5\n=856  4\\$uhttp://a.example/\n"
	for name, text := range map[string]string{"a.mrc": latin, "b.mrc": utf, "c.mrk": mrk} {
		got, err := Rewrite(name, []byte(text), extract.Options{}, []Change{change(t, name, text, 0, "https://n.example/?a&b")})
		if err != nil || len(got.Made) != 1 {
			t.Fatalf("%s: %v %+v", name, err, got)
		}
		out, faults := got.MARCXML()
		if len(faults) > 0 || !strings.Contains(string(out), want) && !strings.Contains(string(out), strings.Replace(want, "\u00c9", "E\u0301", 1)) {
			t.Errorf("%s: %v\n%s", name, faults, out)
		}
		back, _ := read("a.xml", []byte(MARCXMLHead+string(out)+MARCXMLTail), extract.Options{})
		if len(back) != 1 || back[0].URI != "https://n.example/?a&b" || back[0].Record != "b1" {
			t.Errorf("%s: %+v", name, back)
		}
	}
	broken := strings.Replace(utf, "\u00c9t", "\xff\xfet", 1)
	if out, faults := (&Copy{Format: "marc", Octets: []byte(broken + latin)}).MARCXML(); len(faults) != 1 || strings.Count(string(out), "<record>") != 1 {
		t.Errorf("%v\n%s", faults, out)
	}
}
