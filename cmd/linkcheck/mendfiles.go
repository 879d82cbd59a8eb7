package main

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"linkcheck/internal/exit"
	"linkcheck/mend/copies"
	"linkcheck/mend/proof"
	"linkcheck/mend/ready"
	"linkcheck/report/table"
	"linkcheck/store"
)

// readyFiles writes the files for library systems; what is in none of a system's is named.
func (a *app) readyFiles(m *mendFlags, batch *ready.Batch, folder *copies.Folder, sum *copies.Sum) error {
	for _, system := range m.systems {
		files, left := batch.Files(system)
		if system == "openrefine" {
			var text bytes.Buffer
			if err := table.WriteFixCSV(&text, m.report.o.Raw, fixRows(batch.Changes())); err != nil {
				return err
			}
			files = []ready.File{{Name: "openrefine.csv", Text: text.Bytes()}}
		}
		for _, f := range files {
			if err := folder.Put(f.Name, f.Text); err != nil {
				return err
			}
			a.showMend("%s: %s\n", system, filepath.Join(m.out, f.Name))
		}
		for _, l := range left {
			c := &l.Change
			a.showMend("left: %s: %s\n", strings.Join(slices.DeleteFunc([]string{system, c.Source, c.Record, c.Locator, c.Old}, func(s string) bool { return s == "" }), " "), l.Why)
		}
		sum.Left += len(left)
	}
	return nil
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

// redirects prints the map of redirects; what its form cannot say is named.
func (a *app) redirects(ctx context.Context, m *mendFlags, sources []copies.Source) error {
	var left []string
	err := a.toFile(ctx, "-", func(w io.Writer) (err error) {
		left, err = copies.WriteRedirects(w, m.redirects, sources)
		return err
	})
	for _, address := range left {
		a.log.Warn("left: %s: nginx would take its $ for a variable", address)
	}
	if err == nil && len(left) > 0 {
		return exit.With(exit.Partial)
	}
	return err
}

// archivedWords are what --archived may be. All but the first and the last are ways of mend.
var archivedWords = []string{"replace", "add", "note", "uncheck", "uncheck-x", "keep"}

// archivedCopies gives the function that finds the archived copy for a place of a link, among
// what reports were told by archives.
func archivedCopies(ctx context.Context, storePath string) (func(*store.Link, *store.Mention) (url, date string), error) {
	known, err := readCopies(ctx, copiesFile(storePath))
	if err != nil {
		return nil, exit.Usage("%s: %w", copiesFile(storePath), err)
	}
	return func(l *store.Link, _ *store.Mention) (url, date string) {
		asked := cmp.Or(l.Target, l.URL)
		page, _, _ := strings.Cut(asked, "#") // a copy is one of the whole page
		url = cmp.Or(known.Copy(asked), known.Copy(page))
		return url, proof.DateOf(url)
	}, nil
}
