package extract_test

import (
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
	"linkcheck/internal/testdoc"
)

func BenchmarkMbox(b *testing.B) {
	data := mboxes(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "a.mbox", data) })
	b.Run("lines", func(b *testing.B) { readAll(b, data, '\n') })
}

func BenchmarkMIME(b *testing.B) {
	data := mimeMessages(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "a.mbox", data) })
	b.Run("lines", func(b *testing.B) { readAll(b, data, '\n') })
}

func BenchmarkMARC(b *testing.B) {
	data := marcRecords(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "a.mrc", data) })
	b.Run("records", func(b *testing.B) { readAll(b, data, 0x1d) })
}

func BenchmarkWARC(b *testing.B) {
	var data []byte
	for len(data) < 8<<20 {
		data = append(data, testdoc.WARC("response", "http://h.example/", testdoc.HTTPMedia, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+string(pages(20<<10)))...)
	}
	b.Run("links", func(b *testing.B) { drain(b, "a.warc", data) })
}

// The memory held by the readers of records does not grow with the file.
func TestMemoryFlatRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 400 MB")
	}
	const limit = 60 << 20
	for _, c := range []struct{ name, block string }{
		{"a.mbox", string(mboxes(1 << 20))},
		{"mime.mbox", string(mimeMessages(1 << 20))},
		{"one-part.mbox", "From a@b Tue Apr  1 10:35:48 1997\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("<a href=3D\"http://a.example/b\">\n", 1<<15)},
		{"a.mrc", string(marcRecords(1 << 20))},
		{"no-end.mrc", "00024nam a2200025   450024500100000\x1e" + strings.Repeat("x", 1<<20)},
		{"a.warc", testdoc.WARC("response", "http://h.example/", testdoc.HTTPMedia, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+string(pages(1<<20)))},
		{"a.xml", "<record><datafield tag='856'><subfield code='u'>http://a.example/</subfield></datafield></record>\n"},
		{"open.xml", "<a href='http://a.example/'>\n"},
		{"a.csv", strings.Repeat("\"http://a.example/,", 1<<16)},
		{"a.json", strings.Repeat("{\"url\":\"http://a.example/\",", 1<<16)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var high uint64
			n := 0
			r := &endless{Block: []byte(c.block), Left: 40 << 20}
			for _, err := range extract.Document(c.name, r, doc.Options{}) {
				if n++; err != nil && n < 5 {
					t.Log(err)
				}
				if n%50000 == 0 {
					high = max(high, inUse())
				}
			}
			if high = max(high, inUse()); high > limit {
				t.Errorf("%d MB held", high>>20)
			}
			if r.Left > 0 {
				t.Errorf("%d MB not read", r.Left>>20)
			}
		})
	}
}
