package uri

import (
	"slices"
	"strings"
	"unicode"
)

// Clickable reports whether every browser can open an address: it is http, https or
// ftp, and whole.
func Clickable(url string) bool {
	if strings.ContainsAny(url, "<>\"\ufffd") || strings.IndexFunc(url, unicode.IsSpace) >= 0 {
		return false
	}
	scheme, _, _ := strings.Cut(url, "://")
	return slices.Contains([]string{"http", "https", "ftp"}, strings.ToLower(scheme))
}
