package extracttest

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/internal/testdoc"
)

// CorpusFiles gives the files below a folder of the corpus; a test that reads
// none fails.
func CorpusFiles(t *testing.T, dir string, want func(path string) bool) []string {
	t.Helper()
	root := testdoc.Shared(t, "corpus", dir)
	var out []string
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && want(p) {
			out = append(out, p)
		}
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("%s: %d files, %v", root, len(out), err)
	}
	return out
}

// IsPage says whether a file of the corpus is HTML by its name.
func IsPage(p string) bool {
	ext := strings.ToLower(filepath.Ext(p))
	return ext == ".html" || ext == ".htm"
}
