package extract_test

import (
	"slices"
	"testing"

	"linkcheck/extract"
	"linkcheck/extract/doc"
)

// Readers name the formats of parts: each name is in the list.
func TestNestedFormats(t *testing.T) {
	names := []string{"text", "html", "gophermap", "gzip", "compress"}
	for _, kind := range []string{"text/plain", "text/html", "text/xml", "message/rfc822", "application/rtf"} {
		names = append(names, doc.FormatOf(kind))
	}
	for _, name := range names {
		if name != "auto" && !slices.Contains(append(extract.FormatNames(), extract.ContainerNames()...), name) {
			t.Errorf("no format is called %q", name)
		}
	}
}
