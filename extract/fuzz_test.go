package extract

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"strings"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// laws reads data as name and checks what holds for every input: no panic, an
// end, lines inside the file, and nothing found without a reference.
func laws(t *testing.T, name string, data []byte, o doc.Options) {
	t.Helper()
	lines := max(bytes.Count(data, doc.Newline), bytes.Count(data, []byte{'\r'})) + 1 // old Macintosh files end lines in CR
	for f, err := range Document(name, bytes.NewReader(data), o) {
		if err != nil {
			continue
		}
		if f.URI == "" && f.Raw == "" {
			t.Errorf("%s: nothing found at %d:%d", name, f.Line, f.Column)
		}
		if f.Line < 0 || f.Line > lines && f.Member == "" && !packed(data) {
			t.Errorf("%s: line %d of %d: %q", name, f.Line, lines, f.Raw)
		}
		if strings.ContainsAny(f.URI, "\x00\r\n") {
			t.Errorf("%s: control in %q", name, f.URI)
		}
	}
}

// packed says whether the data are compressed: lines are those of the contents.
func packed(data []byte) bool {
	for _, m := range []string{"\x1f\x8b", "BZh", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd"} {
		if bytes.HasPrefix(data, []byte(m)) {
			return true
		}
	}
	return false
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"<URL:ftp://ds.in\n      ternic.net/rfc>", "(http://a.b/c_(d)), ftp.uu.net:/pub/x\r\nwww.a.org", "http://a.b/c-\n\n\nX  [Page 1]\n\f\nRFC 1\n\nd.html",
		"\"http://a.b\n/c\"", "> http://a.b/c/\n> d.html", "URL:http:// a.b/ UDI=wais://a/b", "mailto:?to=a", "http://\xe9\xff", "a.b:/", "\x1b$Bhttp://a.b",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		laws(t, "a.txt", data, doc.Options{Input: "text"})
		lines := bytes.Split(data, doc.Newline)
		for found, err := range Document("a.txt", bytes.NewReader(data), doc.Options{Input: "text", Charset: "windows-1252"}) {
			if err != nil || bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
				continue
			}
			line := lines[found.Line-1]
			first := firstLine(found.Raw)
			if ascii.ASCII([]byte(first)) && (found.Column < 1 || found.Column > len(line) || !bytes.HasPrefix(line[found.Column-1:], []byte(first))) {
				t.Fatalf("%q does not stand at %d:%d", first, found.Line, found.Column)
			}
		}
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
		laws(t, "a.html", data, doc.Options{Input: "html", Comments: comments, Base: "http://h.example/d/"})
	})
}

func FuzzDocument(f *testing.F) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	io.WriteString(w, "http://a.example/")
	w.Close()
	f.Add("a.gz", z.Bytes())
	f.Add("a.tar", tarOf(f, "x/a.html", "<a href=http://a.b>"))
	f.Add("a.zip", zipOf(f, "../a.txt", "http://a.b"))
	f.Add("a.bz2", []byte("BZh9"))
	f.Add("a.xz", []byte("\xfd7zXZ\x00"))
	f.Add("a.zst", []byte("\x28\xb5\x2f\xfd"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		laws(t, name, data, doc.Options{})
	})
}

// endless gives the same block again and again up to a size.
type endless struct {
	block []byte
	left  int
	off   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), e.left)], e.block[e.off:])
	e.off = (e.off + n) % len(e.block)
	e.left -= n
	return n, nil
}

// The memory held does not grow with the document, nor with its lines.
func TestMemoryFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 300 MB")
	}
	const limit = 40 << 20
	for _, c := range []struct{ name, block string }{
		{"a.txt", string(rfcPages(1 << 20))},
		{"one-line.txt", strings.Repeat("text and http://a.example/b ", 1000)},
		{"a.html", string(pages(1 << 20))},
		{"one-tag.html", "<p " + strings.Repeat("x", 1<<20)},
		{"no-tags.html", strings.Repeat("text ", 1<<20)},
		{"comments.html", strings.Repeat("<!-- > ", 1000)},
		{"quotes.html", strings.Repeat("<a href=\"x> <a href='y> ", 1000)},
		{"colons.txt", strings.Repeat("http:", 1000)},
		{"urls.txt", strings.Repeat("http://a.example/b", 1000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var high uint64
			n := 0
			r := &endless{block: []byte(c.block), left: 32 << 20}
			for _, err := range Document(c.name, r, doc.Options{}) {
				if n++; err != nil {
					t.Log(err)
				}
				if n%20000 == 0 {
					high = max(high, inUse())
				}
			}
			if high = max(high, inUse()); high > limit {
				t.Errorf("%d MB held", high>>20)
			}
			if r.left > 0 {
				t.Errorf("%d MB not read", r.left>>20)
			}
		})
	}
}

// inUse is what is held, garbage left out where there is much.
func inUse() uint64 {
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.HeapInuse > 16<<20 {
		runtime.GC()
		runtime.ReadMemStats(&m)
	}
	return m.HeapInuse
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
