//go:build linux

package hardening

import (
	"archive/tar"
	"archive/zip"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"linkcheck/internal/testdoc"
)

// What a library really keeps is read whole, however well it packs: nothing is told
// as damage, and no link is left out.
func TestHonest(t *testing.T) {
	long(t)
	message := "From a@b Mon Jan  1 00:00:00 1996\nFrom: a@b.example\nMessage-ID: <%d@b.example>\nSubject: x\n\nsee http://a%[1]d.example/ now\n" + strings.Repeat("> the quick brown fox jumps over the lazy dog\n", 20) + "\n"
	for _, c := range []struct {
		name, file string
		doc        doc
		links      int
	}{
		{"a mailbox in gzip, 20:1", "a.mbox.gz", gz(numbered(message, 60_000)), 60_000},
		{"a mailbox in xz", "a.mbox.xz", xzed(numbered(message, 10_000)), 10_000},
		{"a mailbox in zstd", "a.mbox.zst", zst(numbered(message, 30_000)), 30_000},
		{"a zip of 100,000 members", "a.zip", func(w io.Writer) {
			z := zip.NewWriter(w)
			for i := range 100_000 {
				f, _ := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%d.txt", i)})
				if i%100 == 0 {
					fmt.Fprintf(f, "http://a%d.example/\n", i)
				}
			}
			z.Close()
		}, 1000},
		{"a tar.gz of 100,000 members", "a.tgz", gz(func(w io.Writer) {
			z := tar.NewWriter(w)
			for i := range 100_000 {
				body := ""
				if i%100 == 0 {
					body = fmt.Sprintf("http://a%d.example/\n", i)
				}
				z.WriteHeader(&tar.Header{Name: fmt.Sprintf("%d.txt", i), Size: int64(len(body)), Mode: 0o644})
				io.WriteString(z, body)
			}
			z.Close()
		}), 1000},
		{"a catalogue of 20,000 records in gzip", "a.mrc.gz", gz(func(w io.Writer) {
			for i := range 20_000 {
				io.WriteString(w, testdoc.Catalogued(fmt.Sprint(i), "A title", fmt.Sprintf("|uhttp://a.example/%d", i)))
			}
		}), 20_000},
		{"a web archive of 10,000 pages in gzip members", "a.warc.gz", func(w io.Writer) {
			for i := range 10_000 {
				gz(warc(fmt.Sprintf("http://a.example/%d", i), "Content-Type: text/html\r\n", text(fmt.Sprintf("<a href=/to/%d>x</a>", i))))(w)
			}
		}, 10_000},
		{"a sitemap of 50,000 addresses in gzip", "a.xml.gz", gz(joined(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`, numbered("<url><loc>http://a.example/%d</loc></url>\n", 50_000), "</urlset>")), 50_000},
		{"a list of 100,000 addresses in gzip", "a.txt.gz", gz(numbered("http://a.example/%d\n", 100_000)), 100_000},
		{"a sparse tar of 20 MB", "a.tar", text(pax("GNU.sparse.major", "1", "GNU.sparse.minor", "0", "GNU.sparse.name", "a.txt", "GNU.sparse.realsize", "20000000") +
			tarHead("GNUSparseFile.0/a.txt", '0', 512+19000+1, nil) + padded("2\n0\n19000\n19999999\n1\n") + padded(strings.Repeat("http://a.example/\n", 1000)+strings.Repeat(" ", 1000)+".") + strings.Repeat("\x00", 1024)), 1000},
		{"tar in zip in gzip", "a.gz", gz(zipped("a.tar", tarred("a.txt", text("http://a.example/\n"), "b.txt.gz", gz(text("http://b.example/\n"))))), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, nil)
			p.make("docs/"+c.file, c.doc)
			o := p.run("extract", "docs/"+c.file)
			p.within(o, ceiling{codes: []int{0}, cpu: 20 * time.Second, memory: 300, output: 200 << 20})
			if o.out.lines < c.links {
				t.Errorf("%d links are found of %d", o.out.lines, c.links)
			}
		})
	}
}
