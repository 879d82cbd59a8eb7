package likeness

import (
	"bytes"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Words are those of strings.Fields, whatever the octets, each with its hash; and the look
// at words that are ASCII is the one that is made of their characters.
func TestWords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "B", "é", "Ж", "語", "7", ".", "!", "?", "-", "</", " ", "\n", "\v", "\f", "\u0085", "\u00a0", "\u2003", "\u3000", "\xff", "\xc3", "\xe3\x80", "plate", "Night"}
	shown := 0
	for range 5000 {
		var text strings.Builder
		for range random.IntN(60) {
			text.WriteString(pieces[random.IntN(len(pieces))])
			if random.IntN(3) == 0 {
				text.WriteByte(' ')
			}
		}
		var words []string
		var quick, slow Maker
		for w, h := range Words(text.String()) {
			words = append(words, w)
			sum := fnv.New64a()
			sum.Write([]byte(w))
			if h.All != sum.Sum64() {
				t.Fatalf("%q: %x, want %x", w, h.All, sum.Sum64())
			}
			quick.Add(w, h, false)
			slow.addForeign(w, false)
		}
		if !slices.Equal(words, strings.Fields(text.String())) {
			t.Fatalf("%q: %q", text.String(), words)
		}
		got, want := quick.Look(), slow.Look()
		if !bytes.Equal(got, want) {
			t.Fatalf("%q: %x, want %x", text.String(), got, want)
		}
		if len(want) > 0 {
			shown++
		}
	}
	if shown < 1000 {
		t.Errorf("%d texts with words", shown)
	}
}

// A maker that is used again makes the same look.
func TestReset(t *testing.T) {
	page := func(m *Maker) Look {
		m.AddText("Volume seven holds the positions of two hundred comets, and the first drawings of nebulae made with the new refractor.", false)
		m.EndBlock()
		m.AddText("Contents", true)
		return m.Look()
	}
	var fresh, used Maker
	used.AddText("another text. of two sentences", false)
	used.Look()
	used.AddText("and words that no block ended", true)
	used.Reset()
	if got, want := page(&used), page(&fresh); !bytes.Equal(got, want) || want.Kind() != Main {
		t.Errorf("%x, want %x", got, want)
	}
}
