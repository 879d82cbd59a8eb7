package web

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestTextFinder compares the finder with a search for each of the texts, wherever
// in a page they stand.
func TestTextFinder(t *testing.T) {
	for _, texts := range [][]string{wallMarkers, parkedMarkers, {"x"}, {"", "Ab"}, {"ab", "é!", "<title>"}, {"abc", "bca", "aaaa"}} {
		f := newTextFinder(texts)
		r := rand.New(rand.NewPCG(1, 2))
		for range 2000 {
			var page strings.Builder
			for range r.IntN(4) {
				for range r.IntN(20) {
					page.WriteByte("abcABC <é!."[r.IntN(12)])
				}
				text := texts[r.IntN(len(texts))]
				page.WriteString([]string{text, strings.ToUpper(text), text[:len(text)/2]}[r.IntN(3)])
			}
			want := slices.ContainsFunc(texts, func(text string) bool {
				return text != "" && strings.Contains(asciiLower(page.String()), asciiLower(text))
			})
			if got := f.in(page.String()); got != want {
				t.Fatalf("%q in %q: %v", texts, page.String(), got)
			}
		}
	}
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}
