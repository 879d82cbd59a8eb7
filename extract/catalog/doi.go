package catalog

import (
	"net/url"
	"strings"

	"linkcheck/extract/doc"
)

// doiURI makes a URI of a DOI that stands alone (DOI Handbook section 3.8);
// "" if it is none, or a URI already.
func doiURI(s string) string {
	s = strings.TrimSpace(s)
	if i := len("doi:"); len(s) > i && strings.EqualFold(s[:i], "doi:") {
		s = strings.TrimSpace(s[i:])
	}
	if !strings.HasPrefix(s, "10.") || strings.IndexByte(s, '/') < 0 || strings.ContainsAny(s, " \t\r\n") {
		return ""
	}
	return "https://doi.org/" + doc.EscapePath(s)
}

// doiOf is the DOI that an address at a resolver asks for, in lower case, since its case
// means nothing (DOI Handbook section 2.4); "" for other addresses.
func doiOf(address string) string {
	_, rest, _ := strings.Cut(strings.ToLower(address), "://")
	host, name, _ := strings.Cut(rest, "/")
	if host != "doi.org" && host != "dx.doi.org" && host != "www.doi.org" {
		return ""
	}
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return name
}
