package mend

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linkcheck/extract"
	"linkcheck/internal/testdoc"
)

// TestRealDocuments changes every place of real documents, one document at a time: what was
// changed is found, and nothing else differs.
func TestRealDocuments(t *testing.T) {
	for _, kind := range []string{"marc", "html"} {
		made, left, damaged, why := 0, 0, 0, map[string]int{}
		err := filepath.WalkDir(testdoc.Shared(t, "corpus", kind), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			octets, err := os.ReadFile(path)
			if err != nil || len(octets) > 1<<20 {
				return err
			}
			all, _ := read(path, octets, extract.Options{})
			var changes []Change
			for i, f := range all {
				if f.Member == "" {
					changes = append(changes, Change{Record: f.Record, Locator: f.Locator, Line: f.Line, Column: f.Column, Old: f.Raw, New: fmt.Sprintf("https://new.example/%d?a=1&b=2", i)})
				}
			}
			got, err := Rewrite(path, octets, extract.Options{}, changes)
			if err != nil {
				return nil // a witness
			}
			made += len(got.Made)
			for _, l := range got.Left {
				if l.Why == errShown {
					continue
				}
				left++
				why[l.Why.Error()]++
				if l.Why == errNotSound {
					damaged++
				}
				t.Logf("%s: %+v: %v", path, changes[l.Change], l.Why)
			}
			if got.Format == "marc" {
				sameBut(t, path, octets, got)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d changed, %d left: %v", kind, made, left, why)
		if made < 50 || left-damaged > made/50 {
			t.Errorf("%s: %d changed, %d left", kind, made, left)
		}
	}
}

// sameBut holds that as many values of a file of MARC differ as were changed, at most.
func sameBut(t *testing.T, path string, octets []byte, got *Copy) {
	before, after := valuesOf(octets), valuesOf(got.Octets)
	differ := 0
	for i := range min(len(before), len(after)) {
		if before[i] != after[i] {
			differ++
			if !strings.Contains(after[i], "https://new.example/") {
				t.Errorf("%s: %q became %q", path, before[i], after[i])
			}
		}
	}
	if len(before) != len(after) || differ > len(got.Made) || len(got.Made) == 0 && !bytes.Equal(octets, got.Octets) {
		t.Errorf("%s: %d values, %d before; %d differ for %d changes", path, len(after), len(before), differ, len(got.Made))
	}
}
