package archive_test

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/testdoc"
)

func TestWARC(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	page := head + "\r\n<p>\n<a href='http://a.org/'>a</a>\n"
	chunks := head + "Transfer-Encoding: chunked\r\n\r\n" + chunked("<p>\n<a href='http", "://a.org/'>a</a>\n", "\n<a href='http://b/'>")
	feed := "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked("<rss><item><description>&lt;p&gt;\n&lt;a href='http", "://a.org/'&gt;a&lt;/a&gt; and", " &lt;a href='http://b.org/'&gt;b&lt;/a&gt;</description></item></rss>")
	lying := head + "Transfer-Encoding: chunked\r\n\r\n<a href='http://a.org/'>a</a>"
	wrong := strings.Replace(chunks, "\r\n15;", "\r\n99;", 1)
	coded := head + "Content-Encoding: gzip\r\n\r\n" + testdoc.Gzip("<a href='http://a.org/'>a</a>")
	var packed bytes.Buffer
	br := brotli.NewWriter(&packed)
	br.Write([]byte("<a href='http://a.org/'>a</a>"))
	br.Close()
	brotlied := head + "Content-Encoding: br\r\n\r\n" + packed.String()
	var zlibbed, flat bytes.Buffer
	flatter, _ := flate.NewWriter(&flat, flate.BestCompression)
	for _, z := range []io.WriteCloser{zlib.NewWriter(&zlibbed), flatter} {
		io.WriteString(z, "<a href='http://a.org/'>a</a>")
		z.Close()
	}
	deflated := head + "Content-Encoding: deflate\r\n\r\n" + zlibbed.String()
	rawDeflated := head + "Content-Encoding: deflate\r\n\r\n" + flat.String()
	undone := head + "Content-Encoding: br\r\n\r\n<a href='http://a.org/'>a</a>"
	quiet := testdoc.WARC("warcinfo", "", "application/warc-fields", "isPartOf: http://no.org/\r\n") +
		testdoc.WARC("request", "http://h.org/", testdoc.HTTPMedia, "GET / HTTP/1.1\r\nReferer: http://no.org/\r\n\r\n") + testdoc.WARC("revisit", "http://h.org/", testdoc.HTTPMedia, page)
	response := testdoc.WARC("response", "<http://h.org/x>", testdoc.HTTPMedia, page)
	where := func(line, length, offset int, uri string) string {
		return fmt.Sprintf("%d urn:x:%d|offset %d %s", line, length, offset, uri)
	}
	nolength := strings.Replace(response, "Content-Length", "X-Length", 1)
	extracttest.Run(t, "a.warc", doc.Options{}, []extracttest.Case{
		{"kinds of records", quiet + response + testdoc.WARC("resource", "http://h.org/t", "text/plain", "see http://t.org/\n") + testdoc.WARC("resource", "http://h.org/o", "application/octet-stream", "http://no.org/"),
			[]string{where(48, len(page), len(quiet), "http://a.org/"), where(58, 18, len(quiet+response), "http://t.org/")}},
		{"text of a page", testdoc.WARC("conversion", "http://h.org/", "text/plain", "see http://t.org/\n"), []string{where(8, 18, 0, "http://t.org/")}},
		{"chunked", testdoc.WARC("response", "http://h.org/", testdoc.HTTPMedia, chunks), []string{where(14, len(chunks), 0, "http://a.org/"), where(20, len(chunks), 0, "http://b/")}},
		{"escaped pages in a chunked feed", testdoc.WARC("response", "http://h.org/", testdoc.HTTPMedia, feed), []string{where(14, len(feed), 0, "http://a.org/"), where(18, len(feed), 0, "http://b.org/")}},
		{"says chunked and is not", testdoc.WARC("response", "http://h.org/", testdoc.HTTPMedia, lying), []string{where(12, len(lying), 0, "http://a.org/")}},
		{"a chunk size is wrong", testdoc.WARC("response", "http://h.org/", testdoc.HTTPMedia, wrong), []string{where(14, len(wrong), 0, "http://a.org/"), where(20, len(wrong), 0, "http://b/")}},
		{"a gopher menu", testdoc.WARC("resource", "gopher://g.org/1/d/", "text/plain", "0A\ta\n1B\t/b\th.org\t70\n"), []string{where(8, 20, 0, "gopher://g.org/0/d/a"), where(9, 20, 0, "gopher://h.org/1/b")}},
		{"content-coded bodies have no lines", testdoc.WARC("response", "http://h.org/", testdoc.HTTPMedia, coded), []string{where(0, len(coded), 0, "http://a.org/")}},
		{"brotli", testdoc.WARC("response", "http://h.org/", testdoc.HTTPMedia, brotlied), []string{where(0, len(brotlied), 0, "http://a.org/")}},
		{"deflate, RFC 9110 section 8.4.1.2", testdoc.WARC("response", "http://h.org/", testdoc.HTTPMedia, deflated), []string{where(0, len(deflated), 0, "http://a.org/")}},
		{"deflate without the zlib format, section 8.4.1.2", testdoc.WARC("response", "http://h.org/", testdoc.HTTPMedia, rawDeflated), []string{where(0, len(rawDeflated), 0, "http://a.org/")}},
		{"brotli that the crawler undid", testdoc.WARC("response", "http://h.org/", testdoc.HTTPMedia, undone), []string{where(12, len(undone), 0, "http://a.org/")}},
		{"no length", nolength + testdoc.WARC("resource", "x:y", "text/plain", "http://t.org/"),
			[]string{"damage: a.warc:1: offset 0: record without a length: read up to the next record", where(12, len(page), 0, "http://a.org/"), where(22, 13, len(nolength), "http://t.org/")}},
	})
}

func TestWARCGzip(t *testing.T) {
	first, second, third := testdoc.WARC("resource", "x:y", "text/plain", "http://a.org/ "), testdoc.WARC("resource", "x:y", "text/plain", strings.Repeat("http://b.org/ qwertzuiop asdfghjkl\n", 9)), testdoc.WARC("resource", "x:y", "text/plain", "http://c.org/")
	a, b, c := testdoc.Gzip(first), testdoc.Gzip(second), testdoc.Gzip(third)
	broken := b[:len(b)-20]
	at := len(a) + len(broken)
	got := extracttest.Records("a.warc.gz", a+broken+c, doc.Options{})
	if got[0] != "8 urn:x:14|offset 0 http://a.org/" || got[len(got)-1][strings.Index(got[len(got)-1], "|"):] != fmt.Sprintf("|offset %d http://c.org/", at) {
		t.Errorf("got %q", got)
	}
	if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "damage: ") }) {
		t.Errorf("the broken member is not told: %q", got)
	}
}

func TestARC(t *testing.T) {
	page := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href='http://a.org/'>a</a>\n"
	info := "filedesc://a.arc 0.0.0.0 20140216050221 text/plain 20\n1 0 http://no.org/xy\n\n"
	blanks := fmt.Sprintf("http://h.org/a b 1.2.3.4 20140216050222 text/html %d\n%s\n", len(page), page)
	unknown := "http://h.org/ 1.2.3.4 20140216050223 text/html -1\n" + page
	at := func(line int, record string, offset int) string {
		return fmt.Sprintf("%d %s|offset %d http://a.org/", line, record, offset)
	}
	extracttest.Run(t, "a.arc", doc.Options{}, []extracttest.Case{{"a blank in a URL, a length that is not known", info + blanks + unknown, []string{
		at(8, "20140216050222/http://h.org/a%20b", len(info)),
		fmt.Sprintf("damage: a.arc:10: offset %d: record without a length: read up to the next record", len(info+blanks)),
		at(14, "20140216050223/http://h.org/", len(info+blanks))}}})
}

// chunked is a body in the chunked transfer coding (RFC 9112 section 7.1).
func chunked(parts ...string) string {
	var b strings.Builder
	for _, p := range append(parts, "") {
		fmt.Fprintf(&b, "%x;a=b\r\n%s\r\n", len(p), p)
	}
	return b.String()
}
