package testdoc

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared is a file or folder of the collection beside the project, as seen from the
// package under test. A test that needs it is skipped by the name of what is missing.
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
