package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/internal/testdoc"
)

func BenchmarkMbox(b *testing.B) {
	data := mboxes(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "a.mbox", data) })
	b.Run("lines", func(b *testing.B) { readAll(b, data, '\n') })
}

func BenchmarkMIME(b *testing.B) {
	data := mimeMessages(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "a.mbox", data) })
	b.Run("lines", func(b *testing.B) { readAll(b, data, '\n') })
}

func BenchmarkMARC(b *testing.B) {
	data := marcRecords(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "a.mrc", data) })
	b.Run("records", func(b *testing.B) { readAll(b, data, 0x1d) })
}

func BenchmarkXML(b *testing.B) {
	data := xmlRecords(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "a.xml", data) })
	b.Run("tags", func(b *testing.B) { readAll(b, data, '>') })
}

func BenchmarkMARCXML(b *testing.B) {
	data := marcXMLRecords(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "a.xml", data) })
	b.Run("tags", func(b *testing.B) { readAll(b, data, '>') })
}

// marcXMLRecords are records of MARCXML, each with a link, one part a line.
func marcXMLRecords(size int) []byte {
	data := []byte("<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n")
	for n := 0; len(data) < size; n++ {
		data = fmt.Appendf(data, `<record>
  <leader>01142cam  2200301 a 4500</leader>
  <controlfield tag="001">m%[1]d</controlfield>
  <controlfield tag="008">960203s19%02[2]d    enk           000 0 eng  </controlfield>
  <datafield tag="100" ind1="1" ind2=" ">
    <subfield code="a">Miller, Jane,</subfield>
    <subfield code="d">1901-</subfield>
  </datafield>
  <datafield tag="245" ind1="1" ind2="0">
    <subfield code="a">Tides of the coast :</subfield>
    <subfield code="b">with a survey &amp; tables, part %[1]d</subfield>
  </datafield>
  <datafield tag="260" ind1=" " ind2=" ">
    <subfield code="a">Harwich :</subfield>
    <subfield code="b">Harbour Press,</subfield>
    <subfield code="c">19%02[2]d.</subfield>
  </datafield>
  <datafield tag="856" ind1="4" ind2="0">
    <subfield code="u">https://www.harbour.example/tides/%[1]d</subfield>
    <subfield code="z">Corrected sheets</subfield>
  </datafield>
</record>
`, n, n%100)
	}
	return append(data, "</collection>\n"...)
}

// xmlRecords are records of MODS in a collection, each with three links and text around them.
func xmlRecords(size int) []byte {
	data := []byte("<modsCollection xmlns=\"http://www.loc.gov/mods/v3\">\n")
	for n := 0; len(data) < size; n++ {
		data = fmt.Appendf(data, `<mods version="3.5"><titleInfo><title>Tides of the coast, part %[1]d</title></titleInfo>
<name type="personal" authority="naf"><namePart>Miller, Jane</namePart><role><roleTerm type="text">author</roleTerm></role></name>
<originInfo><place><placeTerm type="text">Harwich</placeTerm></place><publisher>Harbour Press</publisher><dateIssued>19%02[2]d</dateIssued></originInfo>
<abstract>Tables of the harbour master, with a survey of the coast; corrected sheets are at http://sheets.harbour.example/%[1]d.html.</abstract>
<relatedItem type="host"><location><url displayLabel="Series">http://series.harbour.example/?id=%[1]d&amp;v=2</url></location></relatedItem>
<location><url usage="primary">https://www.harbour.example/tides/%[1]d</url></location>
<recordInfo><recordIdentifier source="harb">m%[1]d</recordIdentifier></recordInfo></mods>
`, n, n%100)
	}
	return append(data, "</modsCollection>\n"...)
}

func BenchmarkWARC(b *testing.B) {
	var data []byte
	for len(data) < 8<<20 {
		data = append(data, testdoc.WARC("response", "http://h.example/", testdoc.HTTPMedia, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+string(pages(20<<10)))...)
	}
	b.Run("links", func(b *testing.B) { drain(b, "a.warc", data) })
}

// The memory held by the readers of records does not grow with the file.
func TestMemoryFlatRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 400 MB")
	}
	const limit = 60 << 20
	for _, c := range []struct{ name, block string }{
		{"a.mbox", string(mboxes(1 << 20))},
		{"mime.mbox", string(mimeMessages(1 << 20))},
		{"one-part.mbox", "From a@b Tue Apr  1 10:35:48 1997\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("<a href=3D\"http://a.example/b\">\n", 1<<15)},
		{"a.mrc", string(marcRecords(1 << 20))},
		{"no-end.mrc", "00024nam a2200025   450024500100000\x1e" + strings.Repeat("x", 1<<20)},
		{"a.warc", testdoc.WARC("response", "http://h.example/", testdoc.HTTPMedia, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+string(pages(1<<20)))},
		{"a.xml", "<record><datafield tag='856'><subfield code='u'>http://a.example/</subfield></datafield></record>\n"},
		{"open.xml", "<a href='http://a.example/'>\n"},
		{"a.csv", strings.Repeat("\"http://a.example/,", 1<<16)},
		{"a.json", strings.Repeat("{\"url\":\"http://a.example/\",", 1<<16)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var high uint64
			n := 0
			r := &endless{Block: []byte(c.block), Left: 40 << 20}
			for _, err := range extract.Document(c.name, r, doc.Options{}) {
				if n++; err != nil && n < 5 {
					t.Log(err)
				}
				if n%50000 == 0 {
					high = max(high, inUse())
				}
			}
			if high = max(high, inUse()); high > limit {
				t.Errorf("%d MB held", high>>20)
			}
			if r.Left > 0 {
				t.Errorf("%d MB not read", r.Left>>20)
			}
		})
	}
}
