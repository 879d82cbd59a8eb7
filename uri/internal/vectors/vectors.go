// Package vectors reads the rows of testdata/corpus/uri, and those beside the
// repository where they are there, for the tests below uri.
package vectors

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Dirs lists the folders of vectors: those that ship, then those beside the repository.
func Dirs() []string {
	root := ".." // from package uri; the others stand one folder below it
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		root = filepath.Join(root, "..")
	}
	return []string{filepath.Join(root, "testdata", "corpus", "uri"), filepath.Join(root, "..", "shared", "vectors")}
}

// Read gives the rows of a file without its header; a short row is filled up.
func Read(t testing.TB, path string) [][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	want := strings.Count(lines[0], "\t")
	var rows [][]string
	for _, line := range lines[1:] {
		line = strings.TrimRight(line, "\r")
		fill := strings.Repeat("\t", max(0, want-strings.Count(line, "\t")))
		rows = append(rows, strings.Split(line+fill, "\t"))
	}
	if len(rows) == 0 {
		t.Fatalf("%s: no rows", path)
	}
	return rows
}

// Each runs f over the rows of the named file of each folder. The file must ship; the
// folder beside the repository need not have it.
func Each(t *testing.T, name string, f func(t *testing.T, rows [][]string)) {
	t.Helper()
	for i, dir := range Dirs() {
		path := filepath.Join(dir, name+".tsv")
		if _, err := os.Stat(dir); err != nil && i > 0 {
			t.Run("absent", func(t *testing.T) { t.Skipf("%s is absent", dir) })
			continue
		}
		if _, err := os.Stat(path); err != nil && i > 0 {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			rows := Read(t, path)
			f(t, rows)
			t.Logf("%s: %d rows", name, len(rows))
		})
	}
}

// All gives every row of every file, by the path of the file.
func All(t testing.TB) map[string][][]string {
	t.Helper()
	all := map[string][][]string{}
	for _, dir := range Dirs() {
		files, err := filepath.Glob(filepath.Join(dir, "*.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			all[path] = Read(t, path)
		}
	}
	return all
}

// Seeds adds every row to a fuzz target.
func Seeds(f *testing.F, add func(row []string)) {
	f.Helper()
	n := 0
	for _, rows := range All(f) {
		for _, row := range rows {
			if len(row) > 2 {
				add(row)
				n++
			}
		}
	}
	if n == 0 {
		f.Fatal("no rows")
	}
}
