package page_test

import (
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

func TestGophermap(t *testing.T) {
	menu := "iinfo http://no.org/\t\terror.host\t1\r\n0A file\t/a b.txt\tg.org\t70\r\n1Dir\t/d\tg.org\t7070\r\n8Login\tguest\tt.org\t23\r\nTHost\t\tt.org\t24\r\nhWeb\tURL:http://w.org/?a=b\tg.org\t70\r\n" +
		"3No\t/x\tg.org\t70\r\n7Find\t/find\tg.org\t70\r\n.\r\n0Not\t/no\tg.org\t70\r\n"
	disk := "!Title http://no.org/\n# http://no.org/\nWelcome, see http://t.org/\n1Here\tsub\n0There\t/x.txt\tg.org\n"
	extracttest.Run(t, "gophermap", doc.Options{}, []extracttest.Case{
		{"RFC 1436 3.8", menu, []string{"2 | gopher://g.org/0/a%20b.txt", "3 | gopher://g.org:7070/1/d", "4 | telnet://guest@t.org/", "5 | tn3270://t.org:24/", "6 | http://w.org/?a=b", "8 | gopher://g.org/7/find"}},
		{"as on disk", disk, []string{"3 | http://t.org/", "4 | (sub)", "5 | gopher://g.org/0/x.txt"}},
	})
	nameless := "0\t/a\tg.org\t70\r\n1\t/d\tg.org\t70\r\n"
	extracttest.Run(t, "gophermap", doc.Options{}, []extracttest.Case{{"items without a name", nameless, []string{"1 | gopher://g.org/0/a", "2 | gopher://g.org/1/d"}}})
	extracttest.Run(t, "menu.txt", doc.Options{}, []extracttest.Case{{"captured, by its shape", menu[:65], []string{"2 | gopher://g.org/0/a%20b.txt"}}})
	for _, folder := range []string{"gopher://h.org/1/d", "gopher://h.org/1/d/", "gopher://h.org/1/d/gophermap"} {
		extracttest.Run(t, "gophermap", doc.Options{Base: folder}, []extracttest.Case{{folder, "1a\tsub\n0b\t/x\n1c\tsub\tg.org\t70\n", []string{"1 | gopher://h.org/1/d/sub", "2 | gopher://h.org/0/x", "3 | gopher://g.org/1sub"}}})
	}
	extracttest.Run(t, "gophermap", doc.Options{Base: "gopher://h.org:71/1/d/"}, []extracttest.Case{{"with a base", disk, []string{"3 | http://t.org/", "4 | gopher://h.org:71/1/d/sub", "5 | gopher://g.org/0/x.txt"}}})
}

func TestBookmarks(t *testing.T) {
	extracttest.Run(t, "bookmarks", doc.Options{}, []extracttest.Case{
		{"Netscape", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><A HREF=\"http://a.org/\" ADD_DATE=\"1\">x</A>\n", []string{"2 | http://a.org/"}},
		{"Opera", "Opera Hotlist version 2.0\n\n#URL\n\tNAME=x\n\tURL=http://a.org/\n\tCREATED=1\n", []string{"5 | http://a.org/"}},
		{"Opera, relative", "Opera Hotlist version 2.0\n\tURL=a.css\n\tURL=\n", []string{"2 | (a.css)"}},
		{"list", "http://a.org/foo/\nftp://x.org/\nnews:comp.os.linux\nhttp://c.org/a-\nhttp://d.org/x\n", []string{"1 | http://a.org/foo/", "2 | ftp://x.org/", "3 | news:comp.os.linux", "4 | http://c.org/a-", "5 | http://d.org/x"}},
		{"feed", "<?xml version='1.0'?><rss><item><link>http://a.org/1</link>\n<description>&lt;a href='http://b.org/'>x&lt;/a></description><guid>g1</guid></item></rss>", []string{"1 g1|rss/item/link http://a.org/1", "2 g1|rss/item/description http://b.org/"}},
	})
}

func FuzzGophermap(f *testing.F) {
	extracttest.Fuzz(f, "gophermap", "gophermap", "0A\t/a b\tg.org\t70\r\n8L\tg\tt.org\t23\nhW\tURL:http://w.org/\n1x\n.\n", "1\t\n", "\x00\t/a\th\t70\n")
}

func FuzzShortcut(f *testing.F) {
	extracttest.Fuzz(f, "a.url", "shortcut", "[InternetShortcut]\r\nURL=http://a.org/\r\nURL=a.css\n", "URL=\x00")
}

func FuzzMailPage(f *testing.F) {
	extracttest.Fuzz(f, "a.html", "mailpage", "<!-- received=\"x\" --><!-- id=\"9@a\" --><!--X-Message-Id: 1@b --><a href=\"http://a.org/\">")
}

func TestMailPage(t *testing.T) {
	extracttest.Run(t, "0001.html", doc.Options{}, []extracttest.Case{
		{"Hypermail", "<html><head><title>x</title></head>\n<!-- received=\"Thu\" -->\n<!-- name=\"B. E.\" -->\n<!-- id=\"9@a.org\" -->\n<a href=\"http://a.org/\">x</a>\n",
			[]string{"5 9@a.org| http://a.org/"}},
		{"MHonArc", "<!-- MHonArc v2.4.4 -->\n<!--X-Subject: x -->\n<!--X-Message-Id: 9@a&#45;b.org -->\n<html><a href=\"http://a.org/\">x</a>\n",
			[]string{"4 9@a-b.org| http://a.org/"}},
	})
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{
		"<a href=\"http://a.b/>x</a><a href='c'>", "<base href=x><img srcset='a 1x, b,c'>", "<title>x<!--<a href=b>--><!-- ",
		"<meta http-equiv=refresh content='0;url=x'><style>url(", "<a href=\"\x00&#x0;&copy=1&lt\n b\">", "<noframes><a href=x><script><", "<meta charset=utf-16><p style='url()'>",
	} {
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, comments bool) {
		extracttest.Laws(t, "a.html", data, doc.Options{Input: "html", Comments: comments, Base: "http://h.example/d/"})
	})
}
