package archive_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/lzw"
	"linkcheck/internal/testdoc"
)

func FuzzWARC(f *testing.F) {
	extracttest.Fuzz(f, "a.warc", "warc", testdoc.WARC("response", "http://h.org/", testdoc.HTTPMedia, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"+chunked("<a href=x>", "<b>")), "filedesc://a 0 20140216050221 text/plain 3\nabc\nhttp://a/ 1 20140216050221 text/html -1\nHTTP/1.0 200\n\n<a href=b>")
}

func FuzzWARCGzip(f *testing.F) {
	extracttest.Fuzz(f, "a.warc.gz", "", testdoc.Gzip(testdoc.WARC("resource", "x:y", "text/plain", "http://a.org/"))+testdoc.Gzip(testdoc.WARC("resource", "x:y", "text/plain", "http://b.org/")))
}

func FuzzUnlzw(f *testing.F) {
	f.Add([]byte("some text some text"), testdoc.LZW([]byte("some text some text"), 12, true)[3:])
	f.Fuzz(func(t *testing.T, text, codes []byte) {
		z, err := lzw.NewReader(bytes.NewReader(testdoc.LZW(text, 10, true)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%q, %v", got, err)
		}
		extracttest.Laws(t, "a.Z", append([]byte(lzw.Magic+"\x90"), codes...), doc.Options{})
	})
}

func FuzzDocument(f *testing.F) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	io.WriteString(w, "http://a.example/")
	w.Close()
	f.Add("a.gz", z.Bytes())
	f.Add("a.tar", []byte(testdoc.Tar(f, "x/a.html", "<a href=http://a.b>")))
	f.Add("a.zip", []byte(testdoc.Zip(f, "../a.txt", "http://a.b")))
	f.Add("a.bz2", []byte("BZh9"))
	f.Add("a.xz", []byte("\xfd7zXZ\x00"))
	f.Add("a.zst", []byte("\x28\xb5\x2f\xfd"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		extracttest.Laws(t, name, data, doc.Options{})
	})
}
