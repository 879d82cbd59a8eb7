package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract/doc"
)

// findings reads a document held in a string, and gives each finding in words and
// its URI, or what was written in brackets.
func findings(name, text string, o doc.Options, words func(f *doc.Found) string) (out []string) {
	for f, err := range Document(name, strings.NewReader(text), o) {
		if err != nil {
			out = append(out, "damage: "+err.Error())
			continue
		}
		u := f.URI
		if u == "" {
			u = "(" + f.Raw + ")"
		}
		out = append(out, words(&f)+" "+u)
	}
	return out
}

// rows lists "line:column how uri".
func rows(name, text string, o doc.Options) []string {
	return findings(name, text, o, func(f *doc.Found) string { return fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.How) })
}

// placesOf lists "line record|locator uri".
func placesOf(name, text string, o doc.Options) []string {
	return findings(name, text, o, func(f *doc.Found) string { return fmt.Sprintf("%d %s|%s", f.Line, f.Record, f.Locator) })
}

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
		{"host and path", "FTP ftp.uu.net:/pub/x.Z, scp me@h.example.org:/x, Name (ftp.uu.net:jm): ", []string{
			"1:5 hostpath ftp://ftp.uu.net/pub/x.Z"}},
	} {
		if got := rows("a.txt", c.text, doc.Options{}); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestHTML(t *testing.T) {
	const text = `<html><head><title>T</title><base href="http://h.example/d/">
<meta http-equiv=refresh content="5; URL=next.html"></head>
<a href="a.cgi?x=1&copy=2&amp;y=3">link</a> <a name=x href='#f'></a>
<img src=i.gif srcset="a,b.png 1x, c.png 2x"> <!-- <a href=c> -->
`
	want := []string{
		"2:42 refresh http://h.example/d/next.html",
		"3:10 href http://h.example/d/a.cgi?x=1&copy=2&y=3",
		"4:10 src http://h.example/d/i.gif",
		"4:24 srcset http://h.example/d/a,b.png",
		"4:36 srcset http://h.example/d/c.png",
	}
	got := rows("a.html", text, doc.Options{})
	if len(got) != len(want) {
		t.Fatalf("got %q\nwant %q", got, want)
	}
}

func TestBinary(t *testing.T) {
	for _, c := range []struct {
		name, data string
		want       []string
	}{
		{"picture", "GIF89a http://a.b/", nil},
		{"octets", "\x00\x01\x02\x03 http://a.b/", []string{"damage: f: binary data of no known kind: passed over"}},
		{"text with a zero", "text\x00 http://a.b/ and some more text after it", []string{"bare http://a.b/"}},
		{"utf-16", "\xff\xfeh\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00b\x00", []string{"bare http://a.b"}},
	} {
		got := rows("f", c.data, doc.Options{})
		for i, row := range got {
			if place, found, ok := strings.Cut(row, " "); ok && place != "damage:" {
				got[i] = found
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMacintosh(t *testing.T) {
	if got := rows("f.txt", "one\rhttp://a.b/c\rtwo\r", doc.Options{}); !slices.Equal(got, []string{"2:1 bare http://a.b/c"}) {
		t.Errorf("got %q", got)
	}
	if got := rows("f.html", "<p>\r<p>\r<a href=http://a.b/>", doc.Options{}); !slices.Equal(got, []string{"3:9 href http://a.b/"}) {
		t.Errorf("got %q", got)
	}
}

func TestInput(t *testing.T) {
	const page = "<a href=http://a.b/>"
	for input, want := range map[string]string{
		"auto": "1:9 href http://a.b/", "html": "1:9 href http://a.b/", "rfc": "1:9 bare http://a.b/",
		"what": `damage: f.html: unknown format "what"`,
	} {
		if got := rows("f.html", page, doc.Options{Input: input}); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %q", input, got)
		}
	}
}
