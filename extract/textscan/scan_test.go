package textscan_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"linkcheck/extract/budget"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/testdoc"
)

// The wrappers of the vectors, but for what a scanner of paper got wrong: nobody
// can say what stood there.
func TestWrapperVectors(t *testing.T) {
	b, err := os.ReadFile(testdoc.Shared(t, "vectors", "wrapper.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
		f := strings.Split(line, "\t")
		if len(f) < 4 || f[3] == "ocr-repair" {
			continue
		}
		n++
		var got []string
		textscan.Scan(aDocument(), []byte(strings.ReplaceAll(f[1], `\n`, "\n")), 0, 0, func(x doc.Found) bool {
			got = append(got, x.URI)
			return true
		})
		if !slices.Equal(got, []string{f[2]}) {
			t.Errorf("%s: %q gives %q, want %q", f[0], f[1], got, f[2])
		}
	}
	if n == 0 {
		t.Error("no vectors")
	}
}

func TestScan(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // how, a blank, URI
	}{
		{"prefixes", "URL:ftp://a.b/c URL: http://d.e/ <URL: http://f.g/ > UDI=file://h.i/j. url=http://k.l/", []string{
			"url-prefix ftp://a.b/c", "url-prefix http://d.e/", "url-prefix http://f.g/", "url-prefix file://h.i/j", "url-prefix http://k.l/"}},
		{"stray slashes", "<URL://http://a.b/>", []string{"url-prefix http://a.b/"}},
		{"or", "<URL:http://a.b/c or http://d.e/f>", []string{"url-prefix http://a.b/c", "bare http://d.e/f"}},
		{"broken after the slashes", "<http://\n   www.a.b/c>", []string{"bracket http://www.a.b/c"}},
		{"blank behind the slashes", "http:// www.a.b/ file:// or http:// for", []string{"bare http://www.a.b/"}},
		{"a line ends in front of the host", "formerly at gopher://\ngopher.a.org/11/x are; or take http:\n> //w.b.example/y now; http://\ne.g. this", []string{"bare gopher://gopher.a.org/11/x"}},
		{"a line ends in front of the slashes", "> take http:\n> //w.b.example/y now", []string{"bare http://w.b.example/y"}},
		{"a line ends in front of the port", "(gopher://g.a.org:\n7070/11/x) (see http://w.a.org:\n1994 was) http://w.b.org/c:\n80/d", []string{"bare gopher://g.a.org:7070/11/x", "bare http://w.a.org", "bare http://w.b.org/c"}},
		{"signatures in two columns", "Hans Musterman <musterman at stat.math.ab.org>\thttp://stat.ab.org/~musterman/\nSeminar fuer Statistik, Uni-Zentrum XYZ G1;\tSonnenstr.33\nUNI (Federal Inst. Technology)\t8092 Zurich\tSWITZERLAND\n\nDepartment of Geography           [W] http://www.c.org/~gavin/rivers/cv/\n26 Bedford Way                    [W] http://www.c.org/~gavin/",
			[]string{"bare http://stat.ab.org/~musterman/", "bare http://www.c.org/~gavin/rivers/cv/", "bare http://www.c.org/~gavin/"}},
		{"lines for a compiler", "//go:build unix\n//go:generate go run x.go\n// as go:name says, <go:name>", []string{"bare go:name", "bracket go:name"}},
		{"a comment ends", "# http://code.a.org/p/browser/security/wiki/Part1#Unicode_in_URLs\nurl_encoding = 3\n// see http://c.org/d/\n\te.init(f)\n\tg() // http://h.org/A0021\n\tlog2e()", []string{"bare http://code.a.org/p/browser/security/wiki/Part1#Unicode_in_URLs", "bare http://c.org/d/", "bare http://h.org/A0021"}},
		{"a comment goes on", "# (http://a.org/x/\n# y/z.html)\n\t// http://c.org/d/\n\t// e/f.html", []string{"bare http://a.org/x/y/z.html", "bare http://c.org/d/e/f.html"}},
		{"cells below", "| A | http://a.org/ | ftp://b.org/ |\n|   | d/1996/       | gif/         |\n| B | http://c.org/ | none         |\n| C | x/            | y/           |", []string{"bare http://a.org/d/1996/", "bare ftp://b.org/gif/", "bare http://c.org/"}},
		{"a row that goes on, with a first cell", "| A | http://a.org/dir/| 1990 |\n| b | e/1996/cont.html |      |\n| B | http://b.org/dir/| 1991 |\n| b | c.org/dir        |      |\n| C | http://c.org/dir/| 1992 |\n| D | none             |      |\n| E | http://e.org/dir/| 1993 |\n| F | 14               |      |\n| G | http://g.org/dir/| 1994 |\n| H | i/1996/cont.html | 1995 |",
			[]string{"bare http://a.org/dir/e/1996/cont.html", "bare http://b.org/dir/", "bare http://c.org/dir/", "bare http://e.org/dir/", "bare http://g.org/dir/"}},
		{"a stop before the extension .Z", "the software is free (b.a.org:/pub/g1.13.tar.\nZ). In http://a.org/b.\nA word", []string{"hostpath ftp://b.a.org/pub/g1.13.tar.Z", "bare http://a.org/b"}},
		{"a link before its text", "><http://a.org/x_summary_of_opi\n>nio>http://a.org/x_summary_of_op\ninio\n\n<http://b.org/>http://b.org/x_summary_of_op\ninio", []string{
			"bracket http://a.org/x_summary_of_opinio", "bare http://a.org/x_summary_of_opinio", "bracket http://b.org/", "bare http://b.org/x_summary_of_op"}},
		{"bars without blanks", "|A |http://a.org/dir/ |  1|\n|  |e.html            |   |", []string{"bare http://a.org/dir/e.html"}},
		{"columns below dashes", "A   Web                 Gopher\n--  ------------------  ------------------\na   http://a.org/cgi/   gopher://a.org/00/\n    screen?lib=main     x/1996\nb   http://b.org/a/b/c  gopher://b.org/0/d\n    de/f.html           ay\nc   http://c.org/a      gopher://c.org/0/\n    d/e/f.html          day\n", []string{
			"bare http://a.org/cgi/screen?lib=main", "bare gopher://a.org/00/x/1996", "bare http://b.org/a/b/cde/f.html", "bare gopher://b.org/0/day", "bare http://c.org/a", "bare gopher://c.org/0/"}},
		{"the longest of a column", "A   Web                 x\n--  ------------------  --\na   http://a.org/ab/cd  2\nb   none                3\nc   http://c.org/a/bcd\nd   e/f\n", []string{"bare http://a.org/ab/cd", "bare http://c.org/a/bcd"}},
		{"addresses side by side", "URI: http://a.org/     URI: http://b.org/\n     ~a/                    ~b/\n", []string{"url-prefix http://a.org/~a/", "url-prefix http://b.org/~b/"}},
		{"names side by side", "at http://a.org/     and at http://b.org/\n   README                   files\n", []string{"bare http://a.org/", "bare http://b.org/"}},
		{"a cell of many lines", "| A | http://a.org/dir/ | x |\n|   | e-f/              | y |\n|   | g?h=1             |   |\n| B | http://b.org:     | z |\n|   | 2000              |   |\n", []string{"bare http://a.org/dir/e-f/g?h=1", "bare http://b.org:2000"}},
		{"a cell of one line beside one that goes on", "A   Web            Gopher\n--  -------------  ---------------\na   http://a.org/  gopher://b.org/\n                   README.html\nb   http://c.org/  gopher://d.org\n    index.html     :7070\n", []string{"bare http://a.org/", "bare gopher://b.org/README.html", "bare http://c.org/index.html", "bare gopher://d.org:7070"}},
		{"full cells", "A   Web             Gopher\n--  --------------- ----------------\na   http://a.org/b/ http://b.org/c\n    d.html\n", []string{"bare http://a.org/b/d.html", "bare http://b.org/c"}},
		{"full cells before words", "A   Web             Cost\n--  --------------- ----\na   http://a.org/b1 free\n    /d.html\nb   http://b.org/b1 free\n", []string{"bare http://a.org/b1/d.html", "bare http://b.org/b1"}},
		{"bars of DOS", "\xb3 F\x84hre \xb3 http://a.org/dir/ \xb3\n\xb3       \xb3 e96.html          \xb3", []string{"bare http://a.org/dir/e96.html"}},
		{"bars of Unicode", "│ Fähre │ http://a.org/dir/ │\n│       │ e96.html          │", []string{"bare http://a.org/dir/e96.html"}},
		{"a box", "+--------------------+\n| http://www.a.org/  |\n| bulletin/          |\n+--------------------+", []string{"bare http://www.a.org/bulletin/"}},
		{"columns of prose", "The pages of the Society are now at    Our index is at <http://www.b.org/in\n<http://www.a.org/canal/               dex/a-k.html>. Copies from the editor\nindex.html> and the rota is there.     at the usual price, and by post.", []string{"bracket http://www.b.org/index/a-k.html", "bracket http://www.a.org/canal/index.html"}},
		{"rows with labels", "   Site:            nic.ddn.mil:/rfc\n   File:            rfc954.txt\n   WWW      : http://a.org/~b\n   Fidonet  : 2:263/150.2", []string{"hostpath ftp://nic.ddn.mil/rfc", "bare http://a.org/~b"}},
		{"other rows", "f.a.org:/pub/a/           x\noak.b.org   /SimTel/c  y\n|Jhove\n|http://j.org/\n|2003\n", []string{"hostpath ftp://f.a.org/pub/a/", "bare http://j.org/"}},
		{"quoted-printable, not declared", "was=20\nat http://a.org/?id=3D5&n=3D7 or http://b.org/x=20\n", []string{"bare http://a.org/?id=5&n=7", "bare http://b.org/x"}},
		{"quoted-printable, by the reference alone", "http://a.org/?id=3D5&n=3D7=20\n", []string{"bare http://a.org/?id=5&n=7"}},
		{"not quoted-printable", "http://a.org/?id=3D5 http://a.org/?page=20\nhttp://a.org/?a=3D1&b=2&TS=860", []string{"bare http://a.org/?id=3D5", "bare http://a.org/?page=20", "bare http://a.org/?a=3D1&b=2&TS=860"}},
		{"a dash", "(http://a.org/b--\nand more) http://c.org/d-- http://e.org/f-\ng.html", []string{"bare http://a.org/b", "bare http://c.org/d", "bare http://e.org/f-g.html"}},
		{"paths in front of columns", "   /mirrors/a    f.a.org:/pub/a\n   /mirrors/b    f.b.org:pub\n   /mirrors/c    http://c.org/pub/\n   /mirrors/d    no", []string{"hostpath ftp://f.a.org/pub/a", "bare http://c.org/pub/"}},
		{"a port in the cell below", "A   B                Login\n--  ---------------  -----\na   telnet://a.uni-  x\n    b.example:775    y", []string{"bare telnet://a.uni-b.example:775"}},
		{"a directory that is a number", "in ftp://f.a.example/pub/library/papers/of/ours/and/others/in/the/years/\n   1993/, ftp://f.a.example/b/", []string{"bare ftp://f.a.example/pub/library/papers/of/ours/and/others/in/the/years/1993/", "bare ftp://f.a.example/b/"}},
		{"comments in C", "/* http://a.org/b*/ /* http://c.org/d */ http://e.org/*/f", []string{"bare http://a.org/b", "bare http://c.org/d", "bare http://e.org/*/f"}},
		{"fields behind commas", "1996,http://a.org/x,ok\n1997,\"http://b.org/x,y\",ok http://c.org/x,y", []string{"bare http://a.org/x", "bracket http://b.org/x,y", "bare http://c.org/x,y"}},
		{"fields between colons", "a:a.org:http://a.org/x\nb:b.org:http://b.org/y\nClay:: http://c.org/::tel 5", []string{"bare http://a.org/x", "bare http://b.org/y", "bare http://c.org/"}},
		{"blank in a mailto", "<mailto: a@b.c> mailto:d@e.f x@y.z", []string{"bracket mailto:a@b.c", "bare mailto:d@e.f"}},
		{"opaque", "news:comp.os news:a@b.c news:* info:ddc/22 go:Foo urn:isbn:0 urn:path:/A/b finger:me@a.b", []string{
			"bare news:comp.os", "bare news:a@b.c", "bare news:*", "bare info:ddc/22", "bare go:Foo", "bare urn:isbn:0", "bare urn:path:/A/b", "bare finger:me@a.b"}},
		{"two in prose", "anonymous ftp to ftp.a.org in /pub/anonymous ftp to ftp.b.org in /cd", []string{"prose ftp://ftp.a.org/pub/anonymous", "prose ftp://ftp.b.org/cd"}},
		{"names", `<x xmlns="http://n.s/" xsi:schemaLocation="http://n.s/ http://n.s/x.xsd" href="http://a.b/">`, []string{"bracket http://a.b/"}},
		{"doctype", "<!DOCTYPE html PUBLIC \"-//W3C//DTD\"\n \"http://www.w3.org/d.dtd\">\n\"http://a.b/\"", []string{"bracket http://a.b/"}},
		{"doctype, quoted", "> <!doctype html public \"-//W3C//DTD\"\n>  \"http://www.w3.org/d.dtd\">\n> \"http://a.b/\"", []string{"bracket http://a.b/"}},
		{"behind a doctype", "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2//EN\">\n<HTML>\nsee http://a.b/", []string{"bare http://a.b/"}},
		{"masked", "XXXX://XXX.XXXXX.XXX xxx:xxx xyz://a.b/", []string{"bare xyz://a.b/"}},
		{"templates", "http://<host>/ \"ftp://<host>/%2F<file>\" ftp://a.b/x-<name> http://$host/ file://", nil},
		{"markup", "[a](http://a.b/)[c](http://c.d/) \\url{http://e.f/} @{b}http://g.h/@{ub} **http://i.j/** ``http://k.l/''", []string{
			"bare http://a.b/", "bare http://c.d/", "bare http://e.f/", "bare http://g.h/", "bare http://i.j/", "bare http://k.l/"}},
		{"brackets", "(http://a.b/c_(d)), [http://e.f/] {http://g.h/i}. (see http://j.k/l)", []string{
			"bare http://a.b/c_(d)", "bare http://e.f/", "bare http://g.h/i", "bare http://j.k/l"}},
		{"two schemes in one", "git+ssh://a.b/c C++http://d.e/ see.http://f.g/ +http://h.i/", []string{"bare git+ssh://a.b/c", "bare http://d.e/", "bare http://f.g/", "bare http://h.i/"}},
		{"a row of examples", "g. = http://a/b/g.\n  g..   =  http://a/b/g..\n ..g = http://a/b/..g.\nx=http://a.b/c.", []string{
			"bare http://a/b/g.", "bare http://a/b/g..", "bare http://a/b/..g", "bare http://a.b/c"}},
		{"a part one may leave out", "http://a.b/~c[/d.html] http://a.b/c[1].html http://[::1]/", []string{
			"bare http://a.b/~c", "bare http://a.b/c[1].html", "bare http://[::1]/"}},
		{"a remark glued on", "http://a.b/c(in French) http://d.e/f_(g) http://h.i/(j", []string{"bare http://a.b/c", "bare http://d.e/f_(g)", "bare http://h.i/"}},
		{"empty query", "\"http://a.b/?\" http://c.d/?", []string{"bracket http://a.b/?", "bare http://c.d/"}},
		{"list", "http://a.b/,http://c.d/;http://web.archive.org/web/http://e.f/", []string{
			"bare http://a.b/", "bare http://c.d/", "bare http://web.archive.org/web/http://e.f/"}},
		{"hosts", "ftp.uu.net:/a/b, simsc.si.edu:net/zen.ad. lth.se:/d a.b.edu:user x.c:main me@h.a.edu:/x 10:30:/", []string{
			"hostpath ftp://ftp.uu.net/a/b", "hostpath ftp://simsc.si.edu/net/zen.ad", "hostpath ftp://lth.se/d"}},
		{"hosts, at home, a remark", "h.a.edu:~/pub/x f.uu.net:/y(z w)", []string{"hostpath ftp://h.a.edu/~/pub/x", "hostpath ftp://f.uu.net/y"}},
		{"hosts that are none", "mount alex.sp.cs.cmu.edu:/ /alex\nfoo.py:/x 128.2.1.1:/pub/x", []string{"hostpath ftp://128.2.1.1/pub/x"}},
		{"zeros", "<http://a.b/\x00c> \"http://d.e/\x00\" <http://f.g/\xe9>", []string{"bracket http://a.b/c", "bracket http://d.e/", "bracket http://f.g/%E9"}},
		{"octets", "http://a.b/caf\xe9.html http://a.b/stra\u00dfe \u300chttp://a.b/\u300d", []string{
			"bare http://a.b/caf%E9.html", "bare http://a.b/stra%C3%9Fe", "bare http://a.b/"}},
		{"scripts with blanks", "http://a.b/\u0430\u0431? http://a.\u0440\u0444/ http://a.b/\u0d28\u0d3f", []string{"bare http://a.b/%D0%B0%D0%B1", "bare http://a.\u0440\u0444/", "bare http://a.b/%E0%B4%A8%E0%B4%BF"}},
		{"services", "service:tn3270://a.b/ service:printer:lpr://c.d/q Web service:http://e.f/ service: http://g.h/", []string{
			"bare service:tn3270://a.b/", "bare service:printer:lpr://c.d/q", "bare http://e.f/", "bare http://g.h/"}},
		{"messages and parts", "<mid:1@a.b/2@a.b> cid:3@a.b mid: none amid:x@y cid:x", []string{"bracket mid:1@a.b/2@a.b", "bare cid:3@a.b"}},
		{"slips of typing", "htp://www.a.org/c http//www.a.org/d, http:/www.a.org/e. (HTTP//www.a.org) ttp://a.b/f hppt://a.b/", []string{
			"bare htp://www.a.org/c", "bare http//www.a.org/d", "bare http:/www.a.org/e", "bare HTTP//www.a.org", "bare ttp://a.b/f", "bare hppt://a.b/"}},
		{"slips of typing before any host", "http//x.org/a, (HTTPS//x.ac.uk) <http//x.org/b> \"http:/x.org:80/c\" http:/x.org/d. hppt:x.org/e hppt:/www.x.org htp//x.org", []string{
			"bare http//x.org/a", "bare HTTPS//x.ac.uk", "bare http//x.org/b", "bracket http:/x.org:80/c", "bare http:/x.org/d", "bare hppt:x.org/e", "bare hppt:/www.x.org", "bare htp//x.org"}},
		{"schemes written twice", "http://http://host/ http://https//x.org/", []string{"bare http://http://host/", "bare http://https//x.org/"}},
		{"what is near a slip", "http/www and http/ftp, x.http//www.a.org http:/x http:/ www", nil},
		{"hosts behind a slip that are none", "http//host/ http:/index.html http//a.tar.gz http:/src/a.b.sh http//... http://. http//a..org", nil},
		{"no slips", "http:x.org ftp:x.org telnet:x.org ftp:/x.org/ /http//x.org/ q=http//x.org HTTP/1.1//x.org ttp:12 a//x.org", nil},
		{"slips with users, in templates", "http//a:b@x.org/ http:/a@x.org/ http//x.org/<name> http//x.org/$a", nil},
		{"slips that name a schema", "<a xmlns=\"http:/x.org/ns\" xmlns:b=\"http//x.org/ns\">", nil},
		{"ARKs", "See ark:/12148/btv1b8449691v, ark:99166/w6.7; Noah's ark: 1/2 ark:a/b ark:/x", []string{"bare ark:/12148/btv1b8449691v", "bare ark:99166/w6.7"}},
		{"no links", "note: 10:30 C:\\x std::string a.b@c.d http:// http://. http://? mailto: go: x://y 1.2.3", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			textscan.Scan(aDocument(), []byte(c.text), 0, 0, func(f doc.Found) bool {
				got = append(got, f.How+" "+f.URI)
				return true
			})
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// Where a reference stops at a line's end, evidence says whether it goes on.
func TestJoin(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"hyphen", "in http://www.ov.com/misc/krb-\nfaq.html for more", "http://www.ov.com/misc/krb-faq.html"},
		{"hyphen and a word", "URL=wais://mpcc3.rpms.ac.uk:210/home/images/pathology/RPMS-\n     pathology is a database", "wais://mpcc3.rpms.ac.uk:210/home/images/pathology/RPMS-pathology"},
		{"slash, file", "  ftp://ftp.cs.colorado.edu/pub/cs/techreports/schwartz/PostScript/\n      White.Pages.ps.Z", "ftp://ftp.cs.colorado.edu/pub/cs/techreports/schwartz/PostScript/White.Pages.ps.Z"},
		{"slash, prose", "at http://www.yahoo.com/\nDejaNews is another", "http://www.yahoo.com/"},
		{"slash, next of a list", "http://gsn.org/\nhttp://gsn.org/x.html", "http://gsn.org/"},
		{"slash, another host", "boombox.micro.umn.edu:/pub/gopher/\nBrazos.IS.Rice.EDU:/pub/vmcms/", "ftp://boombox.micro.umn.edu/pub/gopher/"},
		{"a query", "it is at http://www.a.example/cgi-bin/find?\nname=mill&year=1871, as ever", "http://www.a.example/cgi-bin/find?name=mill&year=1871"},
		{"a query behind a colon", "it is at http://www.a.example/index.php/Crawl:\nSeeds?action=raw", "http://www.a.example/index.php/Crawl:Seeds?action=raw"},
		{"a clause behind a colon", "it is at http://www.a.example/index.php:\nseeds are meant", "http://www.a.example/index.php"},
		{"stop, extension", "it is at http://www.a.example/links%20by%20guide.\nxls. If not, ask", "http://www.a.example/links%20by%20guide.xls"},
		{"a question", "have you seen http://www.a.example/find?\nname it and win", "http://www.a.example/find"},
		{"whole file", "     http://www.eff.org/pub/Net_info/EFF_Net_Guide/netguide.eff\n     and from", "http://www.eff.org/pub/Net_info/EFF_Net_Guide/netguide.eff"},
		{"inside a word", "gopher://gopher.npr.org:70/00/NPR_Online/Programs/FreshAir/Fresh_Air_Rundown\ns/1996/Jul.96/fa.07.31.96", "gopher://gopher.npr.org:70/00/NPR_Online/Programs/FreshAir/Fresh_Air_Rundowns/1996/Jul.96/fa.07.31.96"},
		{"stop, file", "> at http://www.netsurf.com/nsd/subscribe.\n> html of the Netsurfer Digest, which is sent to its readers by the week", "http://www.netsurf.com/nsd/subscribe.html"},
		{"quoted", "> http://dailynews.yahoo.com/headlines/wr/story.html?s=v/nm/19981203/wr/\n> privacy_1.html", "http://dailynews.yahoo.com/headlines/wr/story.html?s=v/nm/19981203/wr/privacy_1.html"},
		{"inside an extension", "       ftp://ftp.a.example/pub/crypt/unimi/macpgp2.3src.sea.h\n       qx.pgp\n", "ftp://ftp.a.example/pub/crypt/unimi/macpgp2.3src.sea.hqx.pgp"},
		{"inside an extension, short", "ftp://ftp.nvg.unit.example/pub/sinclair/emulators/spectrum/pc/dos/zxspectrum_v3_6.z\nip\n[x]", "ftp://ftp.nvg.unit.example/pub/sinclair/emulators/spectrum/pc/dos/zxspectrum_v3_6.zip"},
		{"a word behind an extension", "ftp://ftp.a.example/pub/a.z\nis there", "ftp://ftp.a.example/pub/a.z"},
		{"undecoded blank", ">> http://www.a.example/~b/\n>>=20\n>> more", "http://www.a.example/~b/"},
		{"diff, gone", "<    progress), <URL:ftp://ds.a.example/drafts/\n<    draft-08.txt>, October", "ftp://ds.a.example/drafts/draft-08.txt"},
		{"diff, no bracket", "<    ftp://ds.a.example/drafts-\n<    08.txt", "ftp://ds.a.example/drafts-08.txt"},
		{"diff, come", "+    progress), <URL:ftp://ds.a.example/drafts/\n+    draft-08.txt>, October", "ftp://ds.a.example/drafts/draft-08.txt"},
		{"diff, changed behind a line that stayed", "     from <ftp://ds.a.\n!    example/rfc/>.", "ftp://ds.a.example/rfc/"},
		{"log, commit", "    https://github.example/harfbuzz/harfbuzz/pull/3315\n    23159084b43c1ce429d9e98035bf845919fd8a89\n", "https://github.example/harfbuzz/harfbuzz/pull/3315"},
		{"log, years", "Copyright: 1999-2022 Free Software Foundation, Inc. http://fsf.example/\n  1992-1993 Jean-loup Gailly", "http://fsf.example/"},
		{"log, file", "  https://github.example/p5-encode/pull/169\n! t/Unicode_trailing_nul.t t/truncated_utf8.t", "https://github.example/p5-encode/pull/169"},
		{"log, file of its own", " * https://gitlab.example/gnutls/-/issues/1208\n   56_20-priority-add-option-to-disable-TLS-1.3-middlebox-com.patch", "https://gitlab.example/gnutls/-/issues/1208"},
		{"log, edition", "   - typos fixed thanks to jwilk https://github.example/p5-io-socket-ssl/pull/34\n2.019 2015/09/01", "https://github.example/p5-io-socket-ssl/pull/34"},
		{"log, label", "see defect report at  http://www.open-std.example/jtc1/sc22/wg14/www/docs/dr_233.htm.\n  tests/tsprintf.c: Fix wrong test value", "http://www.open-std.example/jtc1/sc22/wg14/www/docs/dr_233.htm"},
		{"log, name of a month", "HEAD 302 http://info.a.example/\n11/Dec/1995 HEAD 500 http://b.example/", "http://info.a.example/"},
		{"escape", "  (English)           gopher://a.example/00/English/About%20the\n%20Library\n", "gopher://a.example/00/English/About%20the%20Library"},
		{"over a short page", "   address, http://www.a.example/~ulma/arkiv/inspelningar/landskap/" + strings.Repeat("\n", 40) + "Lindqvist                    Informational                      [Page 2]\n\f\nRFC 2991             Archives                January 1998\n\n\n   dalarna.html, leads nowhere.", "http://www.a.example/~ulma/arkiv/inspelningar/landskap/dalarna.html"},
		{"log, date", "  The issue was discovered in PHP, see https://bugs.php.example/64769.\n2013/10/21: [impl] remove", "https://bugs.php.example/64769"},
		{"file of this machine", "  http://www.apache.example/licenses/LICENSE-2.0\n  /usr/share/common-licenses/Apache-2.0 (on Debian systems)", "http://www.apache.example/licenses/LICENSE-2.0"},
		{"cut at a fixed length", "  Ref: https://github.example/curl/curl/commit/66e68ca47f7fd00dff2cb7c45ba6725d4009\n  9585#r94275172", "https://github.example/curl/curl/commit/66e68ca47f7fd00dff2cb7c45ba6725d40099585#r94275172"},
		{"no scheme", "_http://example.com\n_//example.com\n_", "http://example.com"},
		{"list with dashes", "- http://www.a.example/b/\n- file.html", "http://www.a.example/b/"},
		{"foot of a page", "   See http://www.a.example/some/dir/\n\n\n\nBerners-Lee                                                    [Page 13]\n\f\nRFC 1630                      URIs in WWW                      June 1994\n\n\n   The next page.", "http://www.a.example/some/dir/"},
		{"over a page", "   See <URL:http://www.a.example/some/dir/\n\n\n\nBerners-Lee                                                    [Page 13]\n\f\nRFC 1630                      URIs in WWW                      June 1994\n\n\n   file.html>", "http://www.a.example/some/dir/file.html"},
		{"table", "      ?y            =  http://a/b/c/\n      g?y           =  http://a/b/c/g", "http://a/b/c/"},
		{"list of files", "ftp://ftp.a.example/pub/\n  one.zip\n  two.zip\n", "ftp://ftp.a.example/pub/"},
		{"list of files, long", "    ftp://ftp.csn.example/mpj/I_will_not_export/crypto_???????/pgp/amiga/\n        pgp26-amiga0b0.6-000.lha\n        pgp26-amiga0b0.6-020.lha\n", "ftp://ftp.csn.example/mpj/I_will_not_export/crypto_???????/pgp/amiga/"},
		{"list with words", "ftp://ftp.a.example/pub/\n  one.zip - the first\n", "ftp://ftp.a.example/pub/"},
		{"two columns", "University of Michigan              http://www-personal.umich.example/~ticul/\n4711 Medical Science II             email: ticul at umich.example", "http://www-personal.umich.example/~ticul/"},
		{"soft break", "> at http://www.a.example/RedHat-5.0/r-base-0.61.1-2.i3=\n> 86.rpm\"  on my system I get the following message: =\n> libncurses", "http://www.a.example/RedHat-5.0/r-base-0.61.1-2.i386.rpm"},
		{"distinguished name", "     ldap://host.a.example:6666/o=University%20of%20Michigan,\n            c=US??sub?(cn=Babs%20Jensen)\n\n", "ldap://host.a.example:6666/o=University%20of%20Michigan,c=US??sub?(cn=Babs%20Jensen)"},
		{"comma of the sentence", "see ldap://host.a.example/o=Babsco,\nwhich says more", "ldap://host.a.example/o=Babsco"},
		{"no soft break", "> at http://www.a.example/RedHat-5.0/r-base-0.61.1/find?package=\n> 86.rpm\"  on my system", "http://www.a.example/RedHat-5.0/r-base-0.61.1/find?package=86.rpm"},
		{"soft break, alone and quoted twice", ">> > http://www.a.example/very/long/path/that/goes/on/and/on/until/the/en=\n> >> d/of/line.html\n> >> and so on", "http://www.a.example/very/long/path/that/goes/on/and/on/until/the/end/of/line.html"},
		{"soft break, delimited", "> > <http://www.a.example/very/long/path/that/goes/on/and/on/until/the/en=\n> > d/of/line.html>\n> > and", "http://www.a.example/very/long/path/that/goes/on/and/on/until/the/end/of/line.html"},
		{"quoted, wrapped again", "> > See http://www.a.example/very/long/path/that/goes/on/and/on/until/it/\n> ends/of/line.html for more\n> > and so on", "http://www.a.example/very/long/path/that/goes/on/and/on/until/it/ends/of/line.html"},
		{"quoted, answered", "> > See http://www.a.example/very/long/path/that/goes/on/and/on/until/it/\n> Really? I see/saw nothing there\n", "http://www.a.example/very/long/path/that/goes/on/and/on/until/it/"},
		{"quoted, delimited, wrapped again", ">> See <http://www.a.example/very/\n> > long/x.html>", "http://www.a.example/very/long/x.html"},
		{"quoted, the next of a list", ">         Original Page\n>                 [http://pobox.example/~pez/] http://pobox.example/~pez/\n>         PEZ.ORG\n", "http://pobox.example/~pez/"},
		{"rule", "http://www.ssz.com/\n______________", "http://www.ssz.com/"},
		{"quotes", "`ftp://ftp.germany.\neu.net/pub/books/big-dummys-guide'.  This", "ftp://ftp.germany.eu.net/pub/books/big-dummys-guide"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			textscan.Scan(aDocument(), []byte(c.text), 0, 0, func(f doc.Found) bool { got = f.URI; return false })
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// Text that arrives line by line has the locations it was given with.
func TestFeedLocations(t *testing.T) {
	var got [][2]int
	f := textscan.NewFeed(aDocument(), func(x doc.Found) bool { got = append(got, [2]int{x.Line, x.Column}); return true })
	f.Add([]byte("one http://a.b/\n"), 10, 3)
	f.Add([]byte("two http://c.d/\nhttp://e.f/ and"), 40, 1)
	f.Add([]byte(" http://g.h/\n"), 0, 0)
	f.Add([]byte("http://i.j/\n"), 50, 7)
	f.Flush()
	want := [][2]int{{10, 7}, {40, 5}, {41, 1}, {0, 0}, {50, 7}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func noLimits() *budget.Budget {
	b, _ := budget.New(context.Background(), budget.Limits{}, 0)
	return b
}

// aDocument is one to which nothing of a test's text matters.
func aDocument() *doc.Document {
	return doc.New("a.txt", strings.NewReader(""), noLimits(), doc.Options{}, nil, nil)
}
