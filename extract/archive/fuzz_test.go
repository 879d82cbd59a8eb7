package archive_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"linkcheck/extract/archive"
	"linkcheck/extract/budget"
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

// What comes out of containers, all levels together, is never more than the budget allows
// beyond the file itself, but for what one call of a decoder gives.
func FuzzUnfolding(f *testing.F) {
	text := bytes.Repeat([]byte("text\n"), 1<<14)
	for _, data := range [][]byte{squeeze(text), squeeze(squeeze(text)), xzOf(f, string(text)), zstdOf(f, string(text)), overlapping(9, text), sparseTar(1 << 60),
		squeeze([]byte(testdoc.Tar(f, "a.gz", string(squeeze(text))))), webArchive("gzip", func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, text, 3)} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const base, slack = 4 << 10, 2 * doc.ReaderSize
		given := 0 // of leaves
		b, stop := budget.New(t.Context(), budget.Limits{Unfolded: base}, int64(len(data)))
		defer stop()
		d := doc.New("a", bytes.NewReader(data), b, doc.Options{}, func(d *doc.Document, _ string) error {
			return readContainer(d, &given)
		}, func(doc.Found, error) bool { return true })
		d.Read()
		if most := base + 101*len(data) + slack; given > most {
			t.Errorf("%d octets of %d, %d are allowed", given, len(data), most)
		}
	})
}

// readContainer opens a container, and counts the octets of what is none.
func readContainer(d *doc.Document, given *int) error {
	head, _ := d.In.Peek(doc.SniffSize)
	p := doc.Peek{Head: head}
	switch {
	case p.Begins("\x1f\x8b"):
		return archive.ReadGzip(d)
	case p.Begins("\x1f\x9d"):
		return archive.ReadCompress(d)
	case p.Begins("BZh"):
		return archive.ReadBzip2(d)
	case p.Begins("\xfd7zXZ\x00"):
		return archive.ReadXz(d)
	case p.Begins("\x28\xb5\x2f\xfd"):
		return archive.ReadZstd(d)
	case p.Begins("PK\x03\x04"):
		return archive.ReadZip(d)
	case archive.SniffTar(p):
		return archive.ReadTar(d)
	case archive.SniffWARC(p):
		return archive.ReadWARC(d)
	}
	n, err := io.Copy(io.Discard, d.In)
	*given += int(n)
	return err
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
