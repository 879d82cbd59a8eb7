package copies

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"linkcheck/extract"
	"linkcheck/ingest"
	"linkcheck/mend/proof"
	"linkcheck/report"
	"linkcheck/store"
)

// Known lists the files that a store knows; those that are not at one of the whole paths, if
// there are any, are only to be kept clear of. missing is a path at which it knows none.
func Known(known iter.Seq2[store.Source, error], paths []string) (list []Source, missing string, err error) {
	met := make([]bool, len(paths))
	for src, err := range known {
		if err != nil {
			return nil, "", err
		}
		n := slices.IndexFunc(paths, func(p string) bool { return ingest.Below(src.Path, p) })
		if src.Remote != 0 || !src.Gone.IsZero() {
			continue
		}
		if n >= 0 {
			met[n] = true
		}
		list = append(list, Source{Path: src.Path, Name: src.Name, Root: src.Root, Aside: len(paths) > 0 && n < 0})
	}
	if n := slices.Index(met, false); n >= 0 {
		missing = paths[n]
	}
	return list, missing, nil
}

// Passed counts what is neither changed nor left: it was not asked for, or cannot be had.
type Passed struct {
	Unproven int // places whose fix is not proven; they are shown
	Hidden   int // places or rows with a secret
	Unmet    int // rows without a place, sources that could not be read
}

// FromStore gives the sources the fixes that are proven of their links.
func (o *Options) FromStore(ctx context.Context, scope *report.Scope, wanted proof.Options, sources []Source) (p Passed, err error) {
	at := map[string]*Source{}
	for i := range sources {
		at[sources[i].Path] = &sources[i]
	}
	err = proof.Find(ctx, scope, wanted, func(f proof.Fix) error {
		s := at[f.At.Path]
		if s == nil || s.Aside {
			return nil
		}
		found := extract.Found{Record: f.At.Record, Locator: f.At.Locator, Line: f.At.Line, Column: f.At.Column, Raw: f.At.Raw}
		fix := Fix{Change: ChangeAt(&found, f.New), Why: fmt.Sprintf("%s: %s", f.Kind, f.Proof)}
		fix.Trim, fix.Way, fix.Date = f.Trim, f.Way, f.Date
		switch {
		case f.Hidden:
			p.Hidden++
		case !f.Proven && f.Kind == proof.Archived: // asked for by a person
			p.Unmet++
			o.Show("left: %s: %s: %s\n", fix.place(*s), fix.Old, fix.Why)
		case !f.Proven:
			p.Unproven++
			o.Show("not proven: %s: %s -> %s: %s\n", fix.place(*s), fix.Old, fix.New, fix.Why)
		default:
			s.Fixes = append(s.Fixes, fix)
		}
		return nil
	})
	return p, err
}

// FromTable gives the sources the fixes that the rows of a table want.
func (o *Options) FromTable(ctx context.Context, table []byte, sources []Source) (p Passed, err error) {
	rows, masked, err := ParseFixes(table)
	if err != nil {
		return p, err
	}
	p.Hidden, p.Unmet = masked, masked
	for i := range sources {
		s := &sources[i]
		if s.Aside {
			continue
		}
		founds, err := o.Founds(ctx, s.Path)
		if err != nil {
			p.Unmet++
			o.Show("left: %s: %s\n", s.Path, err)
		}
		s.Fixes = Wanted(rows, [2]string{s.Name, s.Path}, founds)
	}
	for _, r := range rows {
		if !r.Used {
			p.Unmet++
			o.Show("left: %s %s: %s -> %s: there is no such place\n", r.Record, r.Locator, r.Old, r.New)
		}
	}
	return p, nil
}

// UndoRows are the rows of a table of fixes that takes back what stands in copies.
func UndoRows(sources []Source) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, s := range sources {
			for _, f := range s.Fixes {
				if !yield(undoRow(s, f)) {
					return
				}
			}
		}
	}
}
