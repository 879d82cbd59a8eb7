package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/testdoc"
)

func TestXML(t *testing.T) {
	extracttest.Run(t, "a.xml", doc.Options{}, []extracttest.Case{
		{"sitemap", "<?xml version='1.0'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n<url>\n<loc>\n http://a.org/?x&amp;y.</loc></url></urlset>",
			[]string{"5 |urlset/url/loc http://a.org/?x&y."}},
		{"sitemap, relative", "<urlset><url><loc>\na.xml </loc></url><x>a.xml</x></urlset>", []string{"2 |urlset/url/loc (a.xml)"}},
		{"OAI-PMH with Dublin Core", `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xsi:schemaLocation="http://no.org/ http://no.org/x.xsd"><request>http://oai.org/</request>
<record><header><identifier>oai:x:1</identifier></header>
<metadata><oai_dc:dc><dc:title>T</dc:title><dc:identifier>http://a.org/1</dc:identifier><dc:identifier>urn:isbn:0451450523</dc:identifier>
<dc:description>see http://b.org/.</dc:description></oai_dc:dc></metadata></record></OAI-PMH>`,
			[]string{"3 oai:x:1|metadata/dc/identifier http://a.org/1", "3 oai:x:1|metadata/dc/identifier urn:isbn:0451450523", "4 oai:x:1|metadata/dc/description http://b.org/"}},
		{"EAD", "<ead xmlns:xlink='http://www.w3.org/1999/xlink'><eadid url='http://f.org/1'>e1</eadid>\n<dao xlink:href='http://a.org/' xlink:role='http://no.org/'/><extref href=\"b.xml\">x</extref></ead>",
			[]string{"1 e1|ead/eadid http://f.org/1", "2 e1|ead/dao http://a.org/", "2 e1|ead/extref (b.xml)"}},
		{"EAD3", "<ead><control><recordid instanceurl='http://f.org/1'>e1</recordid><representation href='http://f.org/2'/></control></ead>",
			[]string{"1 e1|ead/control/recordid http://f.org/1", "1 e1|ead/control/representation http://f.org/2"}},
		{"DocBook, TEI and RDF, relative", "<book><imagedata fileref='a.png'/><media url='b'/><graphic url='c.png'/><x rdf:resource='d' resource='e'/></book>",
			[]string{"1 |book/imagedata (a.png)", "1 |book/graphic (c.png)", "1 |book/x (d)"}},
		{"pointers of TEI", "<text><persName ref='http://a.org/1 #p2'/><ref target='b.xml#l1 http://c.org/'/>\n<ref target='Ser1.2'/><x target='b.xml#l1'/></text>",
			[]string{"1 |text/persName http://a.org/1", "1 |text/ref (b.xml#l1)", "1 |text/ref http://c.org/"}},
		{"Excel and Word 2003", "<Row><Cell ss:HRef='http://a.org/'/><w:hlink w:dest='http://b.org/'/><w:x dest='c'/></Row>", []string{"1 |Row/Cell http://a.org/", "1 |Row/hlink http://b.org/"}},
		{"inline elements", "<p>see http://a.org/<emphasis>b</emphasis>/c.html<sup>2</sup>, <url><style>http://b.org/?a&amp;</style><style>b=c</style></url>\n<hi rend='b'>http://c.org/</hi></p>",
			[]string{"1 |p http://a.org/b/c.html", "1 |p/url http://b.org/?a&b=c", "2 |p http://c.org/"}},
		{"text that says its link again", "<p><a href='http://a.org/b'>http://a.org/b</a><a href='http://c.org/'>see http://c.org/</a><a href='http://d.org/'><b>http://d.org</b></a><url>http://d.org/</url></p>",
			[]string{"1 |p/a http://a.org/b", "1 |p/a http://c.org/", "1 |p/a http://c.org/", "1 |p/a http://d.org/", "1 |p/url http://d.org/"}},
		{"MODS", "<mods><titleInfo><title>T</title></titleInfo><subject authorityURI='http://no.org/'/><location><url>http://a.org/</url></location>\n<recordInfo><recordIdentifier>m1</recordIdentifier></recordInfo></mods>",
			[]string{"1 m1|mods/location/url http://a.org/"}},
		{"xml:base", "<feed xml:base='http://a.org/d/'><link href='f'/><entry xml:base='e/'><link href='g'/><title>&lt;a href='h'>h&lt;/a></title></entry>\n<link href='i' xml:base='/j/'/><link href='k'/></feed><link href='l'/>",
			[]string{"1 |feed/link http://a.org/d/f", "1 |feed/entry/link http://a.org/d/e/g", "1 |feed/entry/title http://a.org/d/e/h", "2 |feed/link http://a.org/j/i", "2 |feed/link http://a.org/d/k", "2 |link (l)"}},
		{"Atom", "<feed xml:base='http://a.org/d/'><icon>i.png</icon><logo>two words</logo><author><uri>/~b</uri></author></feed>",
			[]string{"1 |feed/icon http://a.org/d/i.png", "1 |feed/author/uri http://a.org/~b"}},
		{"comments and cut short", "<a><!-- http://no.org/ -->\n<![CDATA[http://a.org/]]><b href='http://b.org/'", []string{"2 |a http://a.org/", "2 |a/b http://b.org/", "damage: a.xml:2: XML ends inside a tag"}},
	})
}

// Character references and sections shift nothing, in escaped pages neither.
func TestXMLColumns(t *testing.T) {
	const text = "<a>\n<b>a &amp; b http://a.org/?x=1&amp;y=2 c &lt; http://b.org/</b><c>http://c.org/x?</c>\n" +
		"<d><![CDATA[ http://d.org/ ]]></d><e>&lt;p&gt;\n &lt;a href=\"http://e.org/\"&gt;e&lt;/a&gt; &lt;a href='http://f.org/'&gt;f&lt;/a&gt;</e>\n<f>Really http://g.org/?</f></a>"
	got := extracttest.Rows("a.xml", text, doc.Options{})
	want := []string{"2:14 bare http://a.org/?x=1&y=2", "2:47 bare http://b.org/", "2:67 element http://c.org/x?", "3:14 bare http://d.org/",
		"4:14 href http://e.org/", "4:56 href http://f.org/", "5:11 bare http://g.org/"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestBibliographies(t *testing.T) {
	extracttest.Run(t, "a.bib", doc.Options{}, []extracttest.Case{{"BibTeX", "see http://no.org/\n@misc{k1,\n title = {A {B}},\n url = {http://a.org/a\\_b\\%20c},\n note = \"at \\url{http://n.org/x}, ok\"\n}\n@Book{k2, url=\"http://b.org/\", doi = {10.1000/a<b}}\n",
		[]string{"4 k1|url http://a.org/a_b%20c", "5 k1|note http://n.org/x", "7 k2|url http://b.org/", "7 k2|doi https://doi.org/10.1000/a%3Cb"}}})
	extracttest.Run(t, "a.ris", doc.Options{}, []extracttest.Case{{"RIS", "TY  - JOUR\nTI  - T\nUR  - http://a.org/x\nID  - r1\nDO  - doi:10.1/x\nER  - \nTY  - BOOK\nL1  - http://b.org/\nER  - \n",
		[]string{"3 r1|UR http://a.org/x", "5 r1|DO https://doi.org/10.1/x", "8 |L1 http://b.org/"}}})
	extracttest.Run(t, "a.bib", doc.Options{}, []extracttest.Case{{"BibTeX, braces in braces", "@misc(k1,\n url = \"http://a.org/a\",\n note = {{At \\url{http://a.org/b\\_c}, \\href{http://a.org/d}{http://a.org/e}}},\n url = {{http://a.org/f/\n  g}}\n)\n",
		[]string{"2 k1|url http://a.org/a", "3 k1|note http://a.org/b_c", "3 k1|note http://a.org/d", "4 k1|url http://a.org/f/g"}}})
	extracttest.Run(t, "a.bib", doc.Options{}, []extracttest.Case{{"BibTeX, escapes in braces, as Mendeley writes them", "@misc{k1, url = {http://a.org/{\\~{}}a{\\_}b{\\%}20?c{\\&}d{\\$}{\\#}e}}\n", []string{"1 k1|url http://a.org/~a_b%20?c&d$#e"}}})
	extracttest.Run(t, "a.bib", doc.Options{}, []extracttest.Case{{"BibTeX, a colon as JabRef writes it", "@misc{k1, url = {http\\://a.org/a\\_b}}\n", []string{"1 k1|url http://a.org/a_b"}}})
	extracttest.Run(t, "a.bib", doc.Options{}, []extracttest.Case{{"BibTeX, files", "@misc{k1, file = {a:http\\://a.org/b.pdf:PDF;http\\://b.org/:http\\://b.org/:URL;:c.html:text/html}}\n", []string{"1 k1|file http://a.org/b.pdf", "1 k1|file http://b.org/"}}})
	extracttest.Run(t, "a.mrk", doc.Options{}, []extracttest.Case{{"mnemonics", "=LDR  00000nam\n=001  b1\n=856  40$uhttp://a.org/{dollar}x?{lcub}y{rcub}{verbar}{other}\n", []string{"3 b1|856[1]$u http://a.org/$x?{y}|{other}"}}})
	extracttest.Run(t, "a.ris", doc.Options{}, []extracttest.Case{{"RIS, an old DOI", "TY  - JOUR\nUR  - http://dx.doi.org/10.1000/a(99)1:2<3::b>4\nDO  - 10.1000/A(99)1:2<3::B>4\nL1  - <a>http://a.org/\nER  - \n",
		[]string{"2 |UR http://dx.doi.org/10.1000/a(99)1:2<3::b>4", "4 |L1 http://a.org/"}}})
	extracttest.Run(t, "a.ris", doc.Options{}, []extracttest.Case{{"RIS, a DOI said twice", "TY  - JOUR\nDO  - 10.1000/ABC\nUR  - https://doi.org/10.1000/abc\nER  - \nTY  - JOUR\nUR  - http://dx.doi.org/10.1000%2Fq\nUR  - http://a.org/\nDO  - 10.1000/Q\nL1  - http://a.org/1\nL4  - http://a.org/4\nER  - \n",
		[]string{"2 |DO https://doi.org/10.1000/ABC", "6 |UR http://dx.doi.org/10.1000%2Fq", "7 |UR http://a.org/", "9 |L1 http://a.org/1", "10 |L4 http://a.org/4"}}})
	extracttest.Run(t, "a.json", doc.Options{}, []extracttest.Case{{"JSON-LD 3.1", `{"@context":["http://no.org/",{"a":{"@id":"http://no.org/a"}}],"@type":"http://no.org/T","url":"http://a.org/","sameAs":["http://b.org/",{"@context":"http://no.org/","url":"http://c.org/"},"http://d.org/"]}`,
		[]string{"1 |url http://a.org/", "1 |sameAs http://b.org/", "1 |url http://c.org/", "1 |url http://d.org/"}}})
	extracttest.Run(t, "subscriptions", doc.Options{}, []extracttest.Case{{"OPML 2.0", `<opml version="2.0"><body><outline text="http://no.org/" xmlUrl="http://a.org/feed" htmlUrl="http://a.org/"/><outline xmlUrl="feed://b.org/" imageUrl="http://b.org/i.png" url="feed:b"/></body></opml>`,
		[]string{"1 |opml/body/outline http://a.org/feed", "1 |opml/body/outline http://a.org/", "1 |opml/body/outline feed://b.org/", "1 |opml/body/outline http://b.org/i.png"}}})
	extracttest.Run(t, "outline", doc.Options{}, []extracttest.Case{{"OPML 2.0, notes and other spellings", "<opml version='1.0'><body>\n<outline text='a &lt;b&gt;http://a.org/?x=1&amp;amp;y=2&lt;/b&gt;'>\n<outline text='http://no.org/' URL='http://b.org/' image='http://b.org/i.png' _note='see&#10;\nhttp://c.org/'/><outline xmlUrl='feed:https://d.org/f' htmlUrl='feed:x'/></outline></body></opml>",
		[]string{"2 |opml/body/outline http://a.org/?x=1&y=2", "3 |body/outline/outline http://b.org/", "3 |body/outline/outline http://b.org/i.png", "4 |body/outline/outline http://c.org/", "4 |body/outline/outline feed:https://d.org/f"}}})
	extracttest.Run(t, "a.json", doc.Options{}, []extracttest.Case{{"CSL and bookmarks", "[{\"id\":\"c1\",\n\"URL\": \"http:\\/\\/a.org\\/x\", \"note\":\"a \\\"b\\\"\\nsee http://n.org/.\"},\n{\"url\":\"http://b.org/",
		[]string{"2 c1|URL http://a.org/x", "2 c1|note http://n.org/", "3 |url http://b.org/"}}})
	extracttest.Run(t, "a.ipynb", doc.Options{}, []extracttest.Case{{"nbformat 4.5", "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\n\"a [b](c.md)\\n\",\n\"<http://a.org/\\\\~b> http://a.org/\\\\~b, \",\n\"c\"]},{\"cell_type\":\"code\",\"source\":[\"[b](c.md) http://b.org/\\n\"]},\n{\"cell_type\":\"markdown\",\"source\":\"d\\n[e](http://c.org/(f))\"}]}",
		[]string{"2 |source (c.md)", "3 |source http://a.org/~b", "3 |source http://a.org/~b", "4 |source http://b.org/", "5 |source http://c.org/(f)"}}})
	quote := strings.NewReplacer(`\`, `\u005c`, `"`, `\u0022`)
	inside := func(levels int) string {
		text := `<a href='http://a.org/'>`
		for range levels {
			text = `<p><script type=application/ld+json>{"url":"` + quote.Replace(text) + `"}</script>`
		}
		return `{"url":"` + quote.Replace(text) + `"}`
	}
	extracttest.Run(t, "a.json", doc.Options{}, []extracttest.Case{{"pages in strings", `{"description":"<p><a href=\"http://a.org/?x=1&amp;y=2\">a</a>\nhttp://b.org/</p>",` + "\n" + `"note":"1 < 2, http://c.org/?x=1&amp;y"}`,
		[]string{"1 |description http://a.org/?x=1&y=2", "1 |description http://b.org/", "2 |note http://c.org/?x=1&amp;y"}},
		{"strings in pages in strings", inside(3), []string{"1 |url http://a.org/"}}, {"too deep", inside(20), nil}})
	extracttest.Run(t, "csl.json", doc.Options{}, []extracttest.Case{{"CSL", `[{"id":"c1","author":[{"id":"x","url":"http://p.org/"}],"DOI":"10.1000/182"},` + "\n" + `{"URL":"http://b.org/","id":"c2","note":"http://c.org/"}]`,
		[]string{"1 c1|url http://p.org/", "1 c1|DOI https://doi.org/10.1000/182", "2 |URL http://b.org/", "2 c2|note http://c.org/"}}})
}

func TestVObject(t *testing.T) {
	extracttest.Run(t, "a.vcf", doc.Options{}, []extracttest.Case{
		{"RFC 6350 sections 3.2 and 3.4", "BEGIN:VCARD\r\nitem1.URL;type=pref:http://a.org/b\\,c\r\nNOTE:see http://b.org/d\r\n e.html\\nend\r\nUID:urn:uuid:1\r\n",
			[]string{"2 |URL http://a.org/b,c", "3 |NOTE http://b.org/de.html"}},
		{"vCard 2.1 section 2.1.3", "BEGIN:VCARD\nURL;ENCODING=QUOTED-PRINTABLE:http://a.org/?b=3Dc=\nd\nPHOTO;ENCODING=BASE64:aHR0cDovL2Eub3JnLw==\n", []string{"2 |URL http://a.org/?b=cd"}},
		{"RFC 5545 section 3.2, a colon in quotes", "BEGIN:VCALENDAR\nATTENDEE;DIR=\"ldap://a.org/\":mailto:b@a.org\n", []string{"2 |ATTENDEE mailto:b@a.org"}},
		{"a page", "begin:vcalendar\nX-ALT-DESC;FMTTYPE=text/html:<p><a href=\"http://a.org/?b\\,c\">d</a>\n", []string{"2 |X-ALT-DESC http://a.org/?b,c"}},
	})
}

func TestCSV(t *testing.T) {
	text := "id,link,note\n1,http://a.org/,\"x \"\"http://n.org/a,b\"\"\nand http://m.org/\"\n2,rel.html,\n"
	extracttest.Run(t, "a.csv", doc.Options{}, []extracttest.Case{{"all cells", text, []string{"2 |row 2 column 2 http://a.org/", "2 |row 2 column 3 http://n.org/a,b", "3 |row 2 column 3 http://m.org/"}}})
	extracttest.Run(t, "a.csv", doc.Options{}, []extracttest.Case{{"a list in a cell", "id,link\n1,http://a.org/x|http://b.org/\n2,\"http://a.org/;http://b.org/?http://c.org/\"\n",
		[]string{"2 |row 2 column 2 http://a.org/x", "2 |row 2 column 2 http://b.org/", "3 |row 3 column 2 http://a.org/", "3 |row 3 column 2 http://b.org/?http://c.org/"}}})
	extracttest.Run(t, "a.txt", doc.Options{Input: "csv:link"}, []extracttest.Case{{"one column", text, []string{"2 |row 2 column 2 http://a.org/", "4 |row 3 column 2 (rel.html)"}}})
	extracttest.Run(t, "a.tsv", doc.Options{Input: "csv:2"}, []extracttest.Case{{"by number", "a\tb\nc\thttp://b.org/\n", []string{"1 |row 1 column 2 (b)", "2 |row 2 column 2 http://b.org/"}}})
	wide := strings.Join(strings.Split("a\tb\nc\thttp://b.org/\n", ""), "\x00")
	if got := extracttest.Records("a.tsv", "B\x00\xfc\x00c\x00h\x00\t\x00"+strings.Join(strings.Split("http://b.org/\n", ""), "\x00")+"\x00", doc.Options{}); len(got) != 1 {
		t.Errorf("UTF-16 with other letters than those of ASCII: %q", got)
	}
	for name, text := range map[string]string{"little": "\xff\xfe" + wide + "\x00", "big": "\xfe\xff\x00" + wide, "no mark": wide + "\x00"} {
		extracttest.Run(t, "a.tsv", doc.Options{}, []extracttest.Case{{"UTF-16, " + name, text, []string{"2 |row 2 column 2 http://b.org/"}}})
	}
}

func FuzzMARC(f *testing.F) {
	extracttest.Fuzz(f, "a.mrc", "marc", testdoc.MARC("001b1", "24510|aTitle", "85640|3Text|uhttp://a.org/1"))
}

func FuzzXML(f *testing.F) {
	extracttest.Fuzz(f, "a.xml", "xml", "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE a [<!ENTITY b 'c'>]><record><controlfield tag='001'>1</controlfield><datafield tag='856'><subfield code='u'>http://a.org/?a&amp;b</subfield></datafield></record><a href='http://b.org/'/><![CDATA[http://c.org/]]>")
}

func FuzzBib(f *testing.F) {
	extracttest.Fuzz(f, "a.bib", "bibtex", "@misc{k1,\n title = {A {B}},\n url = {http://a.org/a\\_b},\n note = \"at \\url{http://n.org/x}\"\n}\n")
}

func FuzzRIS(f *testing.F) {
	extracttest.Fuzz(f, "a.ris", "ris", "TY  - JOUR\nTI  - T\nUR  - http://a.org/x\nID  - r1\nDO  - doi:10.1/x\nER  - \n")
}

func FuzzMRK(f *testing.F) {
	extracttest.Fuzz(f, "a.mrk", "mrk", "=LDR  00000nam\n=001  b1\n=856  40$3Text$uhttp://a.org/{dollar}x$zsee\n=856  4\\$uwww.b.org/\n")
}

func FuzzCSV(f *testing.F) {
	extracttest.Fuzz(f, "a.csv", "csv", "id,link\n1,\"http://a.org/ \"\"x\"\n\nhttp://b.org/,\"\n")
}

func FuzzVObject(f *testing.F) {
	extracttest.Fuzz(f, "a.vcf", "vobject", "BEGIN:VCARD\nURL;A=\"b:\":http://a.org/\\,\n b\nNOTE;QUOTED-PRINTABLE:c=3D=\n<a href='http://b.org/'>\n", " A:http://a.org/", "A;QUOTED-PRINTABLE:=0D<a href=b>")
}

func FuzzJSON(f *testing.F) {
	extracttest.Fuzz(f, "a.json", "json", `[{"URL": "http:\/\/a.org\/x\u0041", "note":"a \"b\"\nsee http://n.org/."},{"url":"http://b.org/`, `{"cell_type":"markdown","source":["[a](b)\n","\\[c"],"source":"d`)
}
