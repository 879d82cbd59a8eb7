package extract_test

import (
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
)

// Each place has the date of the document around it, and where that comes from.
func TestDates(t *testing.T) {
	entered := testdoc.MARC("001b1", "008970203s1790    xx", "85640|uhttp://a.example/")
	for _, tt := range []struct{ name, text, want string }{
		{"m.eml", "From: a@b.example\nDate: Tue, 5 Nov 1996 10:00:00 GMT\nSubject: see http://s.example/\n\nhttp://a.example/\n", "1996-11-05 mail"},
		{"part.eml", "From: a@b.example\nDate: Tue, 5 Nov 1996 10:00:00 GMT\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj0iaHR0cDovL2EuZXhhbXBsZS8iPng8L2E+\n", "1996-11-05 mail"},
		{"two.mbox", "From a@b.example Tue Nov  5 10:00:00 1996\nFrom: a\nDate: 5 Nov 96 10:00 GMT\n\nhttp://a.example/\n\nFrom a@b.example Tue Nov  5 10:00:00 1996\nFrom: a\n\nhttp://b.example/\n", "1996-11-05 mail, "},
		{"a.mrc", entered, "1997-02-03 marc 008"},
		{"a.xml", `<record xmlns="http://www.loc.gov/MARC21/slim"><controlfield tag="005">20010203000000.0</controlfield><datafield tag="856" ind1="4" ind2="0"><subfield code="u">http://a.example/</subfield></datafield></record>`, "2001-02-03 marc 005"},
		{"a.mrk", "=LDR  00000nam a22\n=001  b1\n=260  \\\\$aLondon$c1999\n=856  40$uhttp://a.example/\n", "1999 marc year"},
		{"a.warc", "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://x.example/\r\nWARC-Date: 1996-11-05T10:00:00Z\r\nContent-Type: text/plain\r\nContent-Length: 18\r\n\r\nhttp://a.example/\n\r\n\r\n", "1996-11-05 warc"},
		{"rfc1.txt", "Network Working Group\t\tJ. Miller\nRequest for Comments: 1    5 October 1996\n\n   http://a.example/\n", "1996-10-05 rfc"},
		{"a.txt", "In October 1996\nhttp://a.example/\n", ""},
		{"a.html", `<a href="https://perma.cc/A1" data-originalurl="http://a.example/" data-versiondate="2003-01-02">x</a>`, "2003-01-02 robust"},
	} {
		var got []string
		for f, err := range extract.Document(tt.name, strings.NewReader(tt.text), extract.Options{}) {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			if f.URI == "http://s.example/" && f.Date == "" {
				t.Errorf("%s: none in the header", tt.name)
			} else if f.URI != "http://s.example/" {
				got = append(got, strings.TrimSpace(f.Date+" "+f.DateFrom))
			}
			if f.DateFrom == "robust" && f.CopyOf != "http://a.example/" {
				t.Errorf("%s: a copy of %q", tt.name, f.CopyOf)
			}
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
