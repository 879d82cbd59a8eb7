package web

import (
	"slices"
	"strings"
	"testing"
)

// FuzzFinder: the finder finds what a search for each text finds.
func FuzzFinder(f *testing.F) {
	f.Add("he she his hers", "her", "uSHErs")
	f.Add("aab ab b", "aa", "aaab")
	f.Add("abab babb", "abb ba", "ababb")
	f.Add("", " a", "b")
	f.Add("\xff\x00 \xc3\xa9", "\xc3", "\xc3\xa9\xff\x00")
	f.Fuzz(func(t *testing.T, one, two, text string) {
		all := [][]string{strings.Split(one, " "), strings.Split(two, " ")}
		var want sets
		for i, texts := range all {
			if slices.ContainsFunc(texts, func(s string) bool { return s != "" && strings.Contains(folded(text), folded(s)) }) {
				want |= 1 << i
			}
		}
		if got := newFinder(all...).in(text); got != want {
			t.Errorf("%q in %q: %b, want %b", all, text, got, want)
		}
	})
}
