package proxied

import (
	"fmt"
	"net/url"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/internal/chars"
)

// isWeb says whether a link is one of a web server.
func isWeb(url string) bool { return begins(url, "http://") || begins(url, "https://") }

// begins says whether a link begins with a scheme, in either case.
func begins(link, scheme string) bool {
	return len(link) >= len(scheme) && strings.EqualFold(link[:len(scheme)], scheme)
}

// afterScheme is the length of a scheme and "://" at the beginning of an address; 0 if it
// has none.
func afterScheme(s string) int {
	scheme, _, ok := strings.Cut(s, "://")
	if !ok || chars.SchemeLen(scheme+":") != len(scheme) {
		return 0
	}
	return len(scheme) + len("://")
}

// isTarget says whether a text is an address that a proxy can lead to.
func isTarget(s string) bool {
	u, err := uri.Parse(s)
	if err != nil {
		return false
	}
	at, ok := u.Endpoint()
	return ok && at.Host != ""
}

// hostOf is the host of a web address, and where it begins. With a user or a port there is
// none: no rule of a host has these.
func hostOf(link string) (name string, at int) {
	at = afterScheme(link)
	end := strings.IndexAny(link[at:]+"/", "/?#")
	if name = link[at : at+end]; strings.ContainsAny(name, "@:[{}") {
		return "", at
	}
	return name, at
}

// isEscaped says whether an address begins with its scheme and an escaped "://".
func isEscaped(s string) bool {
	i := strings.IndexByte(s, '%')
	return i > 0 && chars.SchemeLen(s[:i]+":") == i && len(s) > i+9 && strings.EqualFold(s[i:i+9], "%3a%2f%2f")
}

// unescape undoes the escapes of the value of a parameter, and escapes what no address
// may hold.
func unescape(value string) (string, bool) {
	s, err := url.PathUnescape(value)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// dotted undoes what hyphened does.
func dotted(name string) string {
	return strings.NewReplacer("--", "-", "-", ".").Replace(name)
}

// hyphened writes a host as one label.
func hyphened(name string) string {
	return strings.NewReplacer("-", "--", ".", "-").Replace(name)
}
