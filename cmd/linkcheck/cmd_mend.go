package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"linkcheck/extract"
	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/openfile"
	"linkcheck/internal/plain"
	"linkcheck/internal/readflags"
	"linkcheck/mend"
	"linkcheck/mend/copies"
	"linkcheck/mend/proof"
	"linkcheck/mend/ready"
	"linkcheck/report"
	"linkcheck/report/table"
	"linkcheck/uri/secret"
)

// mendFlags say what is mended, and where the copies go.
type mendFlags struct {
	report           reportFlags
	o                extract.Options
	reading          readflags.Flags
	apply, prefixes  []string
	fixes, undo, out string
	diff, write, all bool
	redirects        string
	archived         string
	systems          []string
}

const mendHelp = `Make corrected copies of the sources that the store knows, or of those at PATH: only the
octets of proven addresses differ, and the lengths that follow from them. Without --write
it shows what would change, place by place. The sources stay as they are.

What is proven, and what becomes of each format, stands in docs/MEND.md. Mail, texts, web
archives and what is packed are witnesses and are never rewritten.`

func cmdMend(a *app) *cobra.Command {
	m := &mendFlags{}
	cmd := &cobra.Command{
		Use:   "mend [PATH...]",
		Short: "Corrected copies of the sources: only proven addresses differ",
		Long:  mendHelp,
		Example: `  linkcheck mend --store library.db
  linkcheck mend --store library.db --write --out mended opac.mrc
  linkcheck mend --store library.db --apply archived --archived add --write --out mended
  linkcheck mend --store library.db --fixes fixes.tsv --write --out mended
  linkcheck mend --store library.db --for koha --out batch --record-id '999$c'
  linkcheck mend --undo mended`,
		RunE: func(cmd *cobra.Command, paths []string) error { return a.mend(cmd.Context(), m, paths) },
	}
	f := cmd.Flags()
	storeFlag(cmd, &m.report.store)
	m.report.chooses(cmd)
	f.StringSliceVar(&m.report.o.Only, "only", nil, "only links of these `WORDS`: "+strings.Join(report.OnlyWords(), " "))
	f.StringSliceVar(&m.apply, "apply", nil, "the `KINDS` of fixes: moves, repairs, prefixes, archived (default moves,repairs)")
	f.StringVar(&m.archived, "archived", "keep", "`WHAT` becomes of dead addresses: "+strings.Join(archivedWords, ", "))
	f.StringArrayVar(&m.prefixes, "prefix", nil, "addresses below OLD are below NEW now, `OLD=NEW` (repeatable)")
	f.StringVar(&m.fixes, "fixes", "", "apply the rows of this `FILE`, as report --fixes wrote it, and no others")
	f.StringVar(&m.undo, "undo", "", "take back what stands in the copies in `DIR`: print it as fixes, or write copies with --write")
	f.BoolVar(&m.diff, "diff", false, "show what would change (the default)")
	f.BoolVar(&m.write, "write", false, "write the copies into --out")
	f.StringVar(&m.out, "out", "", "`DIR` for the copies: a new or empty one, or one that an earlier mend filled")
	f.BoolVar(&m.all, "all", false, "copies of all records and files, not only of those that change")
	f.StringVar(&m.redirects, "redirects", "", "print where old addresses lead now, for servers of mirrors, in this `FORM`: "+strings.Join(copies.RedirectForms, " "))
	f.StringSliceVar(&m.systems, "for", nil, "write files into --out for these `SYSTEMS`: "+strings.Join(ready.Systems, " "))
	flags.Completes(cmd, "for", ready.Systems)
	flags.Completes(cmd, "archived", archivedWords)
	f.BoolVar(&m.report.o.Raw, "raw", false, "with --undo or --for, for programs: do not guard cells that a spreadsheet would take for formulas")
	m.reading.Register(cmd, &m.o)
	flags.Now(cmd, &m.report.now)
	return cmd
}

// mend shows or writes corrected copies.
func (a *app) mend(ctx context.Context, m *mendFlags, paths []string) error {
	wanted, err := m.validate(ctx, paths)
	if err != nil {
		return err
	}
	o := copies.Options{Extract: m.o, All: m.all || m.undo != "", Show: a.showMend}
	if m.redirects != "" { // what it prints is for a program
		o.Show = func(string, ...any) {}
	}
	var sources []copies.Source
	var passed copies.Passed
	if m.undo != "" {
		if sources, err = copies.Undo(m.undo); err != nil {
			return exit.Usage("--undo: %w", err)
		}
		if !m.write {
			return a.toFile(ctx, "-", func(w io.Writer) error { return table.WriteFixRows(w, m.report.o.Raw, copies.UndoRows(sources)) })
		}
	} else if sources, passed, err = a.planMend(ctx, m, &o, wanted, paths); err != nil {
		return err
	}
	if m.redirects != "" {
		return a.redirects(ctx, m, sources)
	}
	var folder *copies.Folder
	if m.out != "" {
		if folder, err = copies.Open(m.out, sources); err != nil {
			return exit.Usage("--out: %w", err)
		}
	}
	if m.write {
		o.Folder = folder
	}
	if len(m.systems) > 0 {
		o.Ready = &ready.Batch{}
	}
	sum, err := copies.Mend(ctx, sources, o)
	if err == nil && folder != nil {
		left, failed := folder.Ready(m.out, o.Ready, m.systems, m.table, a.showMend)
		sum.Left += left
		err = errors.Join(failed, folder.Close())
	}
	if err != nil {
		return cannotWrite(m.out, err)
	}
	a.sumMend(m, &sum, &passed)
	if sum.Left+passed.Unmet > 0 {
		return exit.With(exit.Partial)
	}
	return nil
}

// showMend prints lines, without secrets; what stands in documents breaks none of them.
func (a *app) showMend(format string, args ...any) {
	for i, arg := range args {
		args[i] = escape.Line(a.maskText(fmt.Sprint(arg)))
	}
	escape.Printf(a.stdout, format, args...)
}

// prefixForm is where the new prefix begins in the value of --prefix. Where it may be in two
// places, nobody knows which one is meant.
var prefixForm = regexp.MustCompile(`=[A-Za-z][A-Za-z0-9+.-]*://`)

// validate checks the flags, and gives which fixes are wanted.
func (m *mendFlags) validate(ctx context.Context, paths []string) (o proof.Options, err error) {
	if err := m.reading.Complete(ctx, &m.o); err != nil {
		return o, err
	}
	switch {
	case m.write && m.diff:
		return o, exit.Usage("--write and --diff: give one")
	case len(m.systems) > 0 && (m.diff || m.undo != "" || m.redirects != ""):
		return o, exit.Usage("--for stands without --diff, --undo and --redirects")
	case len(m.systems) > 0 && m.out == "":
		return o, exit.Usage("--for wants --out DIR for its files")
	case len(m.systems) == 0 && m.write != (m.out != ""):
		return o, exit.Usage("--write and --out DIR go together")
	case m.redirects != "" && (m.write || m.diff || m.undo != ""):
		return o, exit.Usage("--redirects stands without --diff, --write and --undo")
	case m.redirects != "" && !slices.Contains(copies.RedirectForms, m.redirects):
		return o, exit.Usage("--redirects: no form %q; there are %s", m.redirects, strings.Join(copies.RedirectForms, ", "))
	case !slices.Contains(archivedWords, m.archived):
		return o, exit.Usage("--archived: there is no %q, but %s", m.archived, strings.Join(archivedWords, ", "))
	case m.fixes != "" && m.narrowed():
		return o, exit.Usage("--fixes applies its rows and no others: it stands without --only, --collection, --root, --owner, --apply, --prefix and --archived")
	case m.undo != "" && (m.fixes != "" || len(paths) > 0 || m.narrowed()):
		return o, exit.Usage("--undo stands alone, or with --write --out DIR")
	}
	for _, name := range m.systems {
		if err := flags.OneOf("for", name, ready.Systems); err != nil {
			return o, err
		}
	}
	if len(m.apply) == 0 {
		o.Apply = []proof.Kind{proof.Moves, proof.Repairs}
	}
	for _, word := range m.apply {
		if !slices.Contains(proof.Kinds, proof.Kind(word)) {
			return o, exit.Usage("--apply: no kind %q; there are moves, repairs, prefixes, archived", word)
		}
		o.Apply = append(o.Apply, proof.Kind(word))
	}
	for _, word := range m.prefixes {
		at := prefixForm.FindAllStringIndex(word, -1)
		if len(at) != 1 || at[0][0] == 0 || !mend.Address(word[at[0][0]+1:]) {
			return o, exit.Usage("--prefix: %.200q is not OLD=NEW, such as http://old.example.org/=https://new.example.org/", secret.Mask(word))
		}
		o.Prefixes = append(o.Prefixes, proof.Prefix{Old: word[:at[0][0]], New: word[at[0][0]+1:]})
		o.Apply = append(o.Apply, proof.Prefixes)
	}
	switch {
	case m.archived == "keep":
		o.Apply = slices.DeleteFunc(o.Apply, func(k proof.Kind) bool { return k == proof.Archived })
	case m.archived != "replace":
		o.Way = mend.Way(m.archived)
		fallthrough
	default:
		o.Apply = append(o.Apply, proof.Archived)
	}
	return o, nil
}

// narrowed says whether flags choose which fixes are wanted.
func (m *mendFlags) narrowed() bool {
	r := &m.report.o
	return len(r.Only)+len(r.Collections)+len(r.RootNames)+len(r.Owners)+len(m.apply)+len(m.prefixes) > 0 || m.archived != "keep"
}

// planMend gives the sources with what is wanted in them.
func (a *app) planMend(ctx context.Context, m *mendFlags, o *copies.Options, wanted proof.Options, paths []string) (sources []copies.Source, p copies.Passed, err error) {
	st, err := a.openForReport(ctx, &m.report)
	if err != nil {
		return nil, p, err
	}
	defer st.Close()
	for i := range paths {
		if paths[i], err = filepath.Abs(paths[i]); err != nil {
			return nil, p, exit.Usage("%w", err)
		}
	}
	sources, missing, err := copies.Known(st.Sources(), paths)
	switch {
	case err != nil:
		return nil, p, storeFailed(err)
	case missing != "":
		return nil, p, exit.Fail(exit.BadUsage, "a run reads it first", "%s: the store knows no such source", missing)
	case m.fixes != "":
		text, err := openfile.ReadAll(ctx, m.fixes)
		if err == nil {
			p, err = o.FromTable(ctx, text, sources)
		}
		if err != nil {
			return nil, p, exit.Usage("--fixes: %w", err)
		}
		return sources, p, nil
	}
	r := m.report.o
	r.ShowSecrets = true // addresses as they are: no place with a secret is shown or changed
	scope, err := report.NewScope(ctx, st, r)
	if err != nil {
		return nil, p, reportFailed(err)
	}
	wanted.Find = st.Find
	wanted.Copy = archivedCopies(r.Archive)
	if slices.Contains(wanted.Apply, proof.Prefixes) && len(wanted.Prefixes) == 0 {
		whole, err := report.Build(ctx, st, report.Options{Now: r.Now, ShowSecrets: true, Resolvers: r.Resolvers})
		if err != nil {
			return nil, p, reportFailed(err)
		}
		wanted.Rewrites, wanted.Whole = whole.Rewrites, whole.Scope
	}
	p, err = o.FromStore(ctx, scope, wanted, sources)
	return sources, p, reportFailed(err)
}

// table makes a table of fixes of rows.
func (m *mendFlags) table(rows iter.Seq[[]string]) ([]byte, error) {
	var text bytes.Buffer
	err := table.WriteFixCSV(&text, m.report.o.Raw, rows)
	return text.Bytes(), err
}

func (a *app) sumMend(m *mendFlags, sum *copies.Sum, p *copies.Passed) {
	verb := "would change"
	if m.write {
		verb = "changed"
	}
	text := fmt.Sprintf("%s %s in %s of %s", plain.Plural(sum.Made, "place", "places"), verb, plain.Plural(sum.Records, "record or file", "records and files"), plain.Plural(sum.Files, "source", "sources"))
	for _, of := range []struct {
		n    int
		what string
	}{{sum.Left, "left"}, {p.Unproven, "not proven"}, {p.Hidden, "with a secret, left"}} {
		if of.n > 0 {
			text += fmt.Sprintf("; %s %s", plain.Thousands(of.n), of.what)
		}
	}
	a.done("%s\n", text)
}
