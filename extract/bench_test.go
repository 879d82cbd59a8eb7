package extract

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"linkcheck/extract/doc"
)

// shared is where the corpus lies, beside the repository. A test that needs it
// is skipped by the name of what is missing.
func shared(t testing.TB, parts ...string) string {
	t.Helper()
	p := filepath.Join(append([]string{"..", "..", "shared"}, parts...)...)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("missing: %s", p)
	}
	return p
}

// pages makes about n bytes of HTML as the 1990s wrote it.
func pages(n int) []byte {
	var b bytes.Buffer
	b.WriteString("<HTML><HEAD><TITLE>A page</TITLE></HEAD><BODY BGCOLOR=\"#ffffff\">\n")
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "<LI><A HREF=\"http://host%d.example.edu/dir/file%d.html\">Chapter %d</A>: <B>of</B> the history\n", i%100, i, i)
		fmt.Fprintf(&b, "of the network, written down by those who &quot;were there&quot; and\nread by many more; see the <IMG SRC=pics/i%d.gif ALT=\"picture\"> beside.<P>\n", i)
		b.WriteString("<TABLE WIDTH=100%><TR ALIGN=left VALIGN=top><TD>One cell</TD><TD>another cell</TD></TR></TABLE>\n")
	}
	return b.Bytes()
}

// rfcPages makes about n bytes of RFC text: pages, with a link every few lines.
func rfcPages(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		b.WriteString("   The protocol that this note describes is in use at several sites: it\n   carries menus and documents; no server keeps state between requests.\n")
		b.WriteString("   A client sends a line and the server answers with what was asked for\n   and closes the connection, as Table 1 shows (see section 3.1 below).\n\n")
		if i%4 == 0 {
			fmt.Fprintf(&b, "   Further reading: <URL:ftp://host%d.example.edu/pub/doc/file%d.txt>,\n   and http://www%d.example.org/dir/page%d.html for pictures.\n\n", i%50, i, i%70, i)
		}
		if i%10 == 9 {
			fmt.Fprintf(&b, "\n\nAuthor                       Informational                     [Page %d]\n\f\nRFC 9999                     A Title                    May 1996\n\n\n", i/10)
		}
	}
	return b.Bytes()
}

func drain(b *testing.B, name string, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range Document(name, bytes.NewReader(data), doc.Options{Base: "http://h.example/"}) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n == 0 {
			b.Fatal("nothing found")
		}
	}
}

func BenchmarkHTML(b *testing.B) {
	data := pages(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "p.html", data) })
	b.Run("tokens", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			z := html.NewTokenizer(bytes.NewReader(data))
			for z.Next() != html.ErrorToken {
				if name, more := z.TagName(); len(name) > 0 {
					for more {
						_, _, more = z.TagAttr()
					}
				}
			}
		}
	})
}

func BenchmarkText(b *testing.B) {
	data := rfcPages(8 << 20)
	b.Run("links", func(b *testing.B) { drain(b, "p.txt", data) })
	b.Run("lines", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			n := 0
			for line := range bytes.Lines(data) {
				n += bytes.Count(line, []byte(":"))
			}
			if n == 0 {
				b.Fatal("no colon")
			}
		}
	})
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			io.Copy(io.Discard, struct{ io.Reader }{strings.NewReader(string(data))})
		}
	})
}
