package uri

import "strings"

// Mask replaces the password of a URI string, if it has one, by "***". It works
// on invalid strings too, and on URIs inside URIs.
func Mask(s string) string {
	if strings.IndexByte(s, '@') < 0 {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "//")
		if i < 0 {
			break
		}
		b.WriteString(s[:i+2])
		s = s[i+2:]
		if from, to := password(s); to > 0 {
			b.WriteString(s[:from])
			b.WriteString("***")
			s = s[to:]
		}
	}
	b.WriteString(s)
	return b.String()
}

// password finds the password of what follows "//": the end is the '@', or 0.
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
		if at < colon {
			return 0, 0
		}
		return colon + 1, at
	}
	if allIn(auth[colon+1:], cDigit) || auth[0] == '[' {
		return 0, 0
	}
	rest := s
	if i := strings.IndexAny(rest, " \t\r\n\"<>"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.Index(rest, "//"); i >= 0 {
		rest = rest[:i]
	}
	at := strings.LastIndexByte(rest, '@')
	if at < colon {
		return 0, 0
	}
	return colon + 1, at
}
