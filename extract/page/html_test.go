package page_test

import (
	"slices"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

// base resolves relative references in the tests of pages.
var base = doc.Options{Base: "http://h.example/d/p.html"}

func TestHTMLAttributes(t *testing.T) {
	for _, c := range []struct {
		name, page string
		want       []string
	}{
		{"all kinds", `<body background=b.gif><img src="i" lowsrc=l longdesc=ld usemap=#m><area href=ar><q cite=c>
<frame src=f longdesc=g><iframe src=if></iframe><embed src=e><link rel=stylesheet href=s.css><form action=act><button formaction=fa>`, []string{
			"1:18 background http://h.example/d/b.gif", "1:34 src http://h.example/d/i",
			"1:44 lowsrc http://h.example/d/l", "1:55 longdesc http://h.example/d/ld",
			"1:79 href http://h.example/d/ar", "1:90 cite http://h.example/d/c",
			"2:12 src http://h.example/d/f", "2:23 longdesc http://h.example/d/g", "2:37 src http://h.example/d/if",
			"2:60 src http://h.example/d/e", "2:88 href http://h.example/d/s.css",
			"2:107 action http://h.example/d/act", "2:130 formaction http://h.example/d/fa"}},
		{"where to get the program for it", `<embed src=e pluginspage="http://p.example/">`, []string{"1:12 src http://h.example/d/e", "1:27 pluginspage http://p.example/"}},
		{"newer ones", `<video poster=v.png src=v.webm><a ping="p1 p2" href=q></a><img imagesrcset="s1 1x"><html manifest=m><object usemap=#u data=o></object><command icon=ic><base href=""><x xlink:href=xl>`, []string{
			"1:15 poster http://h.example/d/v.png", "1:25 src http://h.example/d/v.webm", "1:41 ping http://h.example/d/p1", "1:44 ping http://h.example/d/p2", "1:53 href http://h.example/d/q",
			"1:77 imagesrcset http://h.example/d/s1", "1:99 manifest http://h.example/d/m", "1:124 data http://h.example/d/o", "1:149 icon http://h.example/d/ic", "1:180 xlink:href http://h.example/d/xl"}},
		{"codebase", `<applet codebase="/java/" code=A.class archive="a.jar, b.jar"></applet><object classid="clsid:1" data=m.swf>`, []string{
			"1:19 codebase http://h.example/java/", "1:32 code http://h.example/java/A.class",
			"1:49 archive http://h.example/java/a.jar", "1:56 archive http://h.example/java/b.jar",
			"1:103 data http://h.example/d/m.swf"}},
		{"no links", `<a href="#x"></a><a href=""></a><img usemap="#m"><a href="javascript:f()"><html xmlns="http://n.example/">
<head profile="http://p.example/"><link rel="schema.DC" href="http://dc.example/"><!DOCTYPE html SYSTEM "http://dtd.example/">`, nil},
		{"quoted-printable that was not undone", "<a class=3D\"c\" href=3D\"http://a.example/x=\n/y?b=3Dc\" id=3D\"d\">x</a><a href=3D\"open><a href=\"z?q=3D\">", []string{
			"1:24 href http://a.example/x/y?b=c", "2:33 href http://h.example/d/3D\"open", "2:50 href http://h.example/d/z?q=3D"}},
		{"entities", `<a href="x?a=1&copy=2&amp;b=3&#38;c">`, []string{"1:10 href http://h.example/d/x?a=1&copy=2&b=3&c"}},
		{"damage", "<a href=\"ht\x00tp://n.example/\"><a href=' \n http://w.example/a\n   b ' ><a href=http://q.example/\">x</a><a href=\"http:// s.example/\">", []string{
			"1:10 href http://n.example/", "2:2 href http://w.example/ab", "3:17 href http://q.example/", "3:50 href http://s.example/"}},
		{"quote not closed", "<a href=\"http://a.example/>one</a>\n<a href=\"http://b.example/\">two</a> <a href=c>", []string{
			"1:10 href http://a.example/", "2:10 href http://b.example/", "2:45 href http://h.example/d/c"}},
		{"page cut short", "<a href=\"http://a.example/>one</a>\n<a href=\"g\n", []string{
			"1:10 href http://a.example/", "2:10 href http://h.example/d/g"}},
		{"srcset", `<img srcset="a,b.png 1x,c.png 2x, d.png">`, []string{
			"1:14 srcset http://h.example/d/a,b.png", "1:25 srcset http://h.example/d/c.png", "1:35 srcset http://h.example/d/d.png"}},
		{"images that load late", `<img src=p.gif data-src=a.jpg data-srcset="a.jpg 1x, b.jpg 2x"><img data-original=c.jpg><iframe data-lazy-src=d></iframe><p data-src=no data-original="no link">`, []string{
			"1:10 src http://h.example/d/p.gif", "1:25 data-src http://h.example/d/a.jpg", "1:44 data-srcset http://h.example/d/a.jpg", "1:54 data-srcset http://h.example/d/b.jpg",
			"1:83 data-original http://h.example/d/c.jpg", "1:111 data-lazy-src http://h.example/d/d"}},
		{"css", `<p style="background:url('x.png')"><style>@import url(y.css);</style>`, []string{
			"1:27 css http://h.example/d/x.png", "1:55 css http://h.example/d/y.css"}},
		{"css, imports", `<style>@import "a.css"; /* @import "no.css" url(no.png) */ @import 'b.css' print; x{background:url(c.png)}</style>`, []string{
			"1:17 css http://h.example/d/a.css", "1:69 css http://h.example/d/b.css", "1:100 css http://h.example/d/c.png"}},
		{"Open Graph and cards", `<meta property="og:image" content="http://i.example/a"><meta name=twitter:url content=http://i.example/b><meta property="og:title" content="http://no.example/"><meta property="og:url" content="c"><meta property="og:see_also" content="http://s.example/">`, []string{
			"1:36 meta http://i.example/a", "1:87 meta http://i.example/b", "1:235 meta http://s.example/"}},
		{"JSON-LD", "<script type=\"application/ld+json\">{\"@context\":\"http://no.example/\",\"@id\":\"http://no.example/i\",\n\"url\":\"http://a.example/\",\"sameAs\":[\"http://b.example/\"]}</script><script>\"http://no.example/\"</script>", []string{
			"2:8 json-ld http://a.example/", "2:38 json-ld http://b.example/"}},
		{"text of a field, comment", `<textarea>http://a.example/ <a href=b></a></textarea><!-- http://no.example/ <a href=c> -->`, []string{"1:11 text http://a.example/"}},
		{"closed behind a tag's end", "<link href=\"/x.css?v=(A?b(0):'')?>\" type=t><a href=\"c>", []string{
			"1:13 href http://h.example/x.css?v=(A?b(0):'')?>", "1:53 href http://h.example/d/c"}},
		{"frames", `<noframes><a href=x></a></noframes><noembed><a href=y></noembed><script>"<a href=z>"</script><noscript><img src=n></noscript><script src=s></script></a>at http://t.example/`, []string{
			"1:19 href http://h.example/d/x", "1:53 href http://h.example/d/y", "1:113 src http://h.example/d/n", "1:138 src http://h.example/d/s", "1:156 text http://t.example/"}},
		{"refresh", `<META HTTP-EQUIV="Refresh" CONTENT="0;URL='n.html'"><isindex action=find>`, []string{
			"1:44 refresh http://h.example/d/n.html", "1:69 action http://h.example/d/find"}},
		{"refresh after octets that are no UTF-8", "<meta http-equiv=refresh content=\"\xe5\xe5;Url=a\"><meta http-equiv=refresh content=\"\xe5url\">", []string{"1:42 refresh http://h.example/d/a"}},
		{"refresh twice", `<meta http-equiv=refresh content="0; url=a" content="0; url=b"><meta http-equiv=refresh content=5 content="0; url=c">`, []string{
			"1:42 refresh http://h.example/d/a", "1:61 refresh http://h.example/d/b"}},
		{"comment not closed", "<!-- x > <a href=y></a> <!-- z -->\n<!-- x > <a href=z>", []string{"2:18 href http://h.example/d/z"}},
		{"title not closed", `<title>T<body><a href=x>`, []string{"1:23 href http://h.example/d/x"}},
		{"base after links", `<link href=a><base href="http://o.example/e/"><a href=../x>`, []string{
			"1:12 href http://o.example/e/a", "1:55 href http://o.example/x"}},
		{"text", "<pre>see &lt;URL:http://t.example/&gt; and <b>http://u.example/</b>x</pre>", []string{
			"1:18 text http://t.example/", "1:47 text http://u.example/"}},
		{"octets", "<a href=\"caf\xe9.html\">", []string{"1:10 href http://h.example/d/caf%E9.html"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := extracttest.Rows("p.html", c.page, base); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestHTMLComments(t *testing.T) {
	const page = "<!-- x\n <a href=\"http://c.example/\"> --><a href=http://a.example/>"
	o := doc.Options{Comments: true}
	want := []string{"2:11 comment http://c.example/", "2:42 href http://a.example/"}
	if got := extracttest.Rows("p.html", page, o); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// 600 open elements make html.Parse give nothing.
func TestHTMLNesting(t *testing.T) {
	page := strings.Repeat("<font><dl><dd>", 600) + "<a href=http://a.example/>x</a>"
	if got := extracttest.Rows("p.html", page, doc.Options{}); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

func TestHTMLContext(t *testing.T) {
	const page = "<title> The\n page </title><a href=http://a.example/>a <b>bold</b>\nword<img src=http://i.example/ alt=pic></a>"
	var got []string
	for f := range extract.Document("p.html", strings.NewReader(page), doc.Options{}) {
		got = append(got, f.Title+"|"+f.Context)
	}
	want := []string{"The page|a bold word", "The page|pic"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestHTMLCharsets(t *testing.T) {
	for _, c := range []struct{ name, page, title string }{
		{"windows-1252", "<meta charset=windows-1252><title>\x93caf\xe9\x94</title>", "“café”"},
		{"undeclared iso-2022-jp", "<title>\x1b$B4A;z\x1b(B</title>", "漢字"},
		{"undeclared utf-8", "<title>漢字</title>", "漢字"},
		{"declared by XML", "<?xml version='1.0' encoding='koi8-r'?><html><title>\xf2\xd5\xd3\xd8</title>", "Русь"},
		{"latin-1", "<title>caf\xe9</title>", "café"},
		{"koi8-r", "<meta http-equiv=content-type content='text/html; charset=koi8-r'><title>\xf2\xd5\xd3\xd8</title>", "Русь"},
		{"iso-2022-jp", "<meta charset=iso-2022-jp><title>\x1b$B4A;z\x1b(B</title>", "漢字"},
		{"shift_jis", "<meta charset=Shift_JIS><title>\x8a\xbf\x8e\x9a</title>", "漢字"},
		{"euc-kr", "<meta charset=euc-kr><title>\xc7\xd1\xb1\xdb</title>", "한글"},
		{"utf-16", "\xff\xfe<\x00t\x00i\x00t\x00l\x00e\x00>\x00\xe9\x00<\x00/\x00t\x00i\x00t\x00l\x00e\x00>\x00<\x00a\x00 \x00h\x00r\x00e\x00f\x00=\x00h\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00b\x00>\x00", "é"},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := c.page
			if c.name != "utf-16" {
				page += "\n<a href=http://a.b>"
			}
			n := 0
			for f, err := range extract.Document("p.html", strings.NewReader(page), doc.Options{}) {
				if n++; err != nil || f.Title != c.title || f.URI != "http://a.b" {
					t.Errorf("%+v, %v", f, err)
				}
			}
			if n != 1 {
				t.Errorf("%d findings", n)
			}
		})
	}
}
