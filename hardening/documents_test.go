//go:build linux

package hardening

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"

	"linkcheck/internal/testdoc"
)

const mega = 1 << 20

// Whatever a document of at most 1 MB holds, `extract` ends by itself, within the
// ceilings, and tells in its exit code what it did not read.
func TestDocuments(t *testing.T) {
	long(t)
	link := "http://a.example/ "
	inPart := []int{3}
	any := []int{0, 3}
	for _, c := range []struct {
		name, file string
		doc        doc
		codes      []int
	}{
		// What unfolds: 1 GB or more.
		{"gzip of zeros", "a.gz", times(64, gz(zeros(16*mega))), inPart},
		{"gzip of links", "a.txt.gz", times(24, gz(repeat(link, 16*mega))), inPart}, // 1 MB: the ceiling of output is for that
		{"gzip of gzip of zeros", "a.gz.gz", gz(times(64, gz(zeros(16*mega)))), inPart},
		{"gzip of gzip of gzip of links", "a", gz(gz(times(256, gz(repeat(link, 4*mega))))), inPart},
		{"bzip2 of zeros", "a.bz2", bz2Zeros(400), inPart},
		{"bzip2 in gzip", "a.gz", gz(bz2Zeros(4000)), inPart},
		{"xz of zeros", "a.xz", times(48, xzed(zeros(16*mega))), inPart},
		{"zstd of zeros", "a.zst", times(64, zst(zeros(16*mega))), inPart},
		{"zstd of one octet repeated", "a.zst", zstWindow(10, 2000*mega), inPart},
		{"zstd in xz in bzip2's place", "a.bz2", xzed(times(64, zst(zeros(16*mega)))), inPart},
		{"compress of one octet", "a.Z", lzwOnes('a', 1<<30), inPart},
		{"compress in gzip", "a.gz", gz(lzwOnes(' ', 1<<30)), inPart},
		{"zip of zeros", "a.zip", zipped("a.txt", zeros(256*mega)), inPart},
		{"zip of gzip of zeros", "a.zip", zipped("a.gz", times(64, gz(zeros(16*mega)))), inPart},
		{"zip of many bombs", "a.zip", zipped("a.gz", bz2Zeros(40), "b", bz2Zeros(40), "c", bz2Zeros(40), "d", bz2Zeros(40)), inPart},
		{"tar of bombs", "a.tar", tarred("a.gz", times(16, gz(zeros(16*mega))), "b.bz2", bz2Zeros(40), "c.gz", times(16, gz(zeros(16*mega)))), inPart},
		{"mail with a bomb in base64", "a.eml", mime("Content-Type: application/gzip\nContent-Transfer-Encoding: base64\n", b64(times(40, gz(zeros(16*mega))))), any},
		{"mail with twenty bombs", "a.mbox", times(20, mime("Content-Type: application/x-bzip2\nContent-Transfer-Encoding: base64\n", b64(bz2Zeros(100)))), any},
		{"WARC with brotli", "a.warc", warc("http://a.example/", "Content-Type: text/html\r\nContent-Encoding: br\r\n", br(zeros(256*mega))), inPart},
		{"WARC with gzip", "a.warc", warc("http://a.example/", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", times(64, gz(zeros(16*mega)))), inPart},
		{"WARC with zstd", "a.warc", warc("http://a.example/", "Content-Type: text/html\r\nContent-Encoding: zstd\r\n", zstWindow(10, 1000*mega)), any},
		{"WARC with deflate of links", "a.warc", warc("http://a.example/", "Content-Type: text/plain\r\nContent-Encoding: deflate\r\n", deflated(repeat(link, 200*mega))), inPart},
		{"WARC in gzip with gzip in it", "a.warc.gz", gz(warc("http://a.example/", "Content-Type: text/plain\r\nContent-Encoding: gzip\r\n", times(32, gz(repeat(link, 16*mega))))), inPart},
		{"WARC with a response of many codings", "a.warc", warc("http://a.example/", "Content-Encoding: "+strings.Repeat("gzip, ", 40)+"gzip\r\n", nested(40, zeros(8*mega), gz)), any},
		{"page with a bomb in a data URL", "a.html", joined(`<a href="data:application/gzip;base64,`, b64(times(32, gz(zeros(16*mega)))), `">x</a>`), any},

		// Windows and dictionaries.
		{"xz with a dictionary of 4 GB", "a.xz", xzWindow(40, text(link)), inPart},
		{"xz with a dictionary of 1 GB", "a.xz", xzWindow(36, text(link)), inPart},
		{"xz with a dictionary that is none", "a.xz", xzWindow(63, text(link)), inPart},
		{"xz, a hundred streams with dictionaries of 3 GB", "a.xz", times(100, xzWindow(39, repeat(link, mega/8))), inPart},
		{"lzma with a dictionary of 4 GB", "a.lzma", text("\x5d\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00" + strings.Repeat("\x01", 1000)), any},
		{"zstd with a window of 1 GB", "a.zst", zstWindow(20, 8*mega), inPart},
		{"zstd with a window of 2 TB", "a.zst", zstWindow(31, 8*mega), inPart},
		{"zstd, frames with windows of 512 MB", "a.zst", times(1000, zstWindow(19, 300)), inPart},
		{"zstd that says it holds 2^63 octets", "a.zst", text("\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f\x01\x00\x00"), inPart},
		{"brotli with a large window", "a.warc", warc("http://a.example/", "Content-Encoding: br\r\n", text("\x11\x1e\x00\x00\x00\x00\x00\x00"+strings.Repeat("\xff", 5000))), any},

		// Directories and members.
		{"zip, 60,000 names for one bomb", "a.zip", gz(zipOver(60000, zeros(8*mega))), inPart},
		{"zip, 15,000 names for one text", "a.zip", zipOver(15000, repeat(link, 64<<10)), inPart},
		{"zip, 400,000 entries, packed", "a.gz", gz(zipOver(400000, text(link))), inPart},
		{"zip with a directory of 2^40 entries", "a.zip", zipPatched(text(link), func(_, _, end []byte) { copy(end[8:], "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff") }), any},
		{"zip with 65,535 entries that are not there", "a.zip", zipPatched(text(link), func(_, _, end []byte) { copy(end[8:], "\xfe\xff\xfe\xff") }), any},
		{"zip whose member says it is of 4 GB", "a.zip", zipPatched(text(link), func(local, entry, _ []byte) {
			copy(entry[20:], "\xfe\xff\xff\xff\xfe\xff\xff\xff")
			copy(local[18:], "\xfe\xff\xff\xff\xfe\xff\xff\xff")
		}), any},
		{"zip whose member begins in itself", "a.zip", zipPatched(repeat(link, 100000), func(_, entry, _ []byte) { binary.LittleEndian.PutUint32(entry[42:], 1) }), inPart},
		{"zip whose directory begins beyond its end", "a.zip", zipPatched(text(link), func(_, _, end []byte) { copy(end[16:], "\xf0\xff\xff\x7f") }), any},
		{"zip of 20 zips", "a.zip", nested(20, text(link), func(d doc) doc { return zipped("a.zip", d) }), any},
		{"zip, ten names on each of eight levels", "a.zip", nested(8, text(link), func(d doc) doc { return zipOver(10, d) }), inPart},
		{"tar in gzip, forty levels", "a.tgz", nested(40, text(link), func(d doc) doc { return gz(tarred("a.tgz", d)) }), any},
		{"tar, a member of 1 EiB of holes", "a.tar", text(pax("GNU.sparse.major", "1", "GNU.sparse.minor", "0", "GNU.sparse.name", "a.txt", "GNU.sparse.realsize", "1152921504606846976") +
			tarHead("a.txt", '0', 512, nil) + padded("1\n1152921504606846975\n1\n") + strings.Repeat("\x00", 1024)), inPart},
		{"tar in gzip, old GNU holes of 1 EiB", "a.tgz", gz(text(tarHead("a.txt", 'S', 0, func(h []byte) {
			copy(h[257:], "ustar  \x00")
			base256(h[386:398], 1<<60-1)
			base256(h[398:410], 1)
			base256(h[483:495], 1<<60)
		}) + strings.Repeat("\x00", 1024))), inPart},
		{"tar, a member that says it is of 8 EiB", "a.tar", text(tarHead("a.txt", '0', 0, func(h []byte) { base256(h[124:136], 1<<62) }) + link), inPart},
		{"tar, a hundred sparse members, in gzip", "a.tgz", gz(times(100, text(pax("GNU.sparse.major", "0", "GNU.sparse.minor", "1", "GNU.sparse.name", "a.txt", "GNU.sparse.size", "1099511627776", "GNU.sparse.numblocks", "1", "GNU.sparse.map", "1099511627775,1")+
			tarHead("a.txt", '0', 1, nil)+padded(" ")))), inPart},
		{"tar, a map of a million holes", "a.tgz", gz(joined(tarHead("PaxHeaders/x", 'x', 0, nil), text(pax("GNU.sparse.major", "1", "GNU.sparse.minor", "0", "GNU.sparse.realsize", "99999999")), text(tarHead("a", '0', 4*mega, nil)), repeat("1\n", 4*mega))), any},
		{"tar, extended headers of 200 MB, in gzip", "a.tgz", gz(joined(text(tarHead("x", 'x', 200*mega, nil)), repeat("20 a=bbbbbbbbbbbbbbb\n", 200*mega))), any},
		{"tar, a name of 100 MB, in gzip", "a.tgz", gz(joined(text(tarHead("././@LongLink", 'L', 100*mega, nil)), repeat("n", 100*mega), text(tarHead("a", '0', 512, nil)), text(padded(link)))), any},
		{"tar, a million empty members, in gzip", "a.tgz", gz(repeat(tarHead("a.txt", '0', 0, nil), 256*mega)), inPart},
		{"tar, a million links to itself, in gzip", "a.tgz", gz(repeat(tarHead("a.txt", '2', 0, func(h []byte) { copy(h[157:], "a.txt") }), 256*mega)), any},
		{"tar, 130,000 programs, in gzip", "a.tgz", gz(repeat(tarHead("a.exe", '0', 4, nil)+padded("MZ\x90\x00"), 130*mega)), any},
		{"tar, 130,000 broken zips, in gzip", "a.tgz", gz(repeat(tarHead("a.zip", '0', 8, nil)+padded("PK\x03\x04broken"), 130*mega)), inPart},
		{"tars behind one another, in gzip", "a.tgz", gz(times(60000, tarred("a.txt", text(link)))), inPart},
		{"gzip, members between zeros", "a.gz", times(20000, joined(gz(text(link)), zeros(20))), any},
		{"gzip, a member and zeros without end", "a.gz", gz(joined(gz(text(link)), zeros(500*mega))), inPart},
		{"gzip, a million empty members", "a.gz", times(50000, gz(text(""))), any},
		{"gzip, members of one line each", "a.gz", times(20000, gz(text("http://a.example/\n"))), any},
		{"WARC, records with nothing", "a.warc", repeat("WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", mega), any},
		{"WARC, a record of 2^63 octets", "a.warc", text("WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: 9223372036854775807\r\n\r\n" + link), inPart},
		{"WARC, a record of less than nothing", "a.warc", text("WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: -5\r\n\r\n" + link), inPart},
		{"WARC, a chunk of 2^63 octets", "a.warc", warc("http://a.example/", "Transfer-Encoding: chunked\r\n", text("7fffffffffffffff\r\n"+link)), any},
		{"WARC, chunks of one octet", "a.warc", warc("http://a.example/", "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n", repeat("1\r\na\r\n", mega)), any},
		{"WARC, fields without end", "a.warc", joined("WARC/1.0\r\n", repeat("X-A: b\r\n", mega)), any},
		{"WARC in gzip, a target of 8 MB on each of 40 links", "a.warc.gz", gz(warc("http://a.example/"+strings.Repeat("t", 8*mega), "Content-Type: text/html\r\n", repeat("<a href=x>", 400))), any},

		// Levels of what holds itself.
		{"mail in mail, 5,000 levels", "a.eml", repeat("Content-Type: message/rfc822\n\n", 30*5000), any},
		{"multipart in multipart, 3,000 levels", "a.eml", func(w io.Writer) {
			io.WriteString(w, "From: a@b.example\nMIME-Version: 1.0\n")
			for i := range 3000 {
				fmt.Fprintf(w, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
			}
			io.WriteString(w, "\n"+link)
		}, any},
		{"multipart, 100,000 parts", "a.eml", joined("From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n", repeat("--x\n\na\n", 700000)), any},
		{"multipart with an empty boundary", "a.eml", joined("From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"\"\n\n", repeat("--\n", mega)), any},
		{"multipart, a boundary of 100 kB", "a.eml", joined("From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\""+strings.Repeat("b", 100000)+"\"\n\n", repeat("--bbbbbbbbbbbbbbbb\n", mega-200000)), any},
		{"base64 of base64 of mail, 30 levels", "a.eml", nested(30, text(link), func(d doc) doc {
			return mime("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n", b64(d))
		}), any},
		{"JSON, a million brackets", "a.json", repeat("[", mega), any},
		{"JSON, objects in objects", "a.json", repeat(`{"a":`, mega), any},
		{"XML, a billion laughs", "a.xml", text(laughs()), any},
		{"XML, a quadratic entity", "a.xml", joined(`<!DOCTYPE m [<!ENTITY a "`, repeat("x", 100000), `">]><mods xmlns="http://www.loc.gov/mods/v3">`, repeat("&a;", 300000), `</mods>`), any},
		{"XML, half a million elements in one another", "a.xml", joined(`<modsCollection xmlns="http://www.loc.gov/mods/v3">`, repeat("<a>", mega)), any},
		{"XML, one element of 100,000 attributes", "a.xml", joined(`<mods xmlns="http://www.loc.gov/mods/v3"><a `, numbered("a%d='b' ", 100000), `/></mods>`), any},
		{"XML, name spaces on every level", "a.xml", joined(`<mods xmlns="http://www.loc.gov/mods/v3">`, numbered("<a xmlns:n%d='http://a.example/'>", 25000)), any},
		{"page, elements in one another", "a.html", repeat("<div><a href=x>", mega), any},
		{"page, tables in tables", "a.html", repeat("<table><tr><td><a href=x>", mega), any},
		{"page, open formatting", "a.html", repeat("<b><i><font color=x><a href=y>", mega), any},
		{"mail page, open formatting and paragraphs", "a.eml", mime("Content-Type: text/html\n", repeat("<b><i><p><a href=y>", mega)), any},
		{"page in srcdoc in srcdoc", "a.html", nested(12, text("<a href=x>"), func(d doc) doc {
			return text(`<iframe srcdoc="` + strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(string(octets(d))) + `">`)
		}), any},
		{"data URL in data URL", "a.html", nested(15, text("<a href=http://a.example/>"), func(d doc) doc {
			return joined(`<a href="data:text/html;base64,`, b64(d), `">`)
		}), any},
		{"BibTeX, strings made of strings", "a.bib", func(w io.Writer) {
			io.WriteString(w, "@string{s0 = \"http://a.example/\"}\n")
			for i := range 60 {
				fmt.Fprintf(w, "@string{s%d = s%d # s%d}\n", i+1, i, i)
			}
			io.WriteString(w, "@misc{k, url = s60}\n")
		}, any},
		{"BibTeX, braces", "a.bib", joined("@misc{k, url = ", repeat("{", mega)), any},
		{"MARC, a thousand fields that are one", "a.mrc", repeat(overlappedMARC(), mega), any},
		{"MARC, records that say 99999", "a.mrc", repeat("99999nam a2200025   4500\x1e\x1d", mega), any},
		{"MARC, subfields without data", "a.mrc", repeat(testdoc.MARC("856"+strings.Repeat("|u", 4000)), mega), any},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, nil)
			p.make("docs/"+c.file, c.doc)
			before := p.files()
			p.within(p.run("extract", "--jsonl", "--base", "http://base.example/dir/", "docs/"+c.file), ceiling{codes: c.codes, output: 700 << 20})
			p.unchanged(before)
		})
	}
}

// laughs is the document that unfolds to a billion words.
func laughs() string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><!DOCTYPE m [<!ENTITY a0 "http://a.example/ ">`)
	for i := range 9 {
		fmt.Fprintf(&b, "<!ENTITY a%d %q>", i+1, strings.Repeat(fmt.Sprintf("&a%d;", i), 10))
	}
	return b.String() + `]><mods xmlns="http://www.loc.gov/mods/v3"><location><url>&a9;</url></location></mods>`
}

// overlappedMARC is a record whose directory names one field again and again.
func overlappedMARC() string {
	field := "40\x1fuhttp://a.example/" + strings.Repeat("x", 9000) + "\x1e"
	dir := strings.Repeat(fmt.Sprintf("856%04d00000", len(field)), 1000)
	base := 24 + len(dir) + 1
	return fmt.Sprintf("%05dnam a22%05d   4500", base+len(field)+1, base) + dir + "\x1e" + field + "\x1d"
}

// One MB of text, page or table that is not packed gives at most 600,000 rows and
// 100 MB, within the ceilings: what is read again and again is where that breaks.
func TestPlainDocuments(t *testing.T) {
	long(t)
	for _, c := range []struct {
		name, file string
		doc        doc
	}{
		{"schemes", "a.txt", repeat("http://", mega)},
		{"a scheme in quotes", "a.txt", repeat(`"http://`, mega)},
		{"hosts", "a.txt", repeat("www.a.", mega)},
		{"short links", "a.txt", repeat("ftp:a ", mega)},
		{"short http links", "a.txt", repeat("http://a ", mega)},
		{"news links", "a.txt", repeat("news:a@b ", mega)},
		{"news without blanks", "a.txt", repeat("news:", mega)},
		{"cid before mid", "a.txt", repeat("cid:a@b mid:", mega)},
		{"mid links to no message", "a.eml", joined("From: a@b.example\n\n", repeat("mid:a@b/c ", mega))},
		{"addresses in one link", "a.txt", joined("mailto:", repeat("a@b,", mega))},
		{"user and host", "a.txt", repeat("http://a@", mega)},
		{"at signs", "a.txt", joined("http://", repeat("@", mega))},
		{"at signs and words", "a.txt", repeat("a@a", mega)},
		{"colons", "a.txt", repeat("a:", mega)},
		{"slashes", "a.txt", joined("http:", repeat("/", mega))},
		{"open brackets", "a.txt", repeat("<URL:", mega)},
		{"open brackets and lines", "a.txt", repeat("<URL:http://a\n", mega)},
		{"brackets that never close", "a.txt", repeat("<URL:http://a/ ", mega)},
		{"parentheses", "a.txt", joined("http://a/", repeat("(", mega))},
		{"parentheses around links", "a.txt", repeat("(http://a/(", mega)},
		{"closing parentheses", "a.txt", joined("http://a/", repeat(")", mega))},
		{"full stops", "a.txt", joined("http://a/", repeat(".", mega))},
		{"one long link", "a.txt", joined("http://a/", repeat("a", mega))},
		{"hyphens at line ends", "a.txt", repeat("http://a/b-\n", mega)},
		{"hyphens and blank lines", "a.txt", repeat("http://a/b-\n\n\n\n", mega)},
		{"slashes at line ends", "a.txt", repeat("http://a/\n  ", mega)},
		{"page breaks", "a.txt", repeat("http://a/b-\n\nX  [Page 1]\n\f\nRFC 1  Y\n\nc\n", mega)},
		{"quote marks of mail", "a.txt", joined("http://a/", repeat("\n> ", mega))},
		{"deep quotes", "a.txt", joined(repeat("> ", mega/2), "http://a/\n", repeat("> ", mega/2))},
		{"anonymous ftp", "a.txt", repeat("anonymous ftp ", mega)},
		{"anonymous ftp to hosts", "a.txt", repeat("ftp.a.edu:/b ", mega)},
		{"paths after hosts", "a.txt", joined("ftp.a.edu ", repeat("pub/", mega))},
		{"escapes", "a.txt", joined("http://a/", repeat("%41", mega))},
		{"broken escapes", "a.txt", joined("http://a/", repeat("%", mega))},
		{"queries with links", "a.txt", repeat("http://a/?u=", mega)},
		{"escaped links in links", "a.txt", repeat("http%3A%2F%2Fa%2F", mega)},
		{"NULs", "a.txt", joined("http://a/", repeat("\x00", mega))},
		{"CR alone", "a.txt", repeat("http://a/\r", mega)},
		{"UTF-16 of one line", "a.txt", joined("\xff\xfe", repeat("h\x00:\x00/\x00", mega))},
		{"shifts of ISO 2022", "a.txt", repeat("\x1b$B\x1b(B", mega)},
		{"shifts and links", "a.txt", repeat("\x1b$Bhttp://a/", mega)},
		{"octets of no charset", "a.txt", repeat("\x81\xff\xfe", mega)},
		{"encoded words", "a.eml", joined("From: a@b.example\nSubject: ", repeat("=?utf-8?q?=41?= ", mega), "\n\nhttp://a/\n")},
		{"broken encoded words", "a.eml", joined("From: a@b.example\nSubject: ", repeat("=?utf-8?q?", mega), "\n\nhttp://a/\n")},
		{"parameters", "a.eml", joined("From: a@b.example\nContent-Type: text/plain", numbered("; a*%d=b", 100000), "\n\nhttp://a/\n")},
		{"header fields", "a.eml", joined("From: a@b.example\n", repeat("X: y\n", mega), "\nhttp://a/\n")},
		{"a folded field", "a.eml", joined("From: a@b.example\nReferences:", repeat(" <a@b>\n", mega), "\nhttp://a/\n")},
		{"soft line breaks", "a.eml", mime("Content-Transfer-Encoding: quoted-printable\n", joined("http://a/", repeat("=\n", mega)))},
		{"quoted octets", "a.eml", mime("Content-Transfer-Encoding: quoted-printable\n", repeat("=68=74=74=70://a/ ", mega))},
		{"uuencoded lines", "a.eml", joined("From: a@b.example\n\nbegin 644 a\n", repeat("M\n", mega))},
		{"message separators", "a.mbox", repeat("From a@b Mon Jan  1 00:00:00 1996\n", mega)},
		{"messages of one line", "a.mbox", repeat("From a@b Mon Jan  1 00:00:00 1996\nMessage-ID: <a@b>\n\nmid:a@b\n", mega)},
		{"attributes", "a.html", joined("<a ", repeat("href=x ", mega), ">")},
		{"attributes without end", "a.html", joined("<a ", numbered("a%d=b ", 100000))},
		{"links in srcset", "a.html", joined(`<img srcset="`, repeat("a 1x,", mega), `">`)},
		{"commas in srcset", "a.html", joined(`<img srcset="`, repeat(",", mega), `">`)},
		{"links in ping", "a.html", joined(`<a href=x ping="`, repeat("a ", mega), `">`)},
		{"links in archive", "a.html", joined(`<applet archive="`, repeat("a,", mega), `">`)},
		{"links in attributes of text", "a.html", joined(`<a title="`, repeat("http://a/ ", mega), `">`)},
		{"references in style", "a.html", joined(`<p style="`, repeat("url(a)", mega), `">`)},
		{"open references in style", "a.html", joined("<style>", repeat("url(", mega), "</style>")},
		{"imports in style", "a.html", joined("<style>", repeat("@import 'a';", mega), "</style>")},
		{"comments that begin", "a.html", repeat("<!--", mega)},
		{"comments that end badly", "a.html", joined("<!--", repeat("--!", mega))},
		{"scripts that begin", "a.html", repeat("<script>", mega)},
		{"scripts in comments", "a.html", joined("<script>", repeat("<!--<script", mega))},
		{"entities", "a.html", joined("<a href=\"", repeat("&amp", mega), "\">")},
		{"numbers of characters", "a.html", joined("<a href=\"", repeat("&#x26", mega), "\">")},
		{"a long number", "a.html", joined("<a href=\"&#", repeat("9", mega), ";\">")},
		{"bases", "a.html", repeat("<base href=http://a/><a href=b>", mega)},
		{"a long base", "a.html", joined(`<base href="http://a/`, repeat("b", mega/2), `">`, repeat("<a href=c>", mega/2))},
		{"a long title", "a.html", joined("<title>", repeat("t", mega/2), "</title>", repeat("<a href=c>", mega/2))},
		{"a long link text", "a.html", joined("<a href=b>", repeat("text ", mega))},
		{"dots in paths", "a.html", joined("<base href=http://a/><a href=\"", repeat("../", mega), "\">")},
		{"tags that never end", "a.html", repeat("<a href=", mega)},
		{"quotes that never end", "a.html", repeat(`<a href="`, mega)},
		{"refreshes", "a.html", repeat(`<meta http-equiv=refresh content="0;url=a">`, mega)},
		{"gopher menu", "a.gophermap", repeat("1a\t/\ta\t70\n", mega)},
		{"columns of CSV", "a.csv", joined("url\n", repeat("a,", mega))},
		{"a cell of CSV", "a.csv", joined("url\n\"", repeat("http://a/ ", mega))},
		{"quotes of CSV", "a.csv", joined("url\n", repeat(`"`, mega))},
		{"rows of CSV", "a.csv", joined("id,url\n", repeat("1,http://a/\n", mega))},
		{"RIS lines", "a.ris", joined("TY  - JOUR\n", repeat("UR  - http://a/\n", mega))},
		{"a record id of 500 kB", "a.mrk", joined("=LDR  00000nam\n=001  ", repeat("i", mega/2), "\n", repeat("=856  40$uhttp://a/\n", mega/2))},
		{"JSON strings", "a.json", joined("[", repeat(`"http://a/",`, mega), `""]`)},
		{"JSON keys", "a.jsonl", repeat(`{"url":"http://a/"}`+"\n", mega)},
		{"JSON escapes", "a.json", joined(`["`, repeat(`\u0068`, mega), `"]`)},
		{"sitemap", "a.xml", joined(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`, repeat("<url><loc>http://a/</loc></url>", mega), "</urlset>")},
		{"processing instructions", "a.xml", joined(`<mods xmlns="http://www.loc.gov/mods/v3">`, repeat("<?a?>", mega))},
		{"sections of CDATA", "a.xml", joined(`<mods xmlns="http://www.loc.gov/mods/v3"><url>`, repeat("<![CDATA[http://a/ ]]>", mega))},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, nil)
			p.make("docs/"+c.file, c.doc)
			o := p.run("extract", "--base", "http://base.example/dir/", "docs/"+c.file)
			p.within(o, ceiling{codes: []int{0, 3}, output: 100 << 20})
			if o.out.lines > 600_000 {
				t.Errorf("%d rows, at most 600,000 are right", o.out.lines)
			}
		})
	}
}
