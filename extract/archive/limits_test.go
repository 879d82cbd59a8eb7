package archive_test

import (
	"strings"
	"testing"

	"linkcheck/extract/doc"
	"linkcheck/extract/extracttest"
	"linkcheck/internal/testdoc"
)

func TestTooDeep(t *testing.T) {
	text := "text"
	for range 18 {
		text = testdoc.Gzip(text)
	}
	if got := extracttest.Rows("a.gz", text, doc.Options{}); len(got) != 1 || !strings.HasSuffix(got[0], "nested too deep") {
		t.Errorf("got %q", got)
	}
}
