package pdf_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// BenchmarkPaper reads an RFC as TeX sets papers: justified words with kerning, about one
// address a page. "text" has nothing but packed text; "fonts" has eight embedded fonts, too, as
// papers have. "inflate" unpacks the same pages and does nothing else: the bound. What is counted
// are the octets of the file; "unpacked" are those of its contents.
func BenchmarkPaper(b *testing.B) {
	pages, links := typeset(b, "../../testdata/corpus/rfc/rfc1402.txt")
	text, fonts := paper(pages, 0), paper(pages, 8)
	unpacked := len(strings.Join(pages, ""))
	for _, c := range []struct{ name, data string }{{"text", text}, {"fonts", fonts}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.data)))
			for b.Loop() {
				n := 0
				for _, err := range extract.Document("a.pdf", strings.NewReader(c.data), doc.Options{}) {
					if err == nil {
						n++
					}
				}
				if n < links/2 {
					b.Fatalf("%d links of %d", n, links)
				}
			}
			b.ReportMetric(float64(unpacked)*float64(b.N)/1e6/b.Elapsed().Seconds(), "MB-unpacked/s")
		})
	}
	b.Run("inflate", func(b *testing.B) {
		var packed []string
		for _, p := range pages {
			packed = append(packed, deflated(p)[2:])
		}
		b.SetBytes(int64(len(text)))
		z := flate.NewReader(nil)
		for b.Loop() {
			n := int64(0)
			for _, p := range packed {
				z.(flate.Resetter).Reset(strings.NewReader(p), nil)
				m, _ := io.Copy(io.Discard, z)
				n += m
			}
			if n != int64(unpacked) {
				b.Fatalf("%d octets", n)
			}
		}
	})
}

// typeset gives the contents of pages, and how often "://" stands on them.
func typeset(b *testing.B, file string) (pages []string, links int) {
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for p := 0; len(lines) > 0; p++ {
		n := min(len(lines), 48)
		var c bytes.Buffer
		fmt.Fprintf(&c, "BT\n/F%d 9.9626 Tf 148.712 707.125 Td ", p%8)
		for i, l := range lines[:n] {
			if i == 20 {
				fmt.Fprintf(&c, "[(See)-333(h)28(ttp://h%d.example.org/pap)-28(ers/y%d.h)28(tml)-333(to)-28(o.)]TJ 0 -11.955 Td ", p, p)
				links++
			}
			if l = strings.TrimSpace(l); l == "" {
				c.WriteString("0 -11.955 Td\n")
				continue
			}
			l = strings.NewReplacer("\\", "\\\\", "(", "\\(", ")", "\\)").Replace(l)
			l = strings.NewReplacer("ow", "o)28(w", "av", "a)28(v", "th", "t)28(h", "po", "p)-28(o", " ", ")-"+fmt.Sprint(290+3*i)+"(").Replace(l)
			fmt.Fprintf(&c, "[(%s)]TJ 0 -11.955 Td ", strings.ReplaceAll(l, "()", ""))
		}
		c.WriteString("ET\n")
		pages, lines = append(pages, c.String()), lines[n:]
	}
	return pages, links
}

// paper is a document of pages with some embedded fonts, which are of 12 kB.
func paper(pages []string, fonts int) string {
	m := newMaker().object(1, "<< /Type /Catalog /Pages 2 0 R >>")
	noise := rand.New(rand.NewSource(1))
	named := ""
	for n := range 8 {
		more := ""
		if n < fonts {
			data := make([]byte, 12_000)
			noise.Read(data)
			m.stream(40+n, "/Length1 12000 /Filter /FlateDecode", deflated(string(data)))
			m.object(30+n, fmt.Sprintf("<< /Type /FontDescriptor /FontFile %d 0 R >>", 40+n))
			more = fmt.Sprintf(" /FontDescriptor %d 0 R", 30+n)
		}
		m.object(20+n, "<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+CMR10 /FirstChar 32 /LastChar 126 /Widths ["+strings.Repeat("500 ", 95)+"]"+more+" >>")
		named += fmt.Sprintf("/F%d %d 0 R ", n, 20+n)
	}
	kids := ""
	for p, c := range pages {
		m.stream(100+2*p, "/Filter /FlateDecode", deflated(c))
		m.object(101+2*p, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << %s >> >> >>", 100+2*p, named))
		kids += fmt.Sprintf("%d 0 R ", 101+2*p)
	}
	return m.object(2, "<< /Type /Pages /Kids ["+kids+"] >>").end("").String()
}
