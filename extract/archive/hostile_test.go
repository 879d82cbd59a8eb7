package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"

	"linkcheck/extract"
	"linkcheck/extract/budget"
	"linkcheck/extract/doc"
	"linkcheck/internal/testdoc"
)

// A document that unfolds to far more than it is ends at its budget, told once, and takes
// memory in proportion to what it may unfold to.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("packs some hundred megabytes")
	}
	text := bytes.Repeat([]byte("some words and no link\n"), 1<<19)
	for _, c := range []struct {
		name string
		data func() []byte
		key  string // of the limit
	}{
		{"sparse.tar", func() []byte { return sparseTar(1 << 60) }, "max-unfolded"},
		{"gz.gz", func() []byte { return squeeze(squeeze(bytes.Repeat(squeeze(text), 1<<6))) }, "max-unfolded"},
		{"br.warc", func() []byte {
			return webArchive("br", func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, 2) }, text, 8)
		}, "max-unfolded"},
		{"deflate.warc", func() []byte {
			return webArchive("deflate", func(w io.Writer) io.WriteCloser { z, _ := flate.NewWriter(w, 9); return z }, text, 8)
		}, "max-unfolded"},
		{"a.warc.gz", func() []byte {
			return squeeze(append([]byte("WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: 999999999\r\n\r\n"), bytes.Repeat(text, 2)...))
		}, "max-unfolded"},
		{"a.zst", func() []byte { return zstdOf(t, string(text)) }, "max-unfolded"},
		{"a.xz", func() []byte { return xzOf(t, string(text)) }, "max-unfolded"},
		{"a.Z", func() []byte { return testdoc.LZW(bytes.Repeat([]byte("a"), 2<<20), 16, false) }, "max-unfolded"},
		{"one-member.zip", func() []byte { return overlapping(1, text) }, "max-unfolded"},
		{"overlapping.zip", func() []byte { return overlapping(100, text[:1<<20]) }, "max-unfolded"},
		{"directory.zip.gz", func() []byte { return squeeze(overlapping(2_000_000, nil)) }, "max-unfolded"},
		{"members.tar.gz", func() []byte { return squeeze(emptyMembers(20_000)) }, "max-members"},
		{"links.txt.gz", func() []byte { return squeeze(bytes.Repeat([]byte("http://a.example/ \n"), 1<<20)) }, "max-links"},
		{"damages.warc.gz", func() []byte { return squeeze(bytes.Repeat([]byte("WARC/1.0\r\n\r\nx\r\n"), 1<<20)) }, "max-links"},
		{"long-rows.html", func() []byte {
			return []byte("<base href='http://a.example/" + strings.Repeat("b", 4000) + "/'>" + strings.Repeat("<a href=x>", 50_000))
		}, "max-page-links"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := c.data()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var over []error
			for _, err := range extract.Document(c.name, bytes.NewReader(data), doc.Options{Size: int64(len(data)), Limits: extract.Limits{Unfolded: 1 << 20, Members: 1000, Links: 10_000, PageLinks: 10_000}}) {
				if o, ok := errors.AsType[*budget.Over](err); ok {
					over = append(over, err)
					if o.Key != c.key {
						t.Errorf("%v: want %s", err, c.key)
					}
				}
			}
			runtime.ReadMemStats(&after)
			if len(over) != 1 {
				t.Errorf("told %d times: %v", len(over), over)
			}
			if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 200 {
				t.Errorf("%d MB of memory taken in all", took)
			}
		})
	}
}

// Decoders remember no more than 64 MB, and that is not refused.
func TestWindows(t *testing.T) {
	dictionary := func(size byte) []byte { // in the header of the first block, see the format of xz, 5.3.1
		data := xzOf(t, "http://a.example/")
		i := bytes.Index(data, []byte("\x21\x01")) + 2
		data[i] = size
		header := data[12 : 12+4*(int(data[12])+1)]
		binary.LittleEndian.PutUint32(header[len(header)-4:], crc32.ChecksumIEEE(header[:len(header)-4]))
		return data
	}
	window := func(descriptor byte) []byte { // RFC 8878 section 3.1.1.1: a frame of one raw block
		const text = "http://a.test/"
		return append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, descriptor, byte(1 | len(text)<<3), 0, 0}, text...)
	}
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"64MB.xz", dictionary(28), nil},
		{"96MB.xz", dictionary(29), xz.ErrMemlimit},
		{"4GB.xz", dictionary(40), xz.ErrMemlimit},
		{"64MB.zst", window(16 << 3), nil},
		{"72MB.zst", window(16<<3 | 1), zstd.ErrWindowSizeExceeded},
	} {
		var bad error
		for _, err := range extract.Document(c.name, bytes.NewReader(c.data), doc.Options{}) {
			if err != nil {
				bad = err
			}
		}
		if !errors.Is(bad, c.want) {
			t.Errorf("%s: %v, want %v", c.name, bad, c.want)
		}
	}
}

// Reading ends with its context, also where a decoder gives nothing for long, and between
// members.
func TestContextEndsReading(t *testing.T) {
	for name, block := range map[string][]byte{
		"members.gz": squeeze(nil),
		"a.tar":      emptyMembers(1)[:512],
		"a.txt":      []byte("words\n"),
		"a.html":     []byte("<p>words"),
		"a.mbox":     []byte("From a@b Tue Apr  1 10:35:48 1997\nSubject: x\n\nwords\n"),
	} {
		ctx, cancel := context.WithCancel(t.Context())
		r := &cancelling{block: block, left: 1 << 20, cancel: cancel}
		var last error
		for _, err := range extract.Document(name, r, doc.Options{Context: ctx}) {
			last = err
		}
		if !errors.Is(last, context.Canceled) || r.behind > 5*doc.ReaderSize {
			t.Errorf("%s: %v, %d octets read behind the end", name, last, r.behind)
		}
	}
}

// cancelling repeats a block for ever, and calls cancel when so many octets were read.
type cancelling struct {
	block        []byte
	at           int
	left, behind int
	cancel       func()
}

func (c *cancelling) Read(p []byte) (n int, err error) {
	for n < len(p) {
		m := copy(p[n:], c.block[c.at:])
		n, c.at = n+m, (c.at+m)%len(c.block)
	}
	if c.left -= n; c.left < 0 {
		c.cancel()
		c.behind += n
	}
	return n, nil
}

// sparseTar is a file whose header claims a size (GNU tar manual, PAX format, version 1.0).
func sparseTar(size int64) []byte {
	var b bytes.Buffer
	text := strings.Repeat("http://a.example/\n", 1<<9)
	block := "1\n0\n" + fmt.Sprintf("%d\n", len(text))
	block += strings.Repeat("\x00", 512-len(block)) + text
	records := ""
	for _, r := range []string{"GNU.sparse.major=1", "GNU.sparse.minor=0", "GNU.sparse.name=a.txt", fmt.Sprintf("GNU.sparse.realsize=%d", size)} {
		records += fmt.Sprintf("%d %s\n", len(r)+4, r)
	}
	for _, f := range []struct {
		kind byte
		text string
	}{{tar.TypeXHeader, records}, {tar.TypeReg, block}} {
		header := emptyMembers(1)[:512]
		copy(header[124:136], fmt.Sprintf("%011o\x00", len(f.text)))
		header[156] = f.kind
		copy(header[148:156], "        ")
		sum := 0
		for _, c := range header {
			sum += int(c)
		}
		copy(header[148:156], fmt.Sprintf("%06o\x00 ", sum))
		b.Write(header)
		b.WriteString(f.text)
		b.Write(make([]byte, -len(f.text)&511))
	}
	b.Write(make([]byte, 1024))
	return b.Bytes()
}

// emptyMembers is a tar file of so many members without content.
func emptyMembers(n int) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := range n {
		w.WriteHeader(&tar.Header{Name: fmt.Sprintf("f%d", i), Typeflag: tar.TypeReg, Mode: 0o644})
	}
	w.Close()
	return b.Bytes()
}

func squeeze(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, 9)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// webArchive is records whose bodies are text in a content coding.
func webArchive(coding string, pack func(io.Writer) io.WriteCloser, text []byte, records int) []byte {
	var body bytes.Buffer
	w := pack(&body)
	w.Write(text)
	w.Close()
	record := testdoc.WARC("response", "http://h.example/", testdoc.HTTPMedia, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: "+coding+"\r\n\r\n"+body.String())
	return []byte(strings.Repeat(record, records))
}

// overlapping is a zip whose directory lists one member n times, each with sizes that are false.
func overlapping(n int, text []byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, _ := w.Create("a")
	f.Write(text)
	w.Close()
	data := b.Bytes()
	at := bytes.LastIndex(data, []byte("PK\x01\x02"))
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	entry := bytes.Clone(data[at:end])
	binary.LittleEndian.PutUint32(entry[24:], 1<<31)
	out := append(bytes.Clone(data[:at]), bytes.Repeat(entry, n)...)
	size := int64(len(out) - at)
	out64 := binary.LittleEndian.AppendUint32(out, 0x06064b50) // APPNOTE.TXT 4.3.14: more than 65,535 entries
	out64 = binary.LittleEndian.AppendUint64(out64, 44)
	out64 = append(out64, 45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	for _, v := range []int64{int64(n), int64(n), size, int64(at)} {
		out64 = binary.LittleEndian.AppendUint64(out64, uint64(v))
	}
	out64 = binary.LittleEndian.AppendUint32(out64, 0x07064b50)
	out64 = append(out64, 0, 0, 0, 0)
	out64 = binary.LittleEndian.AppendUint64(out64, uint64(at)+uint64(size))
	out64 = append(out64, 1, 0, 0, 0)
	return append(out64, "PK\x05\x06\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00"...)
}
