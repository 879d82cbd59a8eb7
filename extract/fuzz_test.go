package extract_test

import (
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// The memory held does not grow with the document, nor with its lines.
func TestMemoryFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 300 MB")
	}
	const limit = 40 << 20
	for _, c := range []struct{ name, block string }{
		{"a.txt", string(texts(1 << 20))},
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
			r := &endless{Block: []byte(c.block), Left: 32 << 20}
			for _, err := range extract.Document(c.name, r, doc.Options{}) {
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
			if r.Left > 0 {
				t.Errorf("%d MB not read", r.Left>>20)
			}
		})
	}
}
