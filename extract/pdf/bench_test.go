package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// BenchmarkText reads pages of packed text, as typesetters make them: nothing else is there.
func BenchmarkText(b *testing.B) { benchmarkPages(b, 60, "") }

// BenchmarkPDF reads a paper of 60 such pages with an embedded font and a picture on every
// third page: 3 MB.
func BenchmarkPDF(b *testing.B) {
	benchmarkPages(b, 60, strings.Repeat("\x8f\x13 (noise) \xfe\x00\x7a\x01", 9000))
}

// benchmarkPages reads pages of 50 links each, and pictures where there are some.
func benchmarkPages(b *testing.B, pages int, picture string) {
	font := "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>"
	m := newMaker().object(1, "<< /Type /Catalog /Pages 2 0 R >>")
	if picture != "" {
		font = "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Times /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [" + strings.Repeat("500 ", 95) + "] /FontDescriptor 6 0 R /ToUnicode 8 0 R >>"
		m.object(6, "<< /Type /FontDescriptor /FontFile2 7 0 R >>").stream(7, "/Length1 60000 /Filter /FlateDecode", picture[:60_000])
		m.stream(8, "", "1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <7e> <0020> endbfrange")
		m.stream(9, "/Subtype /Image /Width 400 /Height 400 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode", picture)
	}
	m.object(5, font)
	kids := ""
	for p := range pages {
		var c strings.Builder
		c.WriteString("BT /F1 10 Tf 72 720 Td 12 TL\n")
		for l := range 50 {
			fmt.Fprintf(&c, "[(line %d of)-300(page)-312(%d has)-290(w%x)-301(and)-299(y%x)-305(http://h%d.example/%d/x)]TJ T*\n", l, p, (l*7919+p*104729)%65536, (l*31+p*7907)%4096, p, l)
		}
		c.WriteString("ET")
		image := 9
		if picture != "" && p%3 == 0 {
			image = 1000 + p
			m.stream(image, "/Subtype /Image /Width 400 /Height 400 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode", picture)
		}
		c.WriteString(" /I Do")
		m.stream(100+2*p, "/Filter /FlateDecode", deflated(c.String()))
		m.object(101+2*p, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /I %d 0 R >> >> >>", 100+2*p, image))
		kids += fmt.Sprintf("%d 0 R ", 101+2*p)
	}
	data := m.object(2, "<< /Type /Pages /Kids ["+kids+"] >>").end("").String()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		n := 0
		for _, err := range extract.Document("a.pdf", strings.NewReader(data), doc.Options{}) {
			if err == nil {
				n++
			}
		}
		if n != pages*50 {
			b.Fatalf("%d links", n)
		}
	}
}
