package repair

import (
	"regexp"
	"strings"

	"linkcheck/uri"
)

// The slips of those who type addresses by hand, where only one thing can be
// meant: the scheme or what parts it from the host is misspelt, or it is missing or doubled.
var (
	slipSlashes = regexp.MustCompile(`^(?i:(https?|ftp|gopher|telnet))[:;/\\](?:[:;/\\\s]|%20)*`)
	slipHost    = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]*\.)+([A-Za-z]{2,})\.?(:[0-9]{1,5})?\s*([/\\?#]|$)`)
	slipDOI     = regexp.MustCompile(`^10\.[0-9]{4,9}/\S+$`)
)

// misspelt are schemes that nobody registered, one slip of a key away from one that all
// know.
var misspelt = map[string]string{
	"hhtp": "http", "hppt": "http", "hptt": "http", "htp": "http", "htpp": "http", "htt": "http", "httpp": "http", "htttp": "http",
	"hthp": "http", "httl": "http", "htto": "http", "hhttp": "http", "thtp": "http", "ttp": "http", "ttttp": "http", "tttp": "http", "hrrp": "http",
	"hhtps": "https", "hppts": "https", "hptts": "https", "htps": "https", "htpps": "https", "htts": "https", "httpps": "https", "httpss": "https",
	"htttps": "https", "httsp": "https", "hhttps": "https", "ttps": "https", "fpt": "ftp", "ftpp": "ftp", "gohper": "gopher", "telent": "telnet",
}

// Misspelt says whether a word, in any case, is a scheme that nobody registered, one slip
// of a key away from one that all know: "hppt".
func Misspelt(word string) bool {
	return len(word) <= len("htttps") && misspelt[strings.ToLower(word)] != ""
}

// slipScheme matches a scheme and what parts it from a host.
var slipScheme = regexp.MustCompile(`^([A-Za-z]{3,7})(?::[/\\]{0,3}|//)`)

// wideDomains are those under which one dot makes a host name; elsewhere a file
// may be called so.
var wideDomains = map[string]bool{
	"com": true, "edu": true, "gov": true, "mil": true, "net": true, "org": true, "int": true, "info": true, "test": true, "example": true,
}

// Slips mends a string that uri.Parse refuses, where it is sure what was meant:
// "http:/www.example.org/", "www.example.org/a", a lone DOI. ok reports that it did.
func Slips(s string) (mended string, ok bool) {
	if _, err := uri.Parse(s); err == nil {
		return s, false
	}
	rest := strings.TrimSpace(s)
	scheme := ""
	if m := slipScheme.FindStringSubmatch(rest); m != nil && misspelt[strings.ToLower(m[1])] != "" {
		scheme, rest = misspelt[strings.ToLower(m[1])], rest[len(m[0]):]
	}
	for m := slipSlashes.FindStringSubmatch(rest); m != nil; m = slipSlashes.FindStringSubmatch(rest) { // "http://http://" too
		scheme, rest = strings.ToLower(m[1]), rest[len(m[0]):]
	}
	if scheme == "" && slipDOI.MatchString(rest) {
		scheme, rest = "https", "doi.org/"+rest
	}
	m := slipHost.FindStringSubmatchIndex(rest)
	if m == nil {
		return s, false
	}
	tail := m[6] // where the path begins; blanks before it are dropped
	host, path := strings.TrimSpace(rest[:tail]), strings.ReplaceAll(rest[tail:], `\`, "/")
	if scheme == "" {
		if scheme = schemeByHost(host, strings.ToLower(rest[m[2]:m[3]]), path); scheme == "" {
			return s, false
		}
	}
	mended = scheme + "://" + host + path
	_, err := uri.Parse(mended)
	return mended, err == nil && !strings.ContainsAny(path, " \t")
}

// schemeByHost says which scheme a host without one stands for; "" if it may be
// something else than a host.
func schemeByHost(host, domain, path string) string {
	first, _, _ := strings.Cut(strings.ToLower(host), ".")
	switch {
	case first == "www":
		return "http"
	case first == "ftp", first == "gopher":
		return first
	case wideDomains[domain], len(domain) == 2 && (path != "" || strings.Count(host, ".") > 1):
		return "http"
	}
	return ""
}
