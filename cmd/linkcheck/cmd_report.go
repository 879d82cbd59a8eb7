package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/netflags"
	"linkcheck/report"
	"linkcheck/report/builds"
	"linkcheck/report/faults"
	"linkcheck/report/html"
	"linkcheck/report/table"
	"linkcheck/report/text"
	"linkcheck/store"
)

// reportFlags say which forms of a report go where.
type reportFlags struct {
	store   string
	o       report.Options
	outputs map[string]*string // form to file
	summary bool
	now     string
	tsv     bool
	memento string
	split   string
	guard   netflags.Guard // for memento
	mail    mailFlags
}

// reportForm is a form that goes into a file.
type reportForm struct {
	name, help string
	write      form
	packed     bool // and no text
}

// form writes one form of a report.
type form func(context.Context, io.Writer, report.Source, report.Options) error

// reportForms are the forms of a report that go into a file ("-" is standard
// output), in the order in which they are written. This is their only list.
var reportForms = []reportForm{
	{"html", "one page for people, complete in one file", writeHTML, false},
	{"director", "one printed page: state, trend, what was mended, half-life of links, coverage", html.WriteDirector, false},
	{"csv", "one row for every place a link stands (RFC 4180)", table.WriteCSV, false},
	{"jsonl", "the same rows as JSON, one object a line, lossless", table.WriteJSONL, false},
	{"xlsx", "a workbook with one sheet a group", table.WriteXLSX, true},
	{"metrics", "figures for node_exporter's textfile collector", writeMetrics, false},
	{"fixes", "old and new addresses for batch replacement in a catalogue (TSV)", table.WriteFixes, false},
	{"junit", "tests of a build, one for every place of a link (JUnit XML)", builds.WriteJUnit, false},
	{"sarif", "findings for code scanning (SARIF 2.1.0)", builds.WriteSARIF, false},
	{"gitlab", "findings for GitLab's code quality", builds.WriteGitLab, false},
	{"github", "findings as workflow commands, for the log of GitHub Actions", builds.WriteGitHub, false},
	{"markdown", "sums, causes and the most urgent links in Markdown", whole(builds.WriteMarkdown), false},
	{"atom", "what changed, for feed readers (RFC 4287)", builds.WriteAtom, false},
}

func cmdReport(a *app) *cobra.Command {
	r := &reportFlags{outputs: map[string]*string{}}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Say what the store knows: a table, HTML, CSV, JSONL, fixes, a summary",
		Long: `Report on the links of a store. Without a flag that names a form it prints a table
for the terminal; a form with FILE "-" goes to standard output. A report can be made
while a run is under way: it then speaks of the last snapshot and says so.

In CSV, TSV, XLSX and fixes a cell that a spreadsheet would take for a formula gets a '
before it, be it behind another separator than ours, and the column "guarded" names such
cells of its row. Programs that look for
what stands in a catalogue, such as a batch replacement in MarcEdit by --fixes, want
--raw: do not open that file in a spreadsheet.

With --only, --collection, --root or --owner a report is of that part of the store: its
sums too, and it says so on top.`,
		Example: `  linkcheck report --store library.db
  linkcheck report --store library.db --html report.html --fixes fixes.tsv
  linkcheck report --store library.db --csv - --only fix,update | less
  linkcheck report --store library.db --owner systems@library.example --csv mend.csv
  linkcheck report --store library.db --only fix --junit links.xml --github -
  linkcheck report --store library.db --split-owners lists --html --xlsx
  linkcheck report --store library.db --summary --since 7d`,
		Args: exit.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.report(cmd.Context(), r) },
	}
	f := cmd.Flags()
	storeFlag(cmd, &r.store)
	for _, form := range reportForms {
		r.outputs[form.name] = f.String(form.name, "", form.help+" into `FILE`")
	}
	f.StringVar(&r.split, "split-owners", "", "write the forms that stand without a FILE, such as --html --xlsx, into this `DIR`: a file for each who mends links, and index.tsv")
	f.BoolVar(&r.summary, "summary", false, "at most 40 lines of plain text, for mail")
	r.mail.register(cmd, "send the summary")
	f.BoolVar(&r.tsv, "tsv", false, "with --csv: separate by tabs instead")
	f.BoolVar(&r.o.BOM, "bom", false, "with --csv: begin with a byte order mark, for Excel")
	f.BoolVar(&r.o.Raw, "raw", false, "for programs: do not guard cells that a spreadsheet would take for formulas")
	f.String("spreadsheet-safe", "", "every cell is guarded")
	_ = f.MarkHidden("spreadsheet-safe") // it fails only where there is no such flag
	f.BoolVar(&r.o.Unique, "unique", false, "one row a link instead of one a place")
	f.StringVar(&r.o.Since, "since", "", "changes since this `RUN` number, date, or time ago (36h, 7d, 2w)")
	f.StringSliceVar(&r.o.Only, "only", nil, "only links of these `WORDS`: "+strings.Join(report.OnlyWords(), " "))
	r.chooses(cmd)
	f.StringVar(&r.o.RecordURL, "record-url", "", "`TEMPLATE` of a record's address, such as https://ils/bib/{id} (default: that of the last run)")
	langFlag(cmd, &r.o.Lang)
	f.StringVar(&r.memento, "memento", "", "`URL` of a Memento TimeGate or CDX server to ask for archived copies")
	r.guard.Register(cmd)
	flags.Now(cmd, &r.now)
	flags.Completes(cmd, "only", report.OnlyWords())
	return cmd
}

// chooses adds the flags that choose by the place of a link.
func (r *reportFlags) chooses(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&r.o.Collections, "collection", nil, "only these `NAMES` of collections")
	f.StringArrayVar(&r.o.RootNames, "root", nil, "only what stands in the root of this `NAME` (repeatable)")
	f.StringArrayVar(&r.o.Owners, "owner", nil, "only what this `PERSON` mends (repeatable)")
	flags.Completes(cmd, "root", nil)
	flags.Completes(cmd, "owner", nil)
}

func (a *app) report(ctx context.Context, r *reportFlags) error {
	if err := r.validate(); err != nil {
		return err
	}
	if r.memento != "" {
		if err := a.archiveForReport(ctx, r); err != nil {
			return err
		}
	}
	st, err := a.openForReport(ctx, r)
	if err != nil {
		return err
	}
	defer st.Close()
	return a.writeReports(ctx, st, r)
}

// openForReport opens the store of a report, and fills in the options that no flag sets.
func (a *app) openForReport(ctx context.Context, r *reportFlags) (*store.Store, error) {
	now, err := flags.Clock(r.now)
	if err != nil {
		return nil, err
	}
	st, err := a.openToRead(ctx, r.store, now)
	if err != nil {
		return nil, err
	}
	if err := a.fillReport(ctx, r, st, now); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// validate refuses flags that do not go together, rather than ignore one.
func (r *reportFlags) validate() error {
	var toStdout []string
	for _, form := range reportForms {
		switch name := *r.outputs[form.name]; {
		case r.split != "" && name != "" && name != "-":
			return exit.Usage("--split-owners names the files itself: --%s stands without %q", form.name, name)
		case r.split == "" && name == "-":
			toStdout = append(toStdout, "--"+form.name)
		}
	}
	if r.summary && r.mail.to == "" {
		toStdout = append(toStdout, "--summary")
	}
	switch {
	case len(toStdout) > 1:
		return exit.Usage("%s would mingle on standard output; give files", strings.Join(toStdout, " and "))
	case r.memento != "" && !isWeb(r.memento):
		return exit.Usage("--memento wants the address of an archive, such as https://archive.example/timegate/, not %q", r.memento)
	case (r.tsv || r.o.BOM) && *r.outputs["csv"] == "":
		return exit.Usage("--tsv and --bom say how --csv FILE is written: give that as well")
	}
	return nil
}

// writeReports writes every form that a flag names; without one, the table.
func (a *app) writeReports(ctx context.Context, st *store.Store, r *reportFlags) error {
	if r.split != "" {
		return a.splitOwners(ctx, st, r)
	}
	written := false
	for _, form := range reportForms {
		name := *r.outputs[form.name]
		if name == "" {
			continue
		}
		written = true
		write := form.write
		if form.name == "csv" && r.tsv {
			write = table.WriteTSV
		}
		toFile := a.toFile
		if form.packed {
			toFile = a.toFileRaw
		}
		if err := toFile(ctx, name, func(w io.Writer) error { return write(ctx, w, st, r.o) }); err != nil {
			return err
		}
	}
	if written && !r.summary && r.mail.to == "" {
		return nil
	}
	server, err := r.mail.server(ctx, a.getenv)
	if err != nil {
		return err
	}
	rep, err := report.Build(ctx, st, r.o)
	switch {
	case err != nil:
		return reportFailed(err)
	case r.mail.to != "":
		return r.mail.send(ctx, server, rep.Headline(), "", rep)
	case r.summary:
		return text.WriteSummary(a.stdout, rep)
	}
	return text.Write(a.painted(), rep)
}

func writeHTML(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	return whole(func(w io.Writer, rep *report.Report) (err error) {
		if len(o.Only) == 0 && o.Since == "" { // links chosen by their answers say nothing of records
			if rep.Faults, err = faults.Find(ctx, src, rep.Scope, nil); err != nil {
				return err
			}
		}
		return html.Write(ctx, w, rep)
	})(ctx, w, src, o)
}

// writeMetrics writes figures of all links: a rule for an alarm knows no --only.
func writeMetrics(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
	o.Only = nil
	return whole(text.WriteMetrics)(ctx, w, src, o)
}

// whole makes a form of a function that needs the whole report.
func whole(write func(io.Writer, *report.Report) error) form {
	return func(ctx context.Context, w io.Writer, src report.Source, o report.Options) error {
		rep, err := report.Build(ctx, src, o)
		if err != nil {
			return err
		}
		return write(w, rep)
	}
}

func cmdDupes(a *app) *cobra.Command {
	r, asJSON := &reportFlags{}, false
	groupings := []string{report.BySpelling, report.ByFinal}
	cmd := &cobra.Command{
		Use:   "dupes",
		Short: "Links that are written twice: at which level they meet, why, how sure, which spelling to prefer",
		Example: `  linkcheck dupes --store library.db
  linkcheck dupes --store library.db --json
  linkcheck dupes --store library.db --by final`,
		Args: exit.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.OneOf("by", r.o.By, groupings); err != nil {
				return err
			}
			st, err := a.openForReport(cmd.Context(), r)
			if err != nil {
				return err
			}
			defer st.Close()
			r.o.Color = false
			write := text.WriteDuplicates
			if asJSON {
				write = table.WriteDuplicates
			}
			return a.toFile(cmd.Context(), "-", func(w io.Writer) error { return write(cmd.Context(), w, st, r.o) })
		},
	}
	f := cmd.Flags()
	storeFlag(cmd, &r.store)
	f.BoolVar(&asJSON, "json", false, "one JSON object a line")
	flags.Word(cmd, &r.o.By, "by", report.BySpelling, "group by `normal|final`: the spelling, or where redirects ended", groupings)
	r.chooses(cmd)
	langFlag(cmd, &r.o.Lang)
	flags.Now(cmd, &r.now)
	return cmd
}
