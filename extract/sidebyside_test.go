package extract_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"linkcheck/extract"
)

// Documents of all kinds are read side by side, each by two goroutines, which find the same. With the
// race detector this stands for the tests of the packages below: they start no goroutine, so it has nothing to
// see in them, and make race leaves them out.
func TestSideBySide(t *testing.T) {
	const largest = 100_000 // octets
	var paths []string
	err := filepath.WalkDir("../testdata/corpus", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Size() <= largest {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d documents: %v", len(paths), err)
	}
	var found [2][][]string
	var reading sync.WaitGroup
	for reader := range found {
		found[reader] = make([][]string, len(paths))
		reading.Go(func() {
			for i, path := range paths {
				found[reader][i] = linksOf(t, path)
			}
		})
	}
	reading.Wait()
	all := 0
	for i, path := range paths {
		if all += len(found[0][i]); !slices.Equal(found[0][i], found[1][i]) {
			t.Errorf("%s: one found %q and the other %q", path, found[0][i], found[1][i])
		}
	}
	if all < 1000 {
		t.Errorf("%d links in all", all)
	}
}

func linksOf(t *testing.T, path string) (links []string) {
	f, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer f.Close()
	for l, err := range extract.Document(path, f, extract.Options{}) {
		if err == nil {
			links = append(links, l.URI+" "+l.Locator)
		}
	}
	return links
}
