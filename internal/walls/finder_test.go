package walls

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestTextFinder compares the finder with a search for each of the texts, wherever
// in a page they stand.
func TestTextFinder(t *testing.T) {
	lists, _ := own()
	for _, texts := range [][]string{lists.Challenge.Texts, lists.Parked.Texts, {"x"}, {"", "Ab"}, {"ab", "é!", "<title>"}, {"abc", "bca", "aaaa"}} {
		half := len(texts) / 2
		byKind := map[kinds][]string{1: texts[:half], 2: texts[half:]}
		f := newTextFinder(byKind)
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
			var want kinds
			for kind, texts := range byKind {
				if slices.ContainsFunc(texts, func(text string) bool {
					return text != "" && strings.Contains(asciiLower(page.String()), asciiLower(text))
				}) {
					want |= kind
				}
			}
			if got := f.in(page.String()); got != want {
				t.Fatalf("%q in %q: %v, want %v", texts, page.String(), got, want)
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
