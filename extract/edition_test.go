package extract_test

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/extract"
)

// TestEdition: a document that gives other links than before, or gives them elsewhere,
// belongs to another edition, so that sources that have not changed are read again.
// testdata/edition.tsv has the sum of what is found in each document that is shipped.
func TestEdition(t *testing.T) {
	data, err := os.ReadFile("testdata/edition.tsv")
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, sum, _ := strings.Cut(strings.TrimSpace(line), "\t")
		sums[name] = sum
	}
	for _, pattern := range []string{"demo/*", "rfc/*"} {
		files, err := filepath.Glob("../testdata/corpus/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			name := strings.TrimPrefix(filepath.ToSlash(file), "../testdata/corpus/")
			switch got := sumOf(t, file); sums[name] {
			case got:
			case "":
				t.Errorf("a new document: if what is found in it is right, its line is\n%s\t%s", name, got)
			default:
				t.Errorf("%s gives other links than before: raise Edition, then write its sum %s", name, got)
			}
			delete(sums, name)
		}
	}
	for name := range sums {
		t.Errorf("testdata/edition.tsv names %s, which is not there", name)
	}
}

// sumOf sums what is found in a file, and where.
func sumOf(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum := fnv.New64a()
	for found, err := range extract.Document(filepath.Base(file), f, extract.Options{}) {
		fmt.Fprintf(sum, "%q %q %q %d %d %q %q %q %v\n", found.URI, found.Raw, found.Member, found.Line, found.Column, found.Record, found.Locator, found.How, err)
	}
	return fmt.Sprintf("%016x", sum.Sum64())
}
