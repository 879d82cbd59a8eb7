package office_test

import (
	"fmt"
	"strings"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/testdoc"
)

const (
	wordNames = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	relType   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
)

// rels is a part of relations: ids, kinds and targets in turn. A target with a scheme, and
// one of the kind hyperlink, leads out of the package.
func rels(of ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for i := 0; i+2 < len(of); i += 3 {
		mode := ""
		if of[i+1] == "hyperlink" || strings.Contains(of[i+2], ":") {
			mode = ` TargetMode="External"`
		}
		fmt.Fprintf(&b, `<Relationship Id="%s" Type="%s%s" Target="%s"%s/>`, of[i], relType, of[i+1], of[i+2], mode)
	}
	return b.String() + "</Relationships>"
}

// word is a DOCX with this body; of are its relations.
func word(t testing.TB, body string, of ...string) string {
	return testdoc.Zip(t, "[Content_Types].xml", "<Types/>", "_rels/.rels", rels("rId1", "officeDocument", "word/document.xml"),
		"word/document.xml", `<w:document `+wordNames+`><w:body>`+body+`</w:body></w:document>`, "word/_rels/document.xml.rels", rels(of...),
		"docProps/core.xml", "<a>http://property.example/</a>")
}

// workbook is an XLSX with one sheet and these strings.
func workbook(t testing.TB, sheet, strs string, of ...string) string {
	return testdoc.Zip(t, "[Content_Types].xml", "<Types/>", "_rels/.rels", rels("rId1", "officeDocument", "/xl/workbook.xml"),
		"xl/workbook.xml", `<workbook `+wordNames+`><sheets><sheet name="S &amp; T" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", rels("rId1", "worksheet", "worksheets/sheet1.xml", "rId2", "sharedStrings", "sharedStrings.xml"),
		"xl/worksheets/sheet1.xml", `<worksheet `+wordNames+`>`+sheet+`</worksheet>`, "xl/worksheets/_rels/sheet1.xml.rels", rels(of...), "xl/sharedStrings.xml", "<sst>"+strs+"</sst>")
}

// slides is a PPTX with one slide.
func slides(t testing.TB, slide string, of ...string) string {
	return testdoc.Zip(t, "[Content_Types].xml", "<Types/>", "_rels/.rels", rels("rId1", "officeDocument", "ppt/presentation.xml"),
		"ppt/presentation.xml", `<p:presentation `+wordNames+`><p:sldIdLst><p:sldId id="256" r:id="rId9"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", rels("rId9", "slide", "slides/slide1.xml"), "ppt/slides/slide1.xml", `<p:sld `+wordNames+`>`+slide+`</p:sld>`,
		"ppt/slides/_rels/slide1.xml.rels", rels(of...), "ppt/slideLayouts/slideLayout1.xml", "<a:t>http://layout.example/</a:t>")
}

// opendocument is one of a kind: text, spreadsheet or presentation.
func opendocument(t testing.TB, kind, body string) string {
	return testdoc.Zip(t, "mimetype", "application/vnd.oasis.opendocument."+kind, "content.xml", "<office:document-content><office:body>"+body+"</office:body></office:document-content>", "META-INF/manifest.xml", "<manifest:manifest/>")
}

// epub is a book of one chapter.
func epub(t testing.TB, chapter string) string {
	return testdoc.Zip(t, "mimetype", "application/epub+zip", "META-INF/container.xml", `<container><rootfiles><rootfile full-path="O/c.opf"/></rootfiles></container>`,
		"O/c.opf", `<package><manifest><item id="a" href="a%20b.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`, "O/a b.xhtml", chapter)
}

func run(s string) string { return "<w:r><w:t>" + s + "</w:t></w:r>" }

func code(s string) string {
	return `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ` + s + ` </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>`
}

const codeEnd = `<w:r><w:fldChar w:fldCharType="end"/></w:r>`

func TestWord(t *testing.T) {
	p := func(s string) string {
		return word(t, "<w:p>"+s+"</w:p>", "rId1", "hyperlink", "http://a.example/?a=1&amp;b=2", "rId2", "image", "http://pic.example/x.png")
	}
	extracttest.Run(t, "a.docx", doc.Options{}, []extracttest.Case{
		{"runs are joined", p(run("ht") + "<w:proofErr/>" + run("tp://b.exa") + "<w:bookmarkStart/>" + run("mple/c")), []string{"0 |paragraph 1 http://b.example/c"}},
		{"a relation counts at each use", p(`<w:hyperlink r:id="rId1"/><w:hyperlink r:id="rId1" w:anchor="x">` + run("http://a.example/") + `</w:hyperlink>`),
			[]string{"0 |paragraph 1 http://a.example/?a=1&b=2", "0 |paragraph 1 http://a.example/?a=1&b=2#x"}},
		{"two ranges with nothing between are one link", p(`<w:hyperlink r:id="rId1">` + run("a") + `</w:hyperlink><w:hyperlink r:id="rId1">` + run("b") + `</w:hyperlink>` + run(", ") + `<w:hyperlink r:id="rId1">` + run("c") + `</w:hyperlink>`),
			[]string{"0 |paragraph 1 http://a.example/?a=1&b=2", "0 |paragraph 1 http://a.example/?a=1&b=2"}},
		{"one that nothing uses", p(run("x")), nil},
		{"a place in the document", p(`<w:hyperlink w:anchor="x">` + run("up") + `</w:hyperlink>`), nil},
		{"links and text in order", p(run("http://b.example/1 ") + `<w:hyperlink r:id="rId1">` + run("t") + `</w:hyperlink>` + run("http://b.example/2")),
			[]string{"0 |paragraph 1 http://b.example/1", "0 |paragraph 1 http://a.example/?a=1&b=2", "0 |paragraph 1 http://b.example/2"}},
		{"a field over runs", p(code(`HYPERLINK "http://f.exam`) + run("http://shown.example/") + codeEnd + run("x")), []string{"0 |paragraph 1 http://f.exam"}},
		{"a field with a place", p(code(`HYPERLINK "http://f.example/" \l "a b" \o "see http://tip.example/"`) + run("t") + codeEnd), []string{"0 |paragraph 1 http://f.example/#a%20b"}},
		{"a field in a field", p(code(`IF 1 = 1`) + code(`HYPERLINK http://f.example/`) + run("t") + codeEnd + codeEnd), []string{"0 |paragraph 1 http://f.example/"}},
		{"a field of another kind", p(code(`PAGEREF http://f.example/`) + run("http://b.example/") + codeEnd), []string{"0 |paragraph 1 http://b.example/"}},
		{"a field that does not end", word(t, "<w:p>"+code(`HYPERLINK "http://f.example/"`)+run("t")+"</w:p><w:p>"+run("http://b.example/")+"</w:p>"),
			[]string{"0 |paragraph 1 http://f.example/", "0 |paragraph 2 http://b.example/"}},
		{"a text box is written twice", p(`<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent><w:p>` + run("http://b.example/") + `</w:p></w:txbxContent></wps:txbx></w:drawing></mc:Choice>` +
			`<mc:Fallback><w:pict><v:shape href="http://b.example/"><w:txbxContent><w:p>` + run("http://b.example/") + `</w:p></w:txbxContent></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`), []string{"0 |paragraph 2 http://b.example/"}},
		{"deleted, moved and hidden", p(`<w:del><w:r><w:delText>http://b.example/</w:delText></w:r></w:del><w:moveFrom>` + run("http://b.example/") + `</w:moveFrom><w:r><w:rPr><w:vanish/></w:rPr><w:t>http://b.example/</w:t></w:r>`), nil},
		{"a deleted paragraph mark", p(`<w:pPr><w:rPr><w:del/></w:rPr><w:tabs><w:tab/></w:tabs></w:pPr>` + run("http://b.example/")), []string{"0 |paragraph 1 http://b.example/"}},
		{"hyphens and breaks", p(`<w:r><w:t>http://b.example/a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c</w:t><w:tab/><w:t>d</w:t></w:r>`), []string{"0 |paragraph 1 http://b.example/a-bc"}},
		{"a picture says its link twice", p(`<w:r><w:drawing><wp:docPr><a:hlinkClick r:id="rId1"/></wp:docPr><pic:cNvPr><a:hlinkClick r:id="rId1"/></pic:cNvPr><a:blip r:link="rId2"/></w:drawing></w:r>`),
			[]string{"0 |paragraph 1 http://a.example/?a=1&b=2", "0 |paragraph 1 http://pic.example/x.png"}},
		{"entities", p(run("http://b.example/?a=1&amp;b=2&#38;c")), []string{"0 |paragraph 1 http://b.example/?a=1&b=2&c"}},
		{"cut short", p(run("http://b.example/"))[:300], []string{"damage: a.docx: zip: zip: not a valid zip file"}},
	})
}

func TestSheet(t *testing.T) {
	cells := func(s string) string { return `<sheetData><row r="2">` + s + `</row></sheetData>` }
	extracttest.Run(t, "a.xlsx", doc.Options{}, []extracttest.Case{
		{"a shared string once a cell", workbook(t, cells(`<c r="A2" t="s"><v>1</v></c><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c>`), `<si><t>x</t></si><si><r><t>http://a.</t></r><r><t>example/</t></r><rPh><t>http://b.example/</t></rPh></si>`),
			[]string{"0 |S & T!A2 http://a.example/", "0 |S & T!C2 http://a.example/"}},
		{"a range once, its text not", workbook(t, cells(`<c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>0</v></c><c r="D2" t="s"><v>0</v></c>`)+`<hyperlinks><hyperlink ref="A2:B9" r:id="rId1" location="x"/></hyperlinks>`, `<si><t>http://a.example/</t></si>`, "rId1", "hyperlink", "http://a.example"),
			[]string{"0 |S & T!D2 http://a.example/", "0 |S & T!A2 http://a.example#x"}},
		{"formulas", workbook(t, cells(`<c r="A2" t="str"><f>IF(B2="HYPERLINK(",HYPERLINK("http://a.example/"&amp;"b""c",B1),"http://no.example/")</f><v>http://v.example/</v></c><c><f>HYPERLINK(B1)</f></c><c t="str"><f>B1</f><v>http://v.example/</v></c>`), ""),
			[]string{`0 |S & T!A2 http://a.example/b"c`, "0 |S & T!C2 http://v.example/"}},
		{"escapes", workbook(t, cells(`<c t="inlineStr"><is><t>http://a.example/1_x000D_
_x0041_http://a.example/_xyz_</t></is></c>`), ""), []string{"0 |S & T!A2 http://a.example/1", "0 |S & T!A2 http://a.example/_xyz_"}},
		{"text in the cell", workbook(t, cells(`<c t="inlineStr"><is><r><t>http://a.</t></r><r><t>example/</t></r></is></c><c><v>12</v></c>`), ""), []string{"0 |S & T!A2 http://a.example/"}},
		{"a header", workbook(t, `<headerFooter><oddHeader>&amp;L&amp;"Arial"&amp;12http://a.example/?x=1&amp;&amp;y&amp;R&amp;P</oddHeader></headerFooter>`, ""), []string{"0 |S & T http://a.example/?x=1&y"}},
	})
}

func TestSlides(t *testing.T) {
	link := func(text string) string {
		return `<a:r><a:rPr><a:hlinkClick r:id="rId1"/></a:rPr><a:t>` + text + `</a:t></a:r>`
	}
	p := func(s string) string {
		return slides(t, "<p:sp><p:txBody><a:p>"+s+"</a:p></p:txBody></p:sp>", "rId1", "hyperlink", "http://a.example/")
	}
	extracttest.Run(t, "a.pptx", doc.Options{}, []extracttest.Case{
		{"a link in two runs is one", p(link("a") + link("b")), []string{"0 |slide 1 http://a.example/"}},
		{"with text between two", p(link("a") + "<a:r><a:t>, </a:t></a:r>" + link("b")), []string{"0 |slide 1 http://a.example/", "0 |slide 1 http://a.example/"}},
		{"runs are joined", p("<a:r><a:t>http://b.exa</a:t></a:r><a:r><a:t>mple/</a:t></a:r><a:br/><a:r><a:t>x</a:t></a:r>"), []string{"0 |slide 1 http://b.example/"}},
		{"what a new run would look like", p(`<a:endParaRPr><a:hlinkClick r:id="rId1"/></a:endParaRPr>`), nil},
		{"another slide", slides(t, `<p:cNvPr><a:hlinkClick r:id="rId1" action="ppaction://hlinksldjump"/></p:cNvPr>`, "rId1", "slide", "slide2.xml"), nil},
	})
}

func TestOpenDocument(t *testing.T) {
	extracttest.Run(t, "a.odt", doc.Options{}, []extracttest.Case{
		{"spans, blanks and notes", opendocument(t, "text", `<text:p>ht<text:span>tp://a.exa</text:span>mple/<text:s/>b<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>http://n.example/</text:p></text:note-body></text:note></text:p>`),
			[]string{"0 |paragraph 1 http://a.example/", "0 |note 1 http://n.example/"}},
		{"endnotes", opendocument(t, "text", `<text:p><text:note text:note-class="footnote"><text:p>x</text:p></text:note><text:note text:note-class="endnote"><text:p>http://a.example/</text:p></text:note></text:p>`),
			[]string{"0 |endnote 1 http://a.example/"}},
		{"a paragraph goes on behind one that stands in it", opendocument(t, "text", `<text:p>x<draw:custom-shape><text:p>http://a.example/</text:p></draw:custom-shape><text:a xlink:href="http://b.example/">b</text:a> http://c.example/</text:p><text:p>http://d.example/</text:p>`),
			[]string{"0 |paragraph 2 http://a.example/", "0 |paragraph 1 http://b.example/", "0 |paragraph 1 http://c.example/", "0 |paragraph 3 http://d.example/"}},
		{"places where words may break", opendocument(t, "text", "<text:p>http://a.example/\u200bb.\u200bhtml, http://c.example/\u200bé</text:p>"), []string{"0 |paragraph 1 http://a.example/b.html", "0 |paragraph 1 http://c.example/"}},
		{"a shape that says its link twice", opendocument(t, "text", `<text:p><draw:a xlink:href="http://a.example/"><draw:custom-shape><office:event-listeners><presentation:event-listener xlink:href="http://a.example/"/></office:event-listeners></draw:custom-shape></draw:a></text:p>`),
			[]string{"0 |paragraph 1 http://a.example/"}},
		{"what was deleted", opendocument(t, "text", `<text:tracked-changes><text:p>http://a.example/</text:p></text:tracked-changes>`), nil},
		{"what stands in the package", opendocument(t, "text", `<text:p><draw:frame><draw:image xlink:href="Pictures/1.png"/><draw:object xlink:href="./Object 1"/></draw:frame><text:a xlink:href="#x">x</text:a><draw:image xlink:href="http://a.example/1.png"/></text:p>`),
			[]string{"0 |paragraph 1 http://a.example/1.png"}},
		{"beside it", opendocument(t, "text", `<text:p><text:a xlink:href="../b.odt">b</text:a></text:p>`), []string{"0 |paragraph 1 (../b.odt)"}},
		{"repeated cells", opendocument(t, "spreadsheet", `<table:table table:name="S"><table:table-row table:number-rows-repeated="4"/><table:table-row><table:table-cell table:number-columns-repeated="26"/><table:table-cell table:number-columns-repeated="3"><text:p>http://a.example/</text:p></table:table-cell></table:table-row></table:table>`),
			[]string{"0 |S!AA5 http://a.example/"}},
		{"encrypted", testdoc.Zip(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", "x", "META-INF/manifest.xml", "<manifest:manifest><manifest:encryption-data/></manifest:manifest>"),
			[]string{"damage: a.odt: not read: encrypted OpenDocument"}},
	})
	extracttest.Run(t, "b.odt", doc.Options{Base: "http://h.example/d/b.odt"}, []extracttest.Case{
		{"the package is a folder", opendocument(t, "text", `<text:p><text:a xlink:href="../c.odt">c</text:a></text:p>`), []string{"0 |paragraph 1 http://h.example/d/c.odt"}},
	})
}

func TestEPUB(t *testing.T) {
	extracttest.Run(t, "a.epub", doc.Options{}, []extracttest.Case{
		{"a chapter", epub(t, "<html><head><title>http://t.example/</title></head>\n<body><p>ht<b>tp://a.exa</b>mple/&amp;x <a href='http://l.example/'>http://l.example/</a> <a href='b.xhtml'>b</a></p><p>y</p></body></html>"),
			[]string{"2 | http://a.example/&x", "2 | http://l.example/"}},
		{"lines of a paragraph", epub(t, "<html><body>\n<p>a &amp; b\n  http://a.example/\nand http://b.example/</p></body></html>"), []string{"3 | http://a.example/", "4 | http://b.example/"}},
		{"objects", epub(t, "<html><body><p><object data='http://o.example/a.svg'></object></p></body></html>"), []string{"1 | http://o.example/a.svg"}},
		{"encrypted", testdoc.Zip(t, "META-INF/container.xml", `<rootfile full-path="c.opf"/>`, "c.opf", `<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/>`, "a.xhtml", "x",
			"META-INF/encryption.xml", `<CipherReference URI="a.xhtml"/>`), []string{"damage: a.epub: not read: encrypted EPUB"}},
	})
}

func TestRTF(t *testing.T) {
	extracttest.Run(t, "a.rtf", doc.Options{}, []extracttest.Case{
		{"line ends are nothing", "{\\rtf1\\ansi see http://a.exa\r\nmple/b\\par http://c.example/}", []string{"1 |paragraph 1 http://a.example/b", "2 |paragraph 2 http://c.example/"}},
		{"hyphens and escapes", `{\rtf1 http://a.example/\~x http://a.example/a\_b\-c\'2dd \{\u233?}`, []string{"1 |paragraph 1 http://a.example/", "1 |paragraph 1 http://a.example/a-bc-d"}},
		{"a field", `{\rtf1 {\field{\*\fldinst{HYPERLINK "http://a.example/" \\l "x"}}{\fldrslt{\b http://b.example/}}} then http://c.example/}`, []string{"1 |paragraph 1 http://a.example/#x", "1 |paragraph 1 http://c.example/"}},
		{"a field without a result", `{\rtf1 {\field{\*\fldinst HYPERLINK http://a.example/}}}`, []string{"1 |paragraph 1 http://a.example/"}},
		{"what is not seen", `{\rtf1{\fonttbl{\f0 http://f.example/;}}{\info{\title http://t.example/}}{\*\unknown http://u.example/}{\v http://h.example/}{\pict\bin5 }}}}{x}}`, nil},
		{"an endnote", `{\rtf1 a{\footnote b}{\*\footnote\ftnalt http://e.example/}{\footnote http://n.example/}}`, []string{"1 |endnote 1 http://e.example/", "1 |note 2 http://n.example/"}},
		{"a note and a header", `{\rtf1{\header http://h.example/\par}text{\footnote http://n.example/} http://a.example/}`, []string{"1 |header http://h.example/", "1 |note 1 http://n.example/", "1 |paragraph 1 http://a.example/"}},
		{"a shape", `{\rtf1{\shp{\*\shpinst{\sp{\sn pihlShape}{\sv {\*\hl{\hlloc x}{\hlsrc http://s.example/}}}}{\shptxt http://b.example/}}{\shprslt http://b.example/}}}`, []string{"1 |paragraph 1 http://s.example/#x", "1 |text box http://b.example/"}},
		{"an object", `{\rtf1 {\object\objemb{\*\objdata 687474}{\objclass http://c.example/}{\result{\pict 687474}http://a.example/}}}`, []string{"1 |paragraph 1 http://a.example/"}},
		{"groups are joined", `{\rtf1 {\b ht}{\i tp://a.exa}{\cf1 mple/}}`, []string{"1 |paragraph 1 http://a.example/"}},
	})
}
