package host

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// toASCII maps an internationalized name to A-labels (RFC 5891, UTS 46 mapping).
func toASCII(s string) (string, bool) {
	if !utf8.ValidString(s) {
		return "", false
	}
	a, err := idna.Lookup.ToASCII(s)
	return a, err == nil && a != ""
}

// mixedScripts reports a label that mixes letters of scripts that look alike.
func mixedScripts(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		seen := 0
		for _, table := range []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek} {
			if strings.ContainsFunc(label, func(r rune) bool { return unicode.Is(table, r) }) {
				seen++
			}
		}
		if seen > 1 {
			return true
		}
	}
	return false
}
