package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
)

// TestFaults: what no link tells is given out where it is asked for, in every form of a
// record, with its record and place; else nothing of it is.
func TestFaults(t *testing.T) {
	marcXML := `<?xml version="1.0"?><record xmlns="http://www.loc.gov/MARC21/slim"><controlfield tag="001">b1</controlfield>` +
		`<datafield tag="856" ind1="4" ind2="0"><subfield code="u"></subfield></datafield><datafield tag="856" ind1="4" ind2="0"><subfield code="u">N/A</subfield></datafield>` +
		`<datafield tag="856" ind1="1" ind2="0"><subfield code="u">
  http://a.test/
</subfield></datafield><datafield tag="856" ind1="4" ind2="0"><subfield code="u"> http://b.test/</subfield></datafield></record>`
	marc := []string{"empty b1 856[1]$u ()", "no-address b1 856[2]$u (N/A)", "indicator b1 856[3]$u (1 http://a.test/) 4", "blanks b1 856[4]$u ( http://b.test/) http://b.test/"}
	for _, c := range []struct {
		name, text string
		o          extract.Options
		want       []string
	}{
		{"a.mrc", testdoc.MARC("001b1", "24510|aTitle", "100 |a|uN/A", "85640|u", "85640|uN/A", "85610|uhttp://a.test/", "85640|u http://b.test/"), extract.Options{}, marc},
		{"a.mrk", "=LDR  00000nam\n=001  b1\n=856  40$u\n=856  40$uN/A\n=856  10$uhttp://a.test/\n=856  40$u http://b.test/\n", extract.Options{}, marc},
		{"a.xml", marcXML, extract.Options{}, marc},
		{"notes.mrk", "=LDR  00000nam\n=001  b1\n=520  \\\\$aText$un.a.\n=590  \\\\$ulocal\n=773  08$uTR 12\n=856  40$zno address here\n", extract.Options{}, []string{"no-address b1 520[1]$u (n.a.)"}},
		{"mods.xml", `<?xml version="1.0"?><mods xmlns="http://www.loc.gov/mods/v3"><recordInfo><recordIdentifier>m1</recordIdentifier></recordInfo><location><url>N/A</url></location><location><url/></location><location><url>lib.x.test/a</url></location><location><url>http://a.test/</url></location></mods>`,
			extract.Options{}, []string{"no-address m1 mods/location/url (N/A)", "empty m1 mods/location/url ()", "scheme m1 mods/location/url (lib.x.test/a) http://lib.x.test/a"}},
		{"ead.xml", `<?xml version="1.0"?><ead xmlns:xlink="http://www.w3.org/1999/xlink"><eadheader><eadid>e1</eadid></eadheader><dao xlink:href=""/><dao xlink:href="http://a.test/"/></ead>`,
			extract.Options{}, []string{"empty e1 ead/dao ()"}},
		{"a.csv", "id,url\n1,N/A\n2,\n3,http://a.test/\n", extract.Options{Columns: columns(t, "id=id", "url=url")}, []string{"no-address 1 row 2 column 2 (N/A)"}},
	} {
		c.o.Faults = true
		var got []string
		links := 0
		for f, err := range extract.Document(c.name, strings.NewReader(c.text), c.o) {
			switch {
			case err != nil:
				t.Errorf("%s: %v", c.name, err)
			case f.Fault != "":
				got = append(got, strings.TrimSpace(f.Fault+" "+f.Record+" "+f.Locator+" ("+f.Raw+") "+f.Repair))
			default:
				links++
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
		c.o.Faults = false
		for f := range extract.Document(c.name, strings.NewReader(c.text), c.o) {
			if links--; f.Fault != "" {
				t.Errorf("%s: not asked for: %+v", c.name, f)
			}
		}
		if links != 0 {
			t.Errorf("%s: %d links more or fewer", c.name, links)
		}
	}
}

func columns(t *testing.T, words ...string) extract.Columns {
	c, err := extract.ParseColumns(words)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
