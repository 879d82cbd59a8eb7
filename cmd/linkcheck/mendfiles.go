package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"linkcheck/internal/exit"
	"linkcheck/internal/mailer"
	"linkcheck/internal/newfile"
	"linkcheck/mend/copies"
	"linkcheck/mend/proof"
	"linkcheck/mend/ready"
	"linkcheck/report"
	"linkcheck/report/byowner"
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
