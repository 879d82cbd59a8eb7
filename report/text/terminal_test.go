package text

import (
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"linkcheck/internal/escape"
)

// FuzzWrap: no line is too wide, no letter is lost.
func FuzzWrap(f *testing.F) {
	f.Add("a word and http://a.very.long.example/address", 10)
	f.Add("漢字 كتاب 😀😀😀", 4)
	f.Add("\xff\u0301\u0301", 1)
	f.Fuzz(func(t *testing.T, s string, width int) {
		width = max(4, min(width, 200))
		lines := wrap(s, width)
		for _, l := range lines {
			if runewidth.StringWidth(l) > width {
				t.Fatalf("line %q is wider than %d", l, width)
			}
		}
		want := ""
		for _, word := range strings.Fields(s) { // escaped alone: octets on both sides of a blank make no letter
			want += escape.Line(word)
		}
		if got := strings.Join(strings.Fields(strings.Join(lines, "")), ""); got != want {
			t.Fatalf("%q became %q", want, got)
		}
	})
}
