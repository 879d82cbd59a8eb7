package office_test

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

func FuzzRTF(f *testing.F) {
	extracttest.Fuzz(f, "a.rtf", "rtf", `{\rtf1\ansi\ansicpg1252 see http://a.exa
mple/b\par{\field{\*\fldinst{HYPERLINK "http://a.example/" \\l "x"}}{\fldrslt{\b t}}}\u233?\'e9}`,
		`{\rtf1{\footnote http://n.example/}{\shp{\*\shpinst{\sp{\sv {\*\hl{\hlloc x}{\hlsrc http://s.example/}}}}{\shptxt y}}}{\pict\bin3 }}}{\v h}\uc2\u-10179\u-8704??\-\_}`)
}

// stored is a zip file whose members are not packed.
func stored(t testing.TB, packed string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	r, err := zip.NewReader(bytes.NewReader([]byte(packed)), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range r.File {
		to, _ := w.CreateHeader(&zip.FileHeader{Name: e.Name, Method: zip.Store})
		from, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(to, from)
	}
	w.Close()
	return b.Bytes()
}

// What holds for every document holds for what stands in any part of a package, and for
// packages in pieces.
func FuzzOffice(f *testing.F) {
	const link = "http://a.example/?b&amp;c"
	f.Add(uint8(0), "<w:p>"+run(link)+`<w:hyperlink r:id="rId1" w:anchor="x">`+run("t")+"</w:hyperlink>"+code(`HYPERLINK "http://f.example/"`)+codeEnd+"</w:p>", "")
	f.Add(uint8(0), `<w:r><mc:AlternateContent><mc:Choice><w:drawing><a:hlinkClick r:id="rId1"/><w:p/></w:drawing></mc:Choice><mc:Fallback><v:shape href="http://b.example/"/></mc:Fallback></mc:AlternateContent></w:r>`, "")
	f.Add(uint8(1), `<row r="2"><c r="A2" t="s"><v>0</v></c><c t="str"><f>HYPERLINK("http://a.example/")</f><v>x</v></c></row><hyperlinks><hyperlink ref="A2:B3" r:id="rId1"/></hyperlinks><oddHeader>&amp;L&amp;12x</oddHeader>`, "<si><t>"+link+"</t></si>")
	f.Add(uint8(2), `<a:p><a:r><a:rPr><a:hlinkClick r:id="rId1"/></a:rPr><a:t>t</a:t></a:r></a:p><p:cNvPr><a:hlinkClick r:id="rId1"/></p:cNvPr>`, "")
	f.Add(uint8(3), `<text:p>`+link+`<text:s text:c="3"/><text:a xlink:href="../x">y</text:a><text:note><text:p>n</text:p></text:note></text:p>`, "")
	f.Add(uint8(4), `<table:table table:name="S"><table:table-row table:number-rows-repeated="9"/><table:table-row><table:table-cell table:formula="of:=HYPERLINK(&quot;http://a.example/&quot;)"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`, "")
	f.Add(uint8(5), `<html><head>x</head><p>`+link+`<a href="http://l.example/">x</a><pre>y</pre><br/>`, "")
	f.Fuzz(func(t *testing.T, kind uint8, body, more string) {
		var data []byte
		name := "a.zip"
		switch kind % 6 {
		case 0:
			data = stored(t, word(t, body, "rId1", "hyperlink", "http://h.example/"))
		case 1:
			data = stored(t, workbook(t, body, more, "rId1", "hyperlink", "http://h.example/"))
		case 2:
			data = stored(t, slides(t, body, "rId1", "hyperlink", "http://h.example/"))
		case 3:
			data = stored(t, opendocument(t, "text", body))
		case 4:
			data = stored(t, opendocument(t, "spreadsheet", body))
		case 5:
			data = stored(t, epub(t, body))
		}
		extracttest.Laws(t, name, data, doc.Options{Base: "http://h.example/"})
		extracttest.Laws(t, name, data[:len(data)*3/4], doc.Options{})
	})
}
