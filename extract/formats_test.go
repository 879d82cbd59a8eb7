package extract

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract/doc"
)

func TestGophermap(t *testing.T) {
	menu := "iinfo http://no.org/\t\terror.host\t1\r\n0A file\t/a b.txt\tg.org\t70\r\n1Dir\t/d\tg.org\t7070\r\n8Login\tguest\tt.org\t23\r\nTHost\t\tt.org\t24\r\nhWeb\tURL:http://w.org/?a=b\tg.org\t70\r\n" +
		"3No\t/x\tg.org\t70\r\n7Find\t/find\tg.org\t70\r\n.\r\n0Not\t/no\tg.org\t70\r\n"
	disk := "!Title http://no.org/\n# http://no.org/\nWelcome, see http://t.org/\n1Here\tsub\n0There\t/x.txt\tg.org\n"
	runPlaces(t, "gophermap", doc.Options{}, []placeCase{
		{"RFC 1436 3.8", menu, []string{"2 | gopher://g.org/0/a%20b.txt", "3 | gopher://g.org:7070/1/d", "4 | telnet://guest@t.org/", "5 | tn3270://t.org:24/", "6 | http://w.org/?a=b", "8 | gopher://g.org/7/find"}},
		{"as on disk", disk, []string{"3 | http://t.org/", "4 | (sub)", "5 | gopher://g.org/0/x.txt"}},
	})
	nameless := "0\t/a\tg.org\t70\r\n1\t/d\tg.org\t70\r\n"
	runPlaces(t, "gophermap", doc.Options{}, []placeCase{{"items without a name", nameless, []string{"1 | gopher://g.org/0/a", "2 | gopher://g.org/1/d"}}})
	runPlaces(t, "menu.txt", doc.Options{}, []placeCase{{"captured, by its shape", menu[:65], []string{"2 | gopher://g.org/0/a%20b.txt"}}})
	runPlaces(t, "gophermap", doc.Options{Base: "gopher://h.org:71/1/d/"}, []placeCase{{"with a base", disk, []string{"3 | http://t.org/", "4 | gopher://h.org:71/1/d/sub", "5 | gopher://g.org/0/x.txt"}}})
}

func TestTextLikeJSON(t *testing.T) {
	runPlaces(t, "note.txt", doc.Options{}, []placeCase{
		{"text below an object", "{\"a\": \"x\"}\n-- input --\n\"b\nc\" see http://a.org/x\n", []string{"4 | http://a.org/x"}},
		{"lines of JSON", "{\"a\": \"http://a.org/x\"}\n{\"b\": \"http://b.org/\"}\n", []string{"1 |a http://a.org/x", "2 |b http://b.org/"}},
		{"cut short", "{\"a\": \"http://a.org/x\", \"b\": [tr", []string{"1 |a http://a.org/x"}},
	})
}

func TestXML(t *testing.T) {
	runPlaces(t, "a.xml", doc.Options{}, []placeCase{
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
		{"MODS", "<mods><titleInfo><title>T</title></titleInfo><subject authorityURI='http://no.org/'/><location><url>http://a.org/</url></location>\n<recordInfo><recordIdentifier>m1</recordIdentifier></recordInfo></mods>",
			[]string{"1 m1|mods/location/url http://a.org/"}},
		{"comments and cut short", "<a><!-- http://no.org/ -->\n<![CDATA[http://a.org/]]><b href='http://b.org/'", []string{"2 |a http://a.org/", "2 |a/b http://b.org/", "damage: a.xml:2: XML ends inside a tag"}},
	})
}

// Character references and sections shift nothing, in escaped pages neither.
func TestXMLColumns(t *testing.T) {
	const text = "<a>\n<b>a &amp; b http://a.org/?x=1&amp;y=2 c &lt; http://b.org/</b><c>http://c.org/x?</c>\n" +
		"<d><![CDATA[ http://d.org/ ]]></d><e>&lt;p&gt;\n &lt;a href=\"http://e.org/\"&gt;e&lt;/a&gt; &lt;a href='http://f.org/'&gt;f&lt;/a&gt;</e>\n<f>Really http://g.org/?</f></a>"
	got := rows("a.xml", text, doc.Options{})
	want := []string{"2:14 bare http://a.org/?x=1&y=2", "2:47 bare http://b.org/", "2:67 element http://c.org/x?", "3:14 bare http://d.org/",
		"4:14 href http://e.org/", "4:56 href http://f.org/", "5:11 bare http://g.org/"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestBibliographies(t *testing.T) {
	runPlaces(t, "a.bib", doc.Options{}, []placeCase{{"BibTeX", "see http://no.org/\n@misc{k1,\n title = {A {B}},\n url = {http://a.org/a\\_b\\%20c},\n note = \"at \\url{http://n.org/x}, ok\"\n}\n@Book{k2, url=\"http://b.org/\", doi = {10.1000/a<b}}\n",
		[]string{"4 k1|url http://a.org/a_b%20c", "5 k1|note http://n.org/x", "7 k2|url http://b.org/", "7 k2|doi https://doi.org/10.1000/a%3Cb"}}})
	runPlaces(t, "a.ris", doc.Options{}, []placeCase{{"RIS", "TY  - JOUR\nTI  - T\nUR  - http://a.org/x\nID  - r1\nDO  - doi:10.1/x\nER  - \nTY  - BOOK\nL1  - http://b.org/\nER  - \n",
		[]string{"3 r1|UR http://a.org/x", "5 r1|DO https://doi.org/10.1/x", "8 |L1 http://b.org/"}}})
	runPlaces(t, "a.json", doc.Options{}, []placeCase{{"CSL and bookmarks", "[{\"id\":\"c1\",\n\"URL\": \"http:\\/\\/a.org\\/x\", \"note\":\"a \\\"b\\\"\\nsee http://n.org/.\"},\n{\"url\":\"http://b.org/",
		[]string{"2 c1|URL http://a.org/x", "2 c1|note http://n.org/", "3 |url http://b.org/"}}})
	runPlaces(t, "csl.json", doc.Options{}, []placeCase{{"CSL", `[{"id":"c1","author":[{"id":"x","url":"http://p.org/"}],"DOI":"10.1000/182"},` + "\n" + `{"URL":"http://b.org/","id":"c2","note":"http://c.org/"}]`,
		[]string{"1 c1|url http://p.org/", "1 c1|DOI https://doi.org/10.1000/182", "2 |URL http://b.org/", "2 c2|note http://c.org/"}}})
}

func TestBookmarks(t *testing.T) {
	runPlaces(t, "bookmarks", doc.Options{}, []placeCase{
		{"Netscape", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><A HREF=\"http://a.org/\" ADD_DATE=\"1\">x</A>\n", []string{"2 | http://a.org/"}},
		{"Opera", "Opera Hotlist version 2.0\n\n#URL\n\tNAME=x\n\tURL=http://a.org/\n\tCREATED=1\n", []string{"5 | http://a.org/"}},
		{"Opera, relative", "Opera Hotlist version 2.0\n\tURL=a.css\n\tURL=\n", []string{"2 | (a.css)"}},
		{"list", "http://a.org/foo/\nftp://x.org/\nnews:comp.os.linux\nhttp://c.org/a-\nhttp://d.org/x\n", []string{"1 | http://a.org/foo/", "2 | ftp://x.org/", "3 | news:comp.os.linux", "4 | http://c.org/a-", "5 | http://d.org/x"}},
		{"feed", "<?xml version='1.0'?><rss><item><link>http://a.org/1</link>\n<description>&lt;a href='http://b.org/'>x&lt;/a></description><guid>g1</guid></item></rss>", []string{"1 g1|rss/item/link http://a.org/1", "2 g1|rss/item/description http://b.org/"}},
	})
}

func TestCSV(t *testing.T) {
	text := "id,link,note\n1,http://a.org/,\"x \"\"http://n.org/a,b\"\"\nand http://m.org/\"\n2,rel.html,\n"
	runPlaces(t, "a.csv", doc.Options{}, []placeCase{{"all cells", text, []string{"2 |row 2 column 2 http://a.org/", "2 |row 2 column 3 http://n.org/a,b", "3 |row 2 column 3 http://m.org/"}}})
	runPlaces(t, "a.txt", doc.Options{Input: "csv:link"}, []placeCase{{"one column", text, []string{"2 |row 2 column 2 http://a.org/", "4 |row 3 column 2 (rel.html)"}}})
	runPlaces(t, "a.tsv", doc.Options{Input: "csv:2"}, []placeCase{{"by number", "a\tb\nc\thttp://b.org/\n", []string{"1 |row 1 column 2 (b)", "2 |row 2 column 2 http://b.org/"}}})
}

// Rubbish gives no link, whatever its name promises, and one message; a picture
// gives neither.
func TestRubbish(t *testing.T) {
	rnd := rand.NewChaCha8([32]byte{1})
	data := make([]byte, 1<<20)
	for _, name := range []string{"a", "a.bin", "a.txt", "a.html", "a.mrc", "a.xml", "a.eml", "a.json", "a.guide"} {
		rnd.Read(data)
		said := 0
		for f, err := range Document(name, bytes.NewReader(data), doc.Options{}) {
			var damage *doc.Damage
			if !errors.As(err, &damage) || damage.Source != name || !errors.Is(err, errBinary) {
				t.Fatalf("%s: %q, %v", name, f.URI, err)
			}
			said++
		}
		if said != 1 {
			t.Errorf("%s: %d messages", name, said)
		}
	}
	for f, err := range Document("a.gif", strings.NewReader("GIF89a\x00\x01\x02\x03"), doc.Options{}) {
		t.Errorf("picture: %q, %v", f.URI, err)
	}
}
