package web

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
)

// shinglesOf is every run of four words hashed, or the whole of a shorter text.
func shinglesOf(words []string) (all []uint64) {
	for i := 0; i == 0 || i+shingleWords <= len(words); i++ {
		var h uint64
		for _, w := range words[i:min(i+shingleWords, len(words))] {
			h = (bits.RotateLeft64(h, 23) ^ fnv1a(w)) * 0x9e3779b97f4a7c15
		}
		all = append(all, h^h>>29)
	}
	return all
}

// A digest is the sign of the sum in Charikar's definition, bit by bit (a tie is 0),
// and a sketch the smallest hashes.
func TestDigestAndSketch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 4, 5, 6, 257, 258, 259, 260, 512, 513, 1000} {
		words := make([]string, n)
		var s simhash
		var k sketcher
		for i := range words {
			words[i] = fmt.Sprint(random.IntN(n))
			s.add(fnv1a(words[i]))
			k.add(words[i])
		}
		all := shinglesOf(words)
		var want uint64
		for bit := range 64 {
			sum := 0
			for _, h := range all {
				sum += int(h>>bit&1)*2 - 1
			}
			if sum > 0 {
				want |= 1 << bit
			}
		}
		if got := s.sum(); got != want || s.sum() != want {
			t.Errorf("%d words: %x, then %x, want %x", n, got, s.sum(), want)
		}
		slices.Sort(all)
		if all = slices.Compact(all); !slices.Equal(k.sum(), all[:min(len(all), sketchSize)]) {
			t.Errorf("%d words: another sketch", n)
		}
	}
}

// Digests are kept for years: they may not change with the code.
func TestDigestsStay(t *testing.T) {
	for _, tc := range []struct{ kind, text, want string }{
		{"text/plain", "", ""},
		{"text/plain", "one", "simhash:f4c5fa59c03b8ca8"},
		{"text/plain", "Volume seven holds the positions of two hundred comets.", "simhash:0311001d206b1081"},
		{"text/html", "<p>Volume seven holds <b>the</b> positions of two hundred comets.", "simhash:0311001d206b1081"},
		{"application/pdf", "\x00", "sha256:6e340b9cffb37a98"},
	} {
		a := answer{header: http.Header{"Content-Type": {tc.kind}}, body: tc.text}
		if got := digest(a.body, a.page()); got != tc.want {
			t.Errorf("%s %q: %s, want %s", tc.kind, tc.text, got, tc.want)
		}
	}
}
