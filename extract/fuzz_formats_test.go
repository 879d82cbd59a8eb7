package extract

import (
	"testing"

	"linkcheck/extract/doc"
)

func fuzzFormat(f *testing.F, name, input string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		laws(t, name, data, doc.Options{Input: input, Base: "http://h.example/"})
	})
}

func FuzzMessage(f *testing.F) {
	fuzzFormat(f, "1.eml", "message", "From: a\nContent-Type: multipart/mixed; boundary=q\n\n--q\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"http://a=\n.org/\">\n--q\nContent-Transfer-Encoding: base64\n\nc2VlIGh0dHA6Ly9hLm9yZy94eXo\n--q--\n",
		"A: b\nContent-Type: text/plain; format=flowed; delsp=yes\n\n> http://a.org/ \n> b\nbegin 644 x\n#86)C\nend\n", "A: b\n\nFrom: c\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.org/=3D\n")
}

func FuzzMbox(f *testing.F) {
	fuzzFormat(f, "a.mbox", "mbox", "From a@b Tue Apr  1 10:35:48 1997\nContent-Length: 14\n\nhttp://a.org/\n\nFrom a@b Tue Apr  1 10:35:48 1997\n\n>From http://b.org/\n")
}

func FuzzRnews(f *testing.F) {
	fuzzFormat(f, "a", "rnews", "#! rnews 16\nA: b\n\nhttp://a/\n#! rnews 5\nA: b\n")
}

func FuzzMARC(f *testing.F) {
	fuzzFormat(f, "a.mrc", "marc", marcRecord("001b1", "24510|aTitle", "85640|3Text|uhttp://a.org/1"))
}

func FuzzXML(f *testing.F) {
	fuzzFormat(f, "a.xml", "xml", "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE a [<!ENTITY b 'c'>]><record><controlfield tag='001'>1</controlfield><datafield tag='856'><subfield code='u'>http://a.org/?a&amp;b</subfield></datafield></record><a href='http://b.org/'/><![CDATA[http://c.org/]]>")
}

func FuzzWARC(f *testing.F) {
	fuzzFormat(f, "a.warc", "warc", warc("response", "http://h.org/", httpMedia, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"+chunked("<a href=x>", "<b>")), "filedesc://a 0 20140216050221 text/plain 3\nabc\nhttp://a/ 1 20140216050221 text/html -1\nHTTP/1.0 200\n\n<a href=b>")
}

func FuzzWARCGzip(f *testing.F) {
	fuzzFormat(f, "a.warc.gz", "", gz(warc("resource", "x:y", "text/plain", "http://a.org/"))+gz(warc("resource", "x:y", "text/plain", "http://b.org/")))
}

func FuzzGophermap(f *testing.F) {
	fuzzFormat(f, "gophermap", "gophermap", "0A\t/a b\tg.org\t70\r\n8L\tg\tt.org\t23\nhW\tURL:http://w.org/\n1x\n.\n", "1\t\n", "\x00\t/a\th\t70\n")
}

func FuzzBib(f *testing.F) {
	fuzzFormat(f, "a.bib", "bibtex", "@misc{k1,\n title = {A {B}},\n url = {http://a.org/a\\_b},\n note = \"at \\url{http://n.org/x}\"\n}\n")
}

func FuzzRIS(f *testing.F) {
	fuzzFormat(f, "a.ris", "ris", "TY  - JOUR\nTI  - T\nUR  - http://a.org/x\nID  - r1\nDO  - doi:10.1/x\nER  - \n")
}

func FuzzMRK(f *testing.F) {
	fuzzFormat(f, "a.mrk", "mrk", "=LDR  00000nam\n=001  b1\n=856  40$3Text$uhttp://a.org/{dollar}x$zsee\n=856  4\\$uwww.b.org/\n")
}

func FuzzShortcut(f *testing.F) {
	fuzzFormat(f, "a.url", "shortcut", "[InternetShortcut]\r\nURL=http://a.org/\r\nURL=a.css\n", "URL=\x00")
}

func FuzzCSV(f *testing.F) {
	fuzzFormat(f, "a.csv", "csv", "id,link\n1,\"http://a.org/ \"\"x\"\n\nhttp://b.org/,\"\n")
}

func FuzzJSON(f *testing.F) {
	fuzzFormat(f, "a.json", "json", `[{"URL": "http:\/\/a.org\/x\u0041", "note":"a \"b\"\nsee http://n.org/."},{"url":"http://b.org/`)
}

func FuzzMailPage(f *testing.F) {
	fuzzFormat(f, "a.html", "mailpage", "<!-- received=\"x\" --><!-- id=\"9@a\" --><!--X-Message-Id: 1@b --><a href=\"http://a.org/\">")
}
