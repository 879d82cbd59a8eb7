package textscan_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/xurls/v2"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/ascii"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"RFC 1738 appendix", "found it under <URL:ftp://info.cern.ch/pub/www/doc;\n      type=d> but <URL:ftp://ds.in\n      ternic.net/rfc>.  <URL:http://ds.internic.\n      net/instructions/overview.html#WARNING>.\n", []string{
			"1:21 url-prefix ftp://info.cern.ch/pub/www/doc;type=d",
			"2:24 url-prefix ftp://ds.internic.net/rfc",
			"3:30 url-prefix http://ds.internic.net/instructions/overview.html#WARNING"}},
		{"sentence", "See http://a.example/x, (http://b.example/y_(z)) and 'http://c.example/'.", []string{
			"1:5 bare http://a.example/x", "1:26 bare http://b.example/y_(z)", "1:55 bare http://c.example/"}},
		{"prose", "note: see mail: a@b.c, 10:30, std::string, file: none, go: there, C:\\x news: none", nil},
		{"told in words", "It is there by anonymous FTP from ftp.uu.net in the directory\n/pub/x/y. Use anonymous ftp to see ftp.funet.fi for more.", []string{
			"1:35 prose ftp://ftp.uu.net/pub/x/y"}},
		{"www", "See www.a.example/b, ftp.www.org and awww.b.example (www.c.org).", []string{"1:5 www http://www.a.example/b", "1:54 www http://www.c.org"}},
		{"struck over", "N\bNA\bA: _\bh_\bt_\bt_\bp_\b:_\b/_\b/_\ba_\b._\be_\bx_\ba_\bm_\bp_\bl_\be_\b/_\bx and\nh\bh\bht\btt\btp\bp:\b:/\b//\b/\u00fc\b\u00fc.e\bex\bxa\bam\bmp\bpl\ble\be", []string{
			"1:11 bare http://a.example/x", "2:5 bare http://\u00fc.example"}},
		{"host and path", "FTP ftp.uu.net:/pub/x.Z, scp me@h.example.org:/x, Name (ftp.uu.net:jm): ", []string{
			"1:5 hostpath ftp://ftp.uu.net/pub/x.Z"}},
	} {
		if got := extracttest.Rows("a.txt", c.text, doc.Options{}); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// A long text is scanned in windows: none of them parts a link, wherever it falls.
func TestWindows(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 11
	}
	for _, link := range []string{"http://a.example/23456", "http//a.example/23456"} {
		for _, between := range []string{"\n", " ", "\t", "<>", "\n\n"} {
			for shift := 0; shift < 23; shift += step {
				text := strings.Repeat("x", shift) + strings.Repeat(between+link, 14_000)
				n := 0
				for found, err := range extract.Document("a.txt", strings.NewReader(text), doc.Options{Input: "text"}) {
					if err != nil || found.URI != link {
						t.Fatalf("%q, shifted by %d: link %d is %q, %v", between, shift, n, found.URI, err)
					}
					n++
				}
				if n != 14_000 {
					t.Errorf("%q, %q, shifted by %d: %d links", link, between, shift, n)
				}
			}
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"<URL:ftp://ds.in\n      ternic.net/rfc>", "(http://a.b/c_(d)), ftp.uu.net:/pub/x\r\nwww.a.org", "http://a.b/c-\n\n\nX  [Page 1]\n\f\nRFC 1\n\nd.html",
		"\"http://a.b\n/c\"", "> http://a.b/c/\n> d.html", "URL:http:// a.b/ UDI=wais://a/b", "mailto:?to=a", "http://\xe9\xff", "a.b:/", "\x1b$Bhttp://a.b", "\rwww.0.AA", "(http//a.org/b), hppt:a.org http:/a.org/c",
		"_\bh_\bt_\bt_\bp_\b:_\b/_\b/_\ba_\b._\bb\b\b\n\b", "|a|http://a.b/|c|\n| |d|\n|", "A  B\n-- ---\na  http://a.b/\n   c\n\td", "=20\nhttp://a.b/?c=3D=\nd=E4=20",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		extracttest.Laws(t, "a.txt", data, doc.Options{Input: "text"})
		text := data
		if bytes.IndexByte(data[:min(len(data), doc.SniffSize)], '\n') < 0 { // a Macintosh file, whose lines end in CR
			text = bytes.ReplaceAll(data, []byte{'\r'}, []byte{'\n'})
		}
		lines := bytes.Split(text, []byte{'\n'})
		for found, err := range extract.Document("a.txt", bytes.NewReader(data), doc.Options{Input: "text", Charset: "windows-1252"}) {
			if err != nil || bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
				continue
			}
			line := lines[found.Line-1]
			first := firstLine(found.Raw)
			if ascii.Only([]byte(first)) && bytes.IndexByte(line, '\b') < 0 && (found.Column < 1 || found.Column > len(line) || !bytes.HasPrefix(line[found.Column-1:], []byte(first))) {
				t.Fatalf("%q does not stand at %d:%d", first, found.Line, found.Column)
			}
		}
	})
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// What xurls finds in the texts of the corpus ours must find too, perhaps going
// on where xurls stops: over a line's end, a blank, a "*" or a "^".
func TestXurlsAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("xurls takes its time")
	}
	strict := xurls.Strict()
	seen := 0
	for _, dir := range []string{"rfc", "drafts", "text"} {
		for _, path := range extracttest.CorpusFiles(t, dir, func(p string) bool { return !strings.HasSuffix(p, ".gz") }) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var ours strings.Builder
			for f, err := range extract.Document(path, bytes.NewReader(text), doc.Options{}) {
				if err != nil {
					t.Error(err)
				}
				ours.WriteString("\n" + f.URI + "\n" + f.Raw)
			}
			for _, u := range strict.FindAllString(string(text), -1) {
				if scheme := doc.SchemeOf(u); scheme != "http" && scheme != "https" && scheme != "ftp" && scheme != "gopher" {
					continue
				}
				u, _, _ = strings.Cut(u, "@{") // markup of AmigaGuide is no part of a URL
				u, _, _ = strings.Cut(u, "[/") // a part that may be left out
				if i := strings.IndexByte(u, '$'); i >= 0 && i+1 < len(u) && ascii.Letter(u[i+1]) {
					continue // a template: $host, $value
				}
				if seen++; !strings.Contains(ours.String(), "\n"+u) && !slices.Contains(identifiers, u) {
					t.Errorf("%s: xurls has %q", path, u)
				}
			}
		}
	}
	t.Logf("%d references", seen)
}

// identifiers are what xurls takes for links and we do not: names of
// namespaces, DTDs and schemas.
var identifiers = []string{
	"http://ietf.org/dtd/cnrp-1.0.dtd", "http://www.w3.org/2001/XMLSchema", "http://www.w3.org/XML/1998/namespace",
	"http://www.w3.org/2001/xml.xsd", "http://www.w3.org/TR/xhtml-basic/xhtml-basic10.dtd", "http://www.w3.org/1999/xhtml",
	"http://www.w3.org/TR/2002/WD-speech-", "http://www.w3.org/TR/speech-",
}

func TestTextLikeJSON(t *testing.T) {
	extracttest.Run(t, "note.txt", doc.Options{}, []extracttest.Case{
		{"text below an object", "{\"a\": \"x\"}\n-- input --\n\"b\nc\" see http://a.org/x\n", []string{"4 | http://a.org/x"}},
		{"lines of JSON", "{\"a\": \"http://a.org/x\"}\n{\"b\": \"http://b.org/\"}\n", []string{"1 |a http://a.org/x", "2 |b http://b.org/"}},
		{"cut short", "{\"a\": \"http://a.org/x\", \"b\": [tr", []string{"1 |a http://a.org/x"}},
	})
}
