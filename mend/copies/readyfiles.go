package copies

import (
	"cmp"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"linkcheck/mend/ready"
)

// Ready writes the files of a batch for library systems, and says how many changes or records
// are in none of a system's. dir is the folder as it is shown; table makes a file of rows, for
// OpenRefine.
func (f *Folder) Ready(dir string, batch *ready.Batch, systems []string, table func(rows iter.Seq[[]string]) ([]byte, error), show func(format string, args ...any)) (missing int, err error) {
	for _, system := range systems {
		files, left := batch.Files(system)
		if system == "openrefine" {
			text, err := table(fixRows(batch.Changes()))
			if err != nil {
				return missing, err
			}
			files = []ready.File{{Name: "openrefine.csv", Text: text}}
		}
		for _, made := range files {
			if err := f.Put(made.Name, made.Text); err != nil {
				return missing, err
			}
			show("%s: %s\n", system, filepath.Join(dir, made.Name))
		}
		for _, l := range left {
			c := &l.Change
			show("left: %s: %s\n", strings.Join(slices.DeleteFunc([]string{system, c.Source, c.Record, c.Locator, c.Old}, func(s string) bool { return s == "" }), " "), l.Why)
		}
		missing += len(left)
	}
	return missing, nil
}

// fixRows gives changes as rows of a table of fixes.
func fixRows(changes []ready.Change) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, c := range changes {
			if !yield([]string{cmp.Or(c.Record, c.Source), c.Locator, c.Old, c.New, c.Why}) {
				return
			}
		}
	}
}
