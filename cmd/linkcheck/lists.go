package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"linkcheck/extract"
	"linkcheck/ingest"
	"linkcheck/internal/exit"
	"linkcheck/internal/mailer"
	"linkcheck/internal/newfile"
	"linkcheck/internal/plain"
	"linkcheck/lint"
	"linkcheck/report"
	"linkcheck/report/byowner"
	"linkcheck/report/faults"
	"linkcheck/report/table"
	"linkcheck/report/text"
	"linkcheck/store"
)

// warnUnknown says which names are no collection or root, and who mends nothing: the report
// alone would be empty without a reason.
func (a *app) warnUnknown(ctx context.Context, st *store.Store, o *report.Options) error {
	var owners map[string]bool
	if len(o.Owners) > 0 {
		var err error
		if owners, err = byowner.Known(ctx, st, *o, o.Owners); err != nil {
			return reportFailed(err)
		}
	}
	sentences, err := o.Unknown(st, owners)
	for _, sentence := range sentences {
		a.log.Warn("%s", sentence)
	}
	return reportFailed(err)
}

// bareForms gives the forms of a report that stand without a FILE beside --split-owners the name
// "-": a flag of pflag's that may stand without a value takes none from the next word.
func bareForms(args []string) []string {
	if !slices.ContainsFunc(args, func(w string) bool { return w == "--split-owners" || strings.HasPrefix(w, "--split-owners=") }) {
		return args
	}
	list := slices.Clone(args)
	for i, w := range list {
		form, ok := strings.CutPrefix(w, "--")
		bare := i+1 == len(list) || strings.HasPrefix(list[i+1], "--")
		if ok && bare && slices.ContainsFunc(reportForms[:], func(f reportForm) bool { return f.name == form }) {
			list[i] += "=-"
		}
	}
	return list
}

// splitOwners writes the forms of a report into a folder, for each who mends links, and an index
// of which file is whose.
func (a *app) splitOwners(ctx context.Context, st *store.Store, r *reportFlags) error {
	rep, err := report.Build(ctx, st, r.o)
	if err != nil {
		return reportFailed(err)
	}
	if len(rep.OwnerRows) == 0 {
		return exit.Fail(exit.BadUsage, "'linkcheck run --owners' says who mends what", "--split-owners: nobody is known who mends these links")
	}
	if err := os.MkdirAll(r.split, 0o777); err != nil {
		return cannotWrite(r.split, err)
	}
	owners := make([]string, len(rep.OwnerRows))
	for i, row := range rep.OwnerRows {
		owners[i] = row.Owner
	}
	var files [][]string
	for i, name := range byowner.FileNames(owners) {
		o := r.o
		if o.Owners = owners[i : i+1]; o.Owners[0] == "" {
			o.Title = rep.Words.Get("root.unowned")
		}
		var names []string
		for _, form := range reportForms {
			if *r.outputs[form.name] == "" {
				continue
			}
			write, whole := form.write, name+form.ending(r.tsv)
			if form.name == "csv" && r.tsv {
				write = table.WriteTSV
			}
			fill := func(w io.Writer) error { return write(ctx, w, st, o) }
			if !form.packed {
				fill = escaped(fill)
			}
			if err := a.ownFile(ctx, r.split, whole, fill); err != nil {
				return err
			}
			names = append(names, whole)
		}
		if len(names) == 0 {
			return exit.Usage("--split-owners wants a form, such as --html or --xlsx")
		}
		files = append(files, names)
	}
	return a.ownFile(ctx, r.split, "index.tsv", escaped(func(w io.Writer) error { return table.WriteOwners(w, rep, files) }))
}

// ownFile writes a file of a folder; a link that stands there under its name is replaced itself.
func (a *app) ownFile(ctx context.Context, dir, name string, write func(io.Writer) error) error {
	path := filepath.Join(dir, name)
	if err := replaceOwn(ctx, path, path, newfile.Shared, write); err != nil {
		return err
	}
	a.log.Info("wrote %s", path)
	return nil
}

// ending is the ending of a file of the form.
func (f *reportForm) ending(tsv bool) string {
	switch {
	case f.name == "fixes":
		return ".fixes.tsv"
	case f.name == "metrics":
		return ".prom"
	case f.name == "csv" && tsv:
		return ".tsv"
	}
	return "." + f.name
}

// mailOwners mails to each who mends links, and has an address, what is new of his, and only that.
// One who goes by several names gets one mail.
func (a *app) mailOwners(ctx context.Context, st *store.Store, n *storeRun, o report.Options, rep *report.Report) error {
	known := map[string]bool{}
	for _, r := range o.Roots {
		known[r.Owner] = true
	}
	lists := map[string][]string{}
	for _, row := range rep.OwnerRows {
		address := n.reading.Rules.Address(row.Owner, n.reading.FromDocuments || known[row.Owner])
		if _, err := mailer.Addresses(address); address == "" || row.Changed == 0 {
			continue
		} else if err != nil {
			a.log.Warn("%s has no address to mail to: %s", row.Shown, exit.Text(err))
			continue
		}
		lists[address] = append(lists[address], row.Owner)
	}
	var failed error
	for _, address := range sortedKeys(lists) {
		o.Owners = lists[address]
		own, err := report.Build(ctx, st, o)
		if err != nil {
			return errors.Join(reportFailed(err), failed)
		}
		mail := n.mail
		mail.to = address
		if err := mail.send(ctx, n.server, own.ChangedLine(), "", own); err != nil {
			failed = cmp.Or(failed, err)
			a.log.Warn("%s", exit.Text(err))
		}
	}
	return failed
}

// lintDocuments tells of the files at paths, and of nothing else.
func (a *app) lintDocuments(ctx context.Context, l *lintFlags, paths []string) error {
	if r := &l.report.o; len(r.Collections)+len(r.RootNames)+len(r.Owners) > 0 {
		return exit.Usage("--collection, --root and --owner choose from a store: give --store as well")
	}
	a.setPreprocess(&l.o)
	l.o.Faults = true
	scope, err := report.NewScope(ctx, faults.Nothing{}, l.report.o)
	if err != nil {
		return reportFailed(err)
	}
	founds := ingest.Extract(ctx, paths, l.which, l.o)
	if slices.Equal(paths, []string{"-"}) {
		l.o.Context = ctx
		founds = ingest.Document("-", a.stdin, l.o)
	}
	failed := 0
	rows := faults.Documents(func(yield func(extract.Found, error) bool) {
		for f, err := range founds {
			if !a.showSecrets {
				f = extract.WithoutSecrets(f)
			}
			if !yield(f, err) {
				return
			}
		}
	}, func(err error) {
		if _, foreign := errors.AsType[*extract.Foreign](err); !foreign && !errors.Is(err, ingest.ErrNotFollowed) && ctx.Err() == nil {
			failed++
		}
		a.log.Warn("%s", exit.Text(err))
	})
	if err := a.writeFaults(ctx, l, scope, rows); ctx.Err() != nil || failed == 0 {
		return cmp.Or(ctx.Err(), err)
	}
	return exit.Fail(exit.Partial, "see the lines above for file and place; the rest was read", "%s could not be read in full", plain.Plural(failed, "place", "places"))
}

// writeFaults writes rows as the flags say.
func (a *app) writeFaults(ctx context.Context, l *lintFlags, scope *report.Scope, rows iter.Seq[lint.Row]) error {
	counted := func(yield func(lint.Row) bool) {
		for r := range rows {
			r.Value, r.Repair = a.maskText(r.Value), a.maskText(r.Repair)
			if l.found++; !yield(r) {
				return
			}
		}
	}
	address := func(r *lint.Row) string {
		return scope.RecordAddress(&store.Mention{Record: r.Record, Collection: r.Collection})
	}
	err := a.toFile(ctx, "-", func(w io.Writer) error {
		switch {
		case l.json:
			return table.WriteFaultsJSON(w, counted, address)
		case l.csv:
			return table.WriteFaultsCSV(w, l.report.o.Raw, counted, address)
		}
		return text.WriteFaults(w, scope.Words, counted)
	})
	if err != nil {
		return err
	}
	if !l.json && !l.csv {
		a.done("%s\n", plain.Plural(l.found, "fault", "faults"))
	}
	if l.failOn == "any" && l.found > 0 {
		return exit.With(exit.Matched)
	}
	return nil
}

// within gives which sources of a store the paths name; all where there are none.
func within(st *store.Store, paths []string) (func(path string) bool, error) {
	if len(paths) == 0 {
		return func(string) bool { return true }, nil
	}
	whole := make([]string, len(paths))
	for i, p := range paths {
		var err error
		if whole[i], err = filepath.Abs(p); err != nil {
			return nil, exit.Usage("%w", err)
		}
	}
	known := make([]bool, len(paths))
	for src, err := range st.Sources() {
		if err != nil {
			return nil, storeFailed(err)
		}
		for i, p := range whole {
			known[i] = known[i] || ingest.Below(src.Path, p)
		}
	}
	if i := slices.Index(known, false); i >= 0 {
		return nil, exit.Fail(exit.BadUsage, "a run reads it first", "%s: the store knows no such source", paths[i])
	}
	return func(path string) bool {
		return slices.ContainsFunc(whole, func(p string) bool { return ingest.Below(path, p) })
	}, nil
}
