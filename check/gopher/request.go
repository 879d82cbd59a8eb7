package gopher

import (
	"strings"

	"linkcheck/uri"
)

// requestOf returns the line to send and whether a Gopher+ answer may come.
//
// rfc1738bis section 2.3.4 has "selector TAB search TAB gopher+",
// but real servers refuse an empty search field (REAL-SERVERS D 2), so it is
// sent only where it holds words.
func requestOf(u *uri.Gopher) (request string, plus bool) {
	if u.Plus == nil || *u.Plus == "" {
		return plainRequest(u), false
	}
	words := u.Search != nil && *u.Search != ""
	switch s := *u.Plus; {
	case isForm(s):
		return u.Selector + "\t!", true
	case words:
		return plainRequest(u) + "\t" + s, true
	case s[0] == '!' || s[0] == '$':
		return u.Selector + "\t" + s, true
	default:
		return u.Selector + "\t!", true
	}
}

func plainRequest(u *uri.Gopher) string {
	if u.Search == nil || (*u.Search == "" && u.Type != '7') {
		return u.Selector
	}
	return u.Selector + "\t" + *u.Search
}

// isForm recognizes a Gopher+ string that fetches an ASK form ("?") or submits one
// (a view, TAB, the flag "1" and a block of data): rfc1738bis section 2.3.9.
func isForm(plus string) bool {
	return plus[0] == '?' || strings.ContainsAny(plus, "\t\r\n")
}
