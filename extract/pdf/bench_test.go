package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// BenchmarkText reads pages of packed text, as typesetters make them.
func BenchmarkText(b *testing.B) {
	const pages = 60
	m := newMaker().object(1, "<< /Type /Catalog /Pages 2 0 R >>").object(5, "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>")
	kids := ""
	for p := range pages {
		var c strings.Builder
		c.WriteString("BT /F1 10 Tf 72 720 Td 12 TL\n")
		for l := range 50 {
			fmt.Fprintf(&c, "[(line %d of)-300(page)-312(%d has)-290(w%x)-301(and)-299(y%x)-305(http://h%d.example/%d/x)]TJ T*\n", l, p, (l*7919+p*104729)%65536, (l*31+p*7907)%4096, p, l)
		}
		c.WriteString("ET")
		m.stream(100+2*p, "/Filter /FlateDecode", deflated(c.String()))
		m.object(101+2*p, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << /F1 5 0 R >> >> >>", 100+2*p))
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
