package pdf_test

import (
	"strings"
	"testing"
	"time"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
)

// TestHostile reads the rows of hostile.tsv that are PDF, and holds the laws for them.
func TestHostile(t *testing.T) {
	n := 0
	for _, h := range extracttest.HostileDocuments(t) {
		if !strings.HasPrefix(h.Name, "pdf ") {
			continue
		}
		n++
		begin := time.Now()
		extracttest.Laws(t, h.File, h.Document(256<<10), doc.Options{})
		t.Logf("%s: %s", h.Name, time.Since(begin).Round(time.Millisecond))
	}
	if n < 10 {
		t.Errorf("%d rows", n)
	}
}
