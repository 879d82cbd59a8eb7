package extract_test

import (
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
)

// Each place has the id, title and date of the document or record around it.
func TestRecords(t *testing.T) {
	const rfc = "Network Working Group                                         R. Denenberg\nRequest for Comments: 2056                           Library of Congress\nCategory: Standards Track                                  November 1996\n\n\n" +
		"                 Uniform Resource Locators for Z39.50\n\nStatus of this Memo\n\n   http://a.example/\n"
	const ead = `<ead xmlns="urn:isbn:1-931666-22-9" xmlns:xlink="http://www.w3.org/1999/xlink"><eadheader><eadid>wl0003</eadid><filedesc><titlestmt><titleproper>Papers of <emph>A. Wells</emph>, 1990</titleproper></titlestmt></filedesc></eadheader>
<archdesc><did><unitid>Wells</unitid><unittitle>Papers</unittitle></did><dao xlink:href="http://www.wells.example/all"/>
<dsc><c01 level="series"><did><unitid>A</unitid><unittitle>Letters, <unitdate>1990</unitdate> and <title>Notes</title> (2)</unittitle></did>
<c02><did><unitid>A/1</unitid><unittitle>To B</unittitle><dao xlink:href="http://www.wells.example/a1"/></did></c02>
<c02><did><unittitle>To C</unittitle><dao xlink:href="http://www.wells.example/a2"/></did></c02></c01></dsc></archdesc></ead>`
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"rfc2056.txt", rfc, []string{"RFC 2056|Uniform Resource Locators for Z39.50|1996-11 rfc"}},
		{"rfc2056.txt.gz", testdoc.Gzip(rfc), []string{"RFC 2056|Uniform Resource Locators for Z39.50|1996-11 rfc"}},
		{"a.html", "<html><head><title>A &amp; B</title></head><a href='http://a.example/'>a</a>", []string{"|A & B|"}},
		{"EAD 2002", ead, []string{"wl0003|Papers of A. Wells, 1990|", "A/1|To B|", "A|To C|"}},
		{"EAD without eadid", strings.Replace(ead, "<eadid>wl0003</eadid>", "", 1), []string{"Wells|Papers of A. Wells, 1990|", "A/1|To B|", "A|To C|"}},
		{"no finding aid", `<?xml version="1.0"?><r><c><unitid>A</unitid><a href="http://a.example/"/></c></r>`, []string{"||"}},
		{"OAI-PMH", `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record><header><identifier>oai:x:1</identifier></header><metadata><oai_dc:dc><dc:title>T</dc:title><dc:identifier>http://a.example/1</dc:identifier></oai_dc:dc></metadata></record></ListRecords></OAI-PMH>`,
			[]string{"oai:x:1|T|"}},
		{"m.eml", "From: a@b.example\nDate: Tue, 5 Nov 1996 10:00:00 GMT\nMessage-ID: <1@b.example>\nSubject: Links\n\nhttp://a.example/\n", []string{"1@b.example|Links|1996-11-05 mail"}},
	} {
		var got []string
		for f, err := range extract.Document(c.name, strings.NewReader(c.text), extract.Options{}) {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			got = append(got, f.Record+"|"+f.Title+"|"+strings.TrimSpace(f.Date+" "+f.DateFrom))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
