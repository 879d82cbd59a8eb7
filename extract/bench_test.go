package extract_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

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
	data := texts(8 << 20)
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
