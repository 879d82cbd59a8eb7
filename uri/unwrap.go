package uri

import "strings"

// wrapped reports that s bears the marks of a wrapper.
func wrapped(s string) bool {
	return strings.HasPrefix(s, "<") || strings.HasPrefix(s, "URL:") || strings.HasPrefix(s, "UDI=") || strings.ContainsAny(s, "\r\n")
}

// Unwrap removes what old documents wrap a reference in.
func Unwrap(text string) (cleaned string, codes []string) { return text, nil }
