package extracttest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shared is where the corpus lies, beside the repository. A test that needs it
// is skipped by the name of what is missing.
func Shared(t testing.TB, parts ...string) string {
	t.Helper()
	root := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Join(root, "..")
	}
	p := filepath.Join(append([]string{root, "..", "shared"}, parts...)...)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("missing: %s", p)
	}
	return p
}

// CorpusFiles gives the files below a folder of the corpus; a test that reads
// none fails.
func CorpusFiles(t *testing.T, dir string, want func(path string) bool) []string {
	t.Helper()
	root := Shared(t, "corpus", dir)
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
