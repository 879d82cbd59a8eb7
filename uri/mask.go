package uri

import (
	"slices"
	"strings"
	"unicode"

	"linkcheck/uri/internal/chars"
)

// Mask replaces the password of a URI string, if it has one, by "***". It works
// on invalid strings too, and on URIs inside URIs. An empty password hides nothing
// and stays: "foo:@" and "foo@" are different users (rfc1738bis section 2.1).
func Mask(s string) string {
	if strings.IndexByte(s, '@') < 0 {
		return s
	}
	var b strings.Builder
	s = s[maskStart(&b, s):]
	for {
		i := strings.Index(s, "//")
		if i < 0 {
			break
		}
		b.WriteString(s[:i+2])
		s = s[i+2:]
		if from, to := password(s); to > 0 {
			b.WriteString(s[:from] + "***")
			s = s[to:]
		}
	}
	b.WriteString(s)
	return b.String()
}

// maskStart writes s up to the end of a password that follows a scheme without "//", or
// with another spelling of it, and gives the length of what it read: 0 if there is none.
func maskStart(b *strings.Builder, s string) int {
	n := chars.SchemeLen(s) + 1
	if n == 0 || strings.HasPrefix(s[n:], "//") {
		return 0
	}
	if d := parsed(s[:n-1]); d == nil || d.syntax == syntaxFlat || d.Name == "news" || d.Name == "snews" {
		return 0
	}
	n += len(s[n:]) - len(strings.TrimLeft(s[n:], `/\`))
	from, to := password(s[n:])
	if to == 0 {
		return 0
	}
	b.WriteString(s[:n+from] + "***")
	return n + to
}

// password finds the password in what follows "//"; to is the offset of its '@', or 0.
// A '/' or '?' in it makes the URI invalid but the password no less secret, so
// only a port or the end of the authority stops the search.
func password(s string) (from, to int) {
	auth := s
	if i := strings.IndexAny(auth, "/?# \t\r\n\"<>"); i >= 0 {
		auth = auth[:i]
	}
	colon := strings.IndexByte(auth, ':')
	if colon < 0 {
		return 0, 0
	}
	if at := strings.LastIndexByte(auth, '@'); at >= 0 {
		if at <= colon+1 {
			return 0, 0
		}
		return colon + 1, at
	}
	if chars.AllIn(auth[colon+1:], chars.Digit) || auth[0] == '[' {
		return 0, 0
	}
	rest, _, _ := strings.Cut(s, "//")
	if i := strings.IndexAny(rest, " \t\r\n\"<>"); i >= 0 {
		rest = rest[:i]
	}
	at := strings.LastIndexByte(rest, '@')
	if at < colon {
		return 0, 0
	}
	return colon + 1, at
}

// Clickable reports whether every browser can open an address: it is http, https or
// ftp, and whole.
func Clickable(url string) bool {
	if strings.ContainsAny(url, "<>\"\ufffd") || strings.IndexFunc(url, unicode.IsSpace) >= 0 {
		return false
	}
	scheme, _, _ := strings.Cut(url, "://")
	return slices.Contains([]string{"http", "https", "ftp"}, strings.ToLower(scheme))
}
