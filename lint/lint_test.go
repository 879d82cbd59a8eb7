package lint

import (
	"slices"
	"testing"
)

// TestAddresses: what is wrong with an address in its place, and the repair.
func TestAddresses(t *testing.T) {
	for _, c := range []struct{ how, locator, raw, url, code, repair, from string }{
		{"$u", "856[1]$u", "http//www.x.test/a", "http//www.x.test/a", Scheme, "http://www.x.test/a", "uri/repair"},
		{"$u", "856[1]$u", "htp://www.x.test/a", "htp://www.x.test/a", Scheme, "http://www.x.test/a", "uri/repair"},
		{"$u", "856[1]$u", "www.x.test/a", "www.x.test/a", Scheme, "http://www.x.test/a", "RFC 3986 section 4.5"},
		{"$u", "856[1]$u", "museum.wien", "museum.wien", Scheme, "", "856: $u is a URI"},
		{"$u", "856[1]$u", "xttp://www.x.test/", "xttp://www.x.test/", Scheme, "", "no registered scheme"},
		{"$u", "856[1]$u", "http://x.test/?a&amp;b", "http://x.test/?a&b", Reference, "http://x.test/?a&b", "MARC 21 has no references"},
		{"$u", "856[1]$u", "http://x.test/a b", "http://x.test/a%20b", Blanks, "http://x.test/a%20b", "RFC 3986 section 2"},
		{"$u", "856[1]$u", "http:// www.x.test/a", "http:// www.x.test/a", Blanks, "http://www.x.test/a", "RFC 3986 section 2"},
		{"$u", "856[1]$u", "http://10.1.2.3/a", "http://10.1.2.3/a", Private, "", "RFC 1918"},
		{"$u", "856[1]$u", "http://[fd00::1]/a", "http://[fd00::1]/a", Private, "", "RFC 4193"},
		{"$u", "856[1]$u", "http://100.64.0.1/a", "http://100.64.0.1/a", Private, "", "RFC 6598"},
		{"$u", "856[1]$u", "http://opac/record=1", "http://opac/record=1", Private, "", "GLOSSARY, local name"},
		{"$u", "856[1]$u", "http://opac.local/1", "http://opac.local/1", Private, "", "RFC 6762 section 3"},
		{"$u", "856[1]$u", "file:///C:/x.pdf", "file:///C:/x.pdf", Private, "", "RFC 8089"},
		{"$u", "856[1]$u", "doi:10.1000/182", "doi:10.1000/182", Unclickable, "https://doi.org/10.1000/182", "DOI handbook"},
		{"$u", "856[1]$u", "doi: 10.1000/182", "doi:%2010.1000/182", Unclickable, "https://doi.org/10.1000/182", "DOI handbook"},
		{"$u", "856[1]$u", "hdl:2027/mdp.1", "hdl:2027/mdp.1", Unclickable, "https://hdl.handle.net/2027/mdp.1", "RFC 3651"},
		{"$u", "856[1]$u", "info:doi/10.1000/182", "info:doi/10.1000/182", Unclickable, "https://doi.org/10.1000/182", "RFC 4452"},
		{"$u", "856[1]$u", "10.1000/182", "10.1000/182", Unclickable, "https://doi.org/10.1000/182", "DOI handbook"},
		{"cell", "row 2 column 3", "http://localhost/", "http://localhost/", Private, "", "RFC 6761"},
		{"bare", "", "hppt://www.x.test/", "hppt://www.x.test/", Scheme, "http://www.x.test/", "text too"},
		// Right, however odd.
		{"$u", "856[1]$u", "https://doi.org/10.1000/a&amp%3b", "https://doi.org/10.1000/a&amp%3b", "", "", "an escape of its own"},
		{"$u", "856[1]$u", "http://a.example/x?u=http://b.example/", "http://a.example/x?u=http://b.example/", "", "", "a query"},
		{"$u", "856[1]$u", "https://proxy.x.test/login?url=https://b.example/a", "https://proxy.x.test/login?url=https://b.example/a", "", "", "a proxy"},
		{"$u", "856[1]$u", "urn:isbn:0451450523", "urn:isbn:0451450523", "", "", "856: $u may be a URN"},
		{"$u", "856[1]$u", "http://172.32.0.1/", "http://172.32.0.1/", "", "", "not in RFC 1918"},
		{"$u", "856[1]$u", "mailto:a@b.test", "mailto:a@b.test", "", "", "856: first indicator 0"},
		{"href", "", "http://x.test/?a&amp;b", "http://x.test/?a&b", "", "", "HTML has references"},
		{"bare", "", "doi:10.1000/182", "doi:10.1000/182", "", "", "text is no place for an address"},
		{"bare", "", "http://localhost/", "http://localhost/", "", "", "an example in text"},
	} {
		a := Address{c.how, c.locator, c.raw, c.url}
		got := a.Faults()
		if c.code == "" && len(got) == 0 {
			continue
		}
		if len(got) != 1 || got[0] != (Fault{c.code, c.raw, c.repair}) {
			t.Errorf("%s (%s): %+v; want %q %q", c.raw, c.from, got, c.code, c.repair)
		}
	}
}

// TestFields: MARC 21 Format for Bibliographic Data, 856: first indicator 0 email, 1 FTP, 2
// remote login, 3 dial-up, 4 HTTP, 7 the way in $2; $u is one URI, repeated for another.
func TestFields(t *testing.T) {
	for _, c := range []struct {
		first byte
		way   bool
		value string
		links int
		want  []Fault
	}{
		{'4', false, "", 0, []Fault{{Empty, "", ""}}},
		{'4', false, "  ", 0, []Fault{{Empty, "  ", ""}}},
		{'4', false, "N/A", 0, []Fault{{NoAddress, "N/A", ""}}},
		{'4', false, "http://", 0, []Fault{{NoAddress, "http://", ""}}},
		{'4', false, "http://a.test/ ", 1, []Fault{{Blanks, "http://a.test/ ", "http://a.test/"}}},
		{'4', false, "http://a.test/\n   ", 1, nil}, // layout of XML
		{'4', false, "http://a.test/ http://b.test/", 2, []Fault{{Several, "http://a.test/ http://b.test/", "http://a.test/ $u http://b.test/"}}},
		{'4', false, "http://a.test/;http://b.test/?x=1", 1, []Fault{{Several, "http://a.test/;http://b.test/?x=1", "http://a.test/ $u http://b.test/?x=1"}}},
		{'4', false, "http://a.test/x?u=http://b.test/;http://c.test/", 1, nil},
		{'4', false, "http://web.archive.org/web/2010/http://b.test/", 1, nil},
		{'4', false, "http://http://b.test.org/", 1, nil}, // a slip
		{'1', false, "http://a.test/", 1, []Fault{{Indicator, "1 http://a.test/", "4"}}},
		{'4', false, "ftp://a.test/", 1, []Fault{{Indicator, "4 ftp://a.test/", "1"}}},
		{'4', false, "mailto:a@b.test", 1, []Fault{{Indicator, "4 mailto:a@b.test", "0"}}},
		{'4', false, "telnet://a.test/", 1, []Fault{{Indicator, "4 telnet://a.test/", "2"}}},
		{'4', false, "gopher://a.test/", 1, []Fault{{Indicator, "4 gopher://a.test/", "7, $2 gopher"}}},
		{'7', false, "http://a.test/", 1, []Fault{{Indicator, "7 http://a.test/", "4"}}},
		{'1', false, "www.a.test/x", 1, []Fault{{Indicator, "1 www.a.test/x", "4"}}},
		{'5', false, "https://a.test/", 1, []Fault{{Indicator, "5 https://a.test/", "4"}}},
		{'7', true, "http://a.test/", 1, nil},
		{'7', true, "gopher://a.test/", 1, nil},
		{' ', false, "ftp://a.test/", 1, nil}, // no information
		{'|', false, "ftp://a.test/", 1, nil}, // no attempt to code
		{'4', false, "urn:nbn:de:101:1-1", 1, nil},
		{'4', false, "HTTPS://a.test/", 1, nil},
	} {
		f := Field{Tag: "856", First: c.first, Value: c.value, Links: c.links, Way: c.way}
		if got := f.Faults(); !slices.Equal(got, c.want) {
			t.Errorf("%c %q: %+v; want %+v", c.first, c.value, got, c.want)
		}
	}
	if f := (Field{Tag: "530", First: '1', Value: "http://a.test/", Links: 1}); len(f.Faults()) != 0 {
		t.Error("only 856 and 857 say a way of access")
	}
}

// FuzzAddress: no fault without its word, no repair that is the value, and none that is a
// fault of the same kind itself.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"http//www.x.test/a", "doi: 10.1/2", "http://a b", "http://x.test/?a&amp;b", "10.1000/a b", "HTTP:/ /www.x.test"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a := Address{"$u", "856[1]$u", s, s}
		for _, fault := range a.Faults() {
			if !slices.Contains(Codes, fault.Code) || s != "" && fault.Repair == s {
				t.Fatalf("%q: %+v", s, fault)
			}
		}
		field := Field{Tag: "856", First: '1', Value: s, Links: 1}
		for _, fault := range field.Faults() {
			if !slices.Contains(Codes, fault.Code) || s != "" && fault.Code == Several && fault.Repair == s {
				t.Fatalf("%q: %+v", s, fault)
			}
		}
	})
}

// TestSame: the same record twice is no second record.
func TestSame(t *testing.T) {
	at := func(record, locator string) Spelled {
		return Spelled{Place{Source: "a.mrc", Record: record, Locator: locator}, "http://x.test/"}
	}
	if rows := InSeveral([]Spelled{at("b1", "856[1]$u"), at("b1", "856[2]$u")}); len(rows) != 0 {
		t.Errorf("one record: %+v", rows)
	}
	var many []Spelled
	for i := range 30 {
		many = append(many, at("b"+string(rune('A'+i)), "856[1]$u"))
	}
	rows := InSeveral(many)
	if len(rows) != 30 || len(rows[0].Also) != maxAlso || rows[0].More != 9 || rows[0].Also[0] != "bB" || rows[1].Also[0] != "bA" {
		t.Errorf("%d rows, %+v", len(rows), rows[0])
	}
}
