package mail_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/testdoc"
)

func TestMessage(t *testing.T) {
	extracttest.Run(t, "1.eml", doc.Options{}, []extracttest.Case{
		{"plain, with headers that are no links", "Path: a!b\nFrom: me@a.org\nNewsgroups: comp.os\nMessage-ID: <1@a.org>\nXref: news.a.org comp.os:12\n" +
			"X-URL:\n http://a.org/home\nReferences: <news:9@b>\n\nsee http://a.org/x\nand news:comp.lang.c\n",
			[]string{"7 1@a.org|header http://a.org/home", "10 1@a.org|part 1 http://a.org/x", "11 1@a.org|part 1 news:comp.lang.c"}},
		{"RFC 2045 6.7: soft break in a URI and =3D", "Message-ID: <1@a>\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n" +
			"See http://a.org/very/long/=\npath?x=3D1&y=3D=32 or\n<http://b.org/=\n> then http://c.org/\n",
			[]string{"5 1@a|part 1 http://a.org/very/long/path?x=1&y=2", "7 1@a|part 1 http://b.org/", "8 1@a|part 1 http://c.org/"}},
		{"RFC 2045 6.8: base64 has no lines", "Message-ID: <1@a>\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: BASE64\n\n" + b64("see http://a.org/x\n") + "\n",
			[]string{"0 1@a|part 1 http://a.org/x"}},
		{"RFC 3676: flowed with DelSp", "Message-ID: <1@a>\nContent-Type: text/plain; format=flowed; delsp=yes\n\nlook: http://a.org/long/ \npath/here \nand > there\n> http://q.org/a \n> b\n",
			[]string{"4 1@a|part 1 http://a.org/long/path/hereand", "7 1@a|part 1 http://q.org/ab"}},
		{"RFC 3676: flowed without DelSp keeps the blank", "Message-ID: <1@a>\nContent-Type: text/plain; Format=Flowed\n\nlook at http://a.org/long/ \npath/here\n",
			[]string{"4 1@a|part 1 http://a.org/long/"}},
		{"RFC 2046 5.1.4: both alternatives, lines of both", "Message-ID: <1@a>\nMIME-Version: 1.0\nContent-Type: multipart/alternative;\n boundary=\"=_x\"\n\npre\n--=_x\n\nhttp://a.org/\n" +
			"--=_x\nContent-Type: text/html; charset=us-ascii\nContent-Transfer-Encoding: quoted-printable\n\n<p>\n<a href=3D\"http://a.org/=\nb\">b</a>\n<img src=3D'c.gif'>\n--=_x--\n-- list: http://l.org/\n",
			[]string{"9 1@a|part 1 http://a.org/", "15 1@a|part 2 http://a.org/b", "17 1@a|part 2 (c.gif)", "19 1@a|part 1 http://l.org/"}},
		{"RFC 2046 5.2.1: a message inside, parts inside it", "Message-ID: <1@a>\nContent-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: message/rfc822\n\nMessage-ID: <2@a>\nSubject: <http://s.org/>\nContent-Type: multipart/mixed; boundary=i\n\n" +
			"--i\n\nhttp://a.org/1\n--i\nContent-Type: text/plain\n\nhttp://a.org/2\n--i--\n--o\nContent-Type: application/octet-stream\n\nhttp://no.org/\n--o--\n",
			[]string{"8 1@a|part 1 header http://s.org/", "13 1@a|part 1.1 http://a.org/1", "17 1@a|part 1.2 http://a.org/2"}},
		{"RFC 2046 5.1.5: digest", "Content-Type: multipart/digest; boundary=d\n\n--d\n\nFrom: x\nSubject: y\n\nhttp://a.org/1\n--d\n\nFrom: x\n\nhttp://a.org/2\n--d--\n",
			[]string{"8 |part 1 http://a.org/1", "13 |part 2 http://a.org/2"}},
		{"RFC 2231: parameter in pieces", "Content-Type: multipart/mixed;\n boundary*0=\"a\";\n boundary*1*=us-ascii'en'b%20c\n\n--ab c\n\nhttp://a.org/\n--ab c--\n",
			[]string{"7 |part 1 http://a.org/"}},
		{"RFC 2047 section 6.2: what folds between encoded words is none of the text", "From: a\nSubject: =?iso-8859-1?Q?see_http=3A//a.org/x?=\n =?iso-8859-1?Q?y/z?=\n\n",
			[]string{"2 |header http://a.org/xy/z"}},
		{"RFC 2047: encoded word", "From: a\nSubject: =?iso-8859-1?Q?see_http=3A//a.org/x?=\n\n",
			[]string{"2 |header http://a.org/x"}},
		{"uuencoded text in a message", "From: a\nSubject: b\n\nx http://a.org/1\nbegin 644 x.txt\n6<V5E(&AT=' Z+R]B+F]R9R]T=V\\@\"@\nend\nthen http://c.org/\n",
			[]string{"4 |part 1 http://a.org/1", "0 |part 1 http://b.org/two", "8 |part 1 http://c.org/"}},
		{"RFC 2017 and RFC 2046 5.2.3.1: bodies elsewhere", "From: a\nContent-Type: multipart/mixed; boundary=q\n\n--q\nContent-Type: message/external-body; access-type=URL;\n URL=\"http://a.org/long\n /path\"\n\nContent-Type: text/plain\n\n--q\nContent-Type: message/external-body; access-type=anon-ftp; site=\"f.org\"; directory=\"pub/x\"; name=\"a b.txt\"\n\n--q--\n",
			[]string{"6 |part 1 header http://a.org/long/path", "12 |part 2 header ftp://f.org/pub/x/a%20b.txt"}},
		{"RFC 2369 and RFC 5064: headers of lists", "From: a\nMessage-ID: <1@a>\nList-Archive: <http://l.org/a/>,\n <ftp://l.org/b/>\nList-Post: <mailto:l@l.org>\nArchived-At: <http://l.org/m/1>\nOrganization: at http://o.org/\nNewsgroups: news:no.such\n\n",
			[]string{"3 1@a|header http://l.org/a/", "4 1@a|header ftp://l.org/b/", "5 1@a|header mailto:l@l.org", "6 1@a|header http://l.org/m/1", "7 1@a|header http://o.org/"}},
		{"quoted lines that a mailer wrapped", "From: a\nMessage-ID: <1@a>\n\n> see <http://a.org/long/\n> path/x.html> and\n>> http://b.org/some/very/long/path/that/does/not/fit/into/one/line/it-\n>> is.html\n",
			[]string{"4 1@a|part 1 http://a.org/long/path/x.html", "6 1@a|part 1 http://b.org/some/very/long/path/that/does/not/fit/into/one/line/it-is.html"}},
		{"no blank line before the body", "From: a\nSubject: b\nhello at http://a.org/\n", []string{"3 |part 1 http://a.org/"}},
	})
}

func TestBrokenMIME(t *testing.T) {
	extracttest.Run(t, "1.eml", doc.Options{}, []extracttest.Case{
		{"no boundary", "From: a\nContent-Type: multipart/mixed\n\n--x\nhttp://a.org/\n",
			[]string{"damage: 1.eml:1: multipart without a boundary: read as text", "5 |part 1 http://a.org/"}},
		{"boundary never stands", "From: a\nContent-Type: multipart/mixed; boundary=q\n\n--x\nhttp://a.org/\n--x--\n",
			[]string{"5 |part 1 http://a.org/", "damage: 1.eml:1: multipart in which its boundary never stands: read as text"}},
		{"inner boundary missing", "From: a\nContent-Type: multipart/mixed; boundary=q\n\n--q\nContent-Type: multipart/mixed; boundary=i\n\n--i\n\nhttp://a.org/\n--q\n\nhttp://b.org/\n--q--\n",
			[]string{"9 |part 1.1 http://a.org/", "12 |part 2 http://b.org/"}},
		{"nested without end", "From: a\n" + strings.Repeat("Content-Type: multipart/mixed; boundary=q\n\n--q\n", 40) + "\nhttp://a.org/\n",
			[]string{"damage: 1.eml:94: parts nested too deep: read as text", "123 |part " + strings.Repeat("1.", 30) + "10 http://a.org/"}},
		{"cut off in base64", "From: a\nContent-Type: multipart/mixed; boundary=q\n\n--q\nContent-Transfer-Encoding: base64\n\n" + b64("see http://a.org/xyz or http://")[:30] + "\n",
			[]string{"0 |part 1 http://a.org/xyz", "damage: 1.eml:1: multipart that ends before its last boundary"}},
	})
}

func TestEmbedded(t *testing.T) {
	extracttest.Run(t, "1.eml", doc.Options{}, []extracttest.Case{
		{"forwarded, quoted-printable", "From: a\nMessage-ID: <1@a>\n\n--- Forwarded ---\n\n>From x@y Wed May 21 01:48:18 1997\nMessage-ID: <2@a>\nXref: n.a.org comp.os:12\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.org/x==3D1=20\n",
			[]string{"12 1@a|part 1 http://a.org/x==1"}},
		{"the header was cut off: parts that nobody declared", "From: a\nContent-Type: text/plain\n\n\nThis is MIME\n\n--abc_1\nContent-Type: text/plain\n\nhttp://a.org/\n--abc_1\nContent-Type: text/html\n\n<a href='http://b.org/'>b</a>\n--abc_1--\nhttp://c.org/\n",
			[]string{"10 |part 1 http://a.org/", "14 |part 2 http://b.org/", "16 |part 1 http://c.org/"}},
		{"RFC 1153 digest", "From: a\nSubject: X Digest\n\nTopics\n\n" + strings.Repeat("-", 70) + "\n\nDate: today\nFrom: b\nSubject: <http://s.org/>\n\nhttp://a.org/\n\n" + strings.Repeat("-", 30) + "\n\nDate: today\nFrom: c\n\nhttp://b.org/\n\n" + strings.Repeat("-", 30) + "\n\nEnd of X Digest\n",
			[]string{"10 |header http://s.org/", "12 |part 1 http://a.org/", "19 |part 1 http://b.org/"}},
		{"no header after all", "From: a\nSubject: b\n\nTo: do\nit see\nhttp://a.org/\n\nDate: http://b.org/\n", []string{"6 |part 1 http://a.org/", "8 |part 1 http://b.org/"}},
	})
}

func TestCharsets(t *testing.T) {
	extracttest.Run(t, "1.eml", doc.Options{}, []extracttest.Case{
		{"two charsets in a part that declares none", "From: a\n\ncaf\xe9 http://a.org/\xe9t\xe9/\nna\xc3\xafve http://b.org/\n", []string{"3 |part 1 http://a.org/%E9t%E9/", "4 |part 1 http://b.org/"}},
		{"two charsets in one message", "From: a\nContent-Type: multipart/mixed; boundary=q\n\n--q\nContent-Type: text/plain; charset=iso-8859-1\n\n\xe9t\xe9 http://a.org/\n" +
			"--q\nContent-Type: text/plain; charset=koi8-r\n\n\xd0\xd2\xc9\xd7\xc5\xd4 http://b.org/\n--q\nContent-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B%F%9%H\x1b(B http://c.org/\n--q--\n",
			[]string{"7 |part 1 http://a.org/", "11 |part 2 http://b.org/", "15 |part 3 http://c.org/"}},
		{"UTF-16 in base64", "From: a\nContent-Type: text/plain; charset=utf-16le\nContent-Transfer-Encoding: base64\n\n" + b64("h\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00b\x00/\x00\n\x00") + "\n", []string{"0 |part 1 http://a.b/"}},
	})
	for f, err := range extract.Document("1.eml", strings.NewReader("From: a\nSubject: =?koi8-r?B?0NLJ18XU?=\n\nhttp://b.org/\n"), doc.Options{}) {
		if err != nil || f.Title != "привет" {
			t.Errorf("title %q, %v", f.Title, err)
		}
	}
}

func TestMbox(t *testing.T) {
	const from = "From a@b.org  Tue Apr  1 10:35:48 1997\n"
	body := "x\nFrom me Mon Jan  1 00:00:00 1996\nMessage-ID: <no@a>\n\nhttp://b.org/\n"
	extracttest.Run(t, "list.mbox", doc.Options{}, []extracttest.Case{
		{"mboxo and mboxrd: quoted From_ lines", from + "Message-ID: <1@a>\n\n>From here\n>>From http://a.org/\n\n" + from + "Message-ID: <2@a>\n\nFrom there on: http://b.org/\n",
			[]string{"5 1@a|part 1 http://a.org/", "10 2@a|part 1 http://b.org/"}},
		{"mboxcl2: the length guards the body", from + "Message-ID: <1@a>\nContent-Length: " + fmt.Sprint(len(body)) + "\n\n" + body + "\n" + from + "Message-ID: <2@a>\n\nhttp://c.org/\n",
			[]string{"9 1@a|part 1 http://b.org/", "14 2@a|part 1 http://c.org/"}},
		{"mboxcl with a wrong length", from + "Message-ID: <1@a>\nContent-Length: 9000\n\nhttp://a.org/\n\n" + from + "Message-ID: <2@a>\n\nhttp://b.org/\n",
			[]string{"5 1@a|part 1 http://a.org/", "10 2@a|part 1 http://b.org/"}},
		{"pipermail", "From ihaka at a.nz  Tue Apr  1 10:35:48 1997\nFrom: ihaka at a.nz\nMessage-ID: <1@a>\n\nhttp://a.org/\n\nFrom x at y.org Wed Apr  2 1:05:01 1997\nMessage-ID: <2@a>\n\nhttp://b.org/\n",
			[]string{"5 1@a|part 1 http://a.org/", "10 2@a|part 1 http://b.org/"}},
		{"a multipart ends with its message", from + "Message-ID: <1@a>\nContent-Type: multipart/mixed; boundary=q\n\n--q\n\nhttp://a.org/\n\n" + from + "Message-ID: <2@a>\n\n--q\nhttp://b.org/\n",
			[]string{"7 1@a|part 1 http://a.org/", "13 2@a|part 1 http://b.org/"}},
	})
}

// Coded files in the text hold no links that a reader sees, unless they are text.
func TestCodedFiles(t *testing.T) {
	head := "Message-ID: <1@a>\n\nhttp://a.org/\n"
	extracttest.Run(t, "1.eml", doc.Options{}, []extracttest.Case{
		{"yEnc", head + "=ybegin line=128 size=9 name=a.bin\n\x8ahttp://no.org/\xff www.no.org/\n=yend size=9\nhttp://b.org/\n", []string{"3 1@a|part 1 http://a.org/", "7 1@a|part 1 http://b.org/"}},
		{"=ybegin in prose", head + "=ybegin begins it\nhttp://b.org/\n", []string{"3 1@a|part 1 http://a.org/", "5 1@a|part 1 http://b.org/"}},
		{"BinHex", head + "(This file must be converted with BinHex 4.0)\n\n:$f*TEQKPH#jdH@-!N!6+BfYPH3#3\"!+\"8&\"K9'PZCfPbD'0(Bh9PD@jdC3!\n%c8dB:\nhttp://b.org/\n",
			[]string{"3 1@a|part 1 http://a.org/", "8 1@a|part 1 http://b.org/"}},
		{"uuencoded text is read, a picture is not", head + "begin 644 a.txt\n" + uu("http://t.org/\n") + "`\nend\nbegin 644 a.gif\n" + uu("GIF8\x00\x01\x02http://no.org/") + "`\nend\n",
			[]string{"3 1@a|part 1 http://a.org/", "0 1@a|part 1 http://t.org/"}},
	})
}

func TestRnews(t *testing.T) {
	a, b := "Message-ID: <1@a>\n\nhttp://a.org/\n#! rnews 3\n", "Message-ID: <2@a>\n\nhttp://b.org/\n"
	extracttest.Run(t, "batch", doc.Options{}, []extracttest.Case{
		{"lengths", fmt.Sprintf("#! rnews %d\n%s#! rnews %d\n%s", len(a), a, len(b), b),
			[]string{"4 1@a|part 1 http://a.org/", "9 2@a|part 1 http://b.org/"}},
		{"wrong length", fmt.Sprintf("#! rnews 7\n%s#! rnews %d\n%s", b, len(b), b),
			[]string{"4 2@a|part 1 http://b.org/", "damage: batch:5: article of a batch is not as long as its line says: read up to the next", "8 2@a|part 1 http://b.org/"}},
		{"compressed by compress(1)", "#! cunbatch\n" + string(testdoc.LZW([]byte(fmt.Sprintf("#! rnews %d\n%s", len(b), b)), 16, true)), []string{"4 2@a|part 1 http://b.org/"}},
		{"compressed by gzip", "#! gunbatch\n" + testdoc.Gzip(fmt.Sprintf("#! rnews %d\n%s", len(b), b)), []string{"4 2@a|part 1 http://b.org/"}},
		{"compressed by nobody knows what", "#! zunbatch\nhttp://b.org/\n", []string{"damage: batch: news batch in a coding that is not read here"}},
	})
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// uu encodes one line.
func uu(s string) string {
	out := []byte{byte(' ' + len(s))}
	for s += "\x00\x00"; len(s) > 2; s = s[3:] {
		for _, v := range []byte{s[0] >> 2, s[0]<<4&0x3f | s[1]>>4, s[1]<<2&0x3f | s[2]>>6, s[2] & 0x3f} {
			out = append(out, ' '+v)
		}
	}
	return string(out) + "\n"
}
