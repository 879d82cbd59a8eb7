package catalog

import (
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
