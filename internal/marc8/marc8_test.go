package marc8_test

import (
	"testing"

	"linkcheck/internal/marc8"
)

func TestDecode(t *testing.T) {
	for _, c := range [][2]string{
		{"plain", "plain"}, {"\xe2e\xe3a", "éâ"}, {"\xa2\xb1", "Øł"}, {"na\xc3\xafve", "naïve"}, {"\x1b$1!0C\x1b(Bx", "\uFFFDx"},
		{"\x1b(NmIR\x1bs!", "Мир!"}, {"\x1b)N\xed\xc9\xd2 \x1b)!E\xe2e", "Мир é"}, {"\x1b(2ylem 5\x1b(B", "שלום 5"[:8] + " 5"}, {"\x1b(3GdS\x1b(Bx", "السx"}, {"\x1bg\x61\x1bsb", "\uFFFDb"}, {"\xe8", "\u0308"},
	} {
		if got := marc8.Decode([]byte(c[0])); got != c[1] {
			t.Errorf("marc8(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}
