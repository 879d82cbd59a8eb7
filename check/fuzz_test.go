package check

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A cleaned reply is short, valid, on one line, and clean already.
func FuzzCleanReply(f *testing.F) {
	f.Add("550 no\r\nsuch\tfile")
	f.Add(strings.Repeat("ü", 600))
	f.Add("\xff\u202e\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		c := CleanReply(s)
		if len(c) > maxReply || !utf8.ValidString(c) || strings.ContainsAny(c, "\r\n\t\x00\x1b") || CleanReply(c) != c {
			t.Fatalf("%q -> %q -> %q", s, c, CleanReply(c))
		}
	})
}
