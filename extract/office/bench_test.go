package office_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// documents are large ones, each with the octets that are read of it.
func documents(t testing.TB, size int) map[string]struct {
	data []byte
	read int
} {
	body := repeat(`<w:p w:rsidR="00AB12CD"><w:pPr><w:jc w:val="both"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Some words of a letter that goes on, and on: </w:t></w:r><w:hyperlink r:id="rId1"><w:r><w:t>a link</w:t></w:r></w:hyperlink><w:r><w:t>, and http://b.example/.</w:t></w:r></w:p>`, size)
	cells := repeat(`<row r="2"><c r="A2" s="1"><v>12.5</v></c><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>7</v></c><c r="D2" t="inlineStr"><is><t>http://a.example/</t></is></c></row>`, size)
	text := repeat(`<text:p text:style-name="P1">Some words of a letter that goes on, and on: <text:a xlink:href="http://a.example/">a link</text:a><text:span>, and http://b.example/.</text:span></text:p>`, size)
	rtf := repeat("\\par\\pard\\plain Some words of a letter that goes on, \r\nand on: {\\field{\\*\\fldinst{HYPERLINK \"http://a.example/\"}}{\\fldrslt{\\ul a link}}}, and http://b.example/.", size)
	return map[string]struct {
		data []byte
		read int
	}{
		"a.docx": {[]byte(word(t, body, "rId1", "hyperlink", "http://a.example/")), len(body)},
		"a.xlsx": {[]byte(workbook(t, "<sheetData>"+cells+"</sheetData>", "<si><t>http://s.example/</t></si>")), len(cells)},
		"a.odt":  {[]byte(opendocument(t, "text", text)), len(text)},
		"a.epub": {[]byte(epub(t, strings.ReplaceAll(strings.ReplaceAll(text, "text:", ""), "xlink:", ""))), len(text)},
		"a.rtf":  {[]byte(`{\rtf1` + rtf + "}"), len(rtf)},
	}
}

func repeat(unit string, size int) string { return strings.Repeat(unit, size/len(unit)+1) }

// many are limits that a document of one paragraph again and again does not reach.
var many = extract.Limits{Unfolded: 1 << 40, Links: 1 << 40, PageLinks: 1 << 40, Candidates: 1 << 40}

func BenchmarkOffice(b *testing.B) {
	for name, c := range documents(b, 8<<20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(c.read))
			for b.Loop() {
				n := 0
				for range extract.Document(name, bytes.NewReader(c.data), doc.Options{Limits: many}) {
					n++
				}
				if n < 10_000 {
					b.Fatalf("%d links", n)
				}
			}
		})
	}
}

// The memory held does not grow with the document.
func TestMemoryFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 300 MB")
	}
	const limit = 40 << 20
	for name, c := range documents(t, 64<<20) {
		before := inUse()
		high, n := uint64(0), 0
		for _, err := range extract.Document(name, bytes.NewReader(c.data), doc.Options{Limits: many}) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n%100_000 == 0 {
				high = max(high, inUse())
			}
		}
		if high < before {
			high = before
		}
		t.Logf("%s: %d links, %d MB held beside the document", name, n, (high-before)>>20)
		if high-before > limit || n < 100_000 {
			t.Errorf("%s: %d MB held, %d links", name, (high-before)>>20, n)
		}
		runtime.KeepAlive(c.data)
	}
}

func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}
