package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"linkcheck/extract"
	"linkcheck/ingest"
	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/netflags"
	"linkcheck/internal/plain"
	"linkcheck/internal/readflags"
	"linkcheck/report"
	"linkcheck/report/faults"
)

const extractHelp = `Find every link in the documents and print one line for each occurrence, in the
order of the documents. Nothing is probed and nothing is stored. Links that name a
message or a part of one (news:, mid:, cid:) are given with the place where it
stands in the same documents, if it does: the field "target" of --jsonl; so are those to
pages that --map finds there. The PATH "-"
is standard input; it is read once, so that nothing in it is a target. The URI of a web
page is read as one document, and nothing in it is followed; the flags about servers are
for that.

What --jsonl wrote 'linkcheck run' takes in place of the files, which may be on another
machine. With --documents there are rows about documents between those of the links, which
begin with "schema": which there are, also without links, and what could not be read. Only
so a run is told what is gone.`

func cmdExtract(a *app) *cobra.Command {
	var o extract.Options
	var reading readflags.Flags
	var jsonl, documentRows bool
	var which ingest.Selection
	var net netflags.Flags
	cmd := &cobra.Command{
		Use:   "extract PATH...|URI",
		Short: "Find the links in documents, and only that",
		Long:  extractHelp,
		Example: `  linkcheck extract rfc2056.txt
  linkcheck extract --jsonl mail/ catalogue.mrc
  linkcheck extract --jsonl --documents /srv/crawls | zstd > crawls.jsonl.zst
  linkcheck extract --jsonl --base http://www.example.org/dir/ page.html
  linkcheck extract --jsonl --map mirror=https://www.example.org/ mirror/
  linkcheck extract --input html - < page.html
  linkcheck extract https://www.example.org/guide.html`,
		Args: exit.WantPaths,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := cmp.Or(reading.Complete(cmd.Context(), &o), checkSelection(&which)); err != nil {
				return err
			}
			a.setPreprocess(&o)
			if documentRows && !jsonl {
				return exit.Usage("--documents asks for rows of --jsonl")
			}
			if address, err := a.addressOf(paths); err != nil || address != "" {
				return cmp.Or(err, a.extractPage(cmd.Context(), &net, address, o, jsonl))
			}
			rows := ingest.RowOptions{Selection: which, Hidden: !a.showSecrets, All: documentRows}
			documents := foundIn{all: documentRows, found: func(write func(*ingest.Row) bool) iter.Seq2[extract.Found, error] {
				if jsonl {
					return ingest.Rows(cmd.Context(), paths, o, rows, write)
				}
				return ingest.Extract(cmd.Context(), paths, which, o)
			}}
			if slices.Contains(paths, "-") {
				if len(paths) > 1 {
					return exit.Usage("\"-\", standard input, stands alone")
				}
				o.Context = cmd.Context()
				documents, paths = alone(ingest.Document("-", a.stdin, o)), nil
			}
			names := func() map[string]string { return ingest.ReadNames(cmd.Context(), paths, which, o) }
			return a.extract(cmd.Context(), documents, namesIn(o.Mirrors), names, jsonl)
		},
	}
	cmd.Flags().BoolVar(&jsonl, "jsonl", false, "one JSON object a line, with source, place and context")
	cmd.Flags().BoolVar(&documentRows, "documents", false, "with --jsonl, give rows about documents too: which were read, and what could not be")
	selectionFlags(cmd, &which)
	reading.Register(cmd, &o)
	net.Register(cmd, version)
	cmd.Flags().BoolVar(&o.Comments, "comments", false, "give links in comments too, marked")
	return cmd
}

// namesIn gives what names the things in documents for which links ask: the files of
// mirrors, messages and parts of messages.
func namesIn(mirrors extract.Mirrors) func(url string) string {
	if len(mirrors) == 0 {
		return extract.NameOf
	}
	return func(url string) string { return cmp.Or(extract.NameOf(url), mirrors.NameOf(url)) }
}

// mirrors are those of the flags and of all tables [[root]], whichever are read.
func (a *app) mirrors(o extract.Options) extract.Mirrors {
	list := slices.Clone(o.Mirrors)
	for i := range a.roots {
		list = append(list, a.roots[i].Extract.Mirrors...)
	}
	return list
}

// sitesOf are the addresses of mirrors.
func sitesOf(list extract.Mirrors) (addresses []string) {
	for _, m := range list {
		addresses = append(addresses, m.URL)
	}
	return addresses
}

// mirrorsAt are mirrors of which only the addresses are known: enough to name their files.
func mirrorsAt(addresses []string) (list extract.Mirrors) {
	for _, at := range addresses {
		list = append(list, extract.Mirror{URL: at})
	}
	return list
}

// foundIn yields the links of documents, and hands write the rows about these.
type foundIn struct {
	found func(write func(*ingest.Row) bool) iter.Seq2[extract.Found, error]
	all   bool // these rows are written; else links carry what a run must know
}

// alone is a document that no run knows again: there are no rows about it.
func alone(document iter.Seq2[extract.Found, error]) foundIn {
	return foundIn{found: func(func(*ingest.Row) bool) iter.Seq2[extract.Found, error] { return document }}
}

// extract writes what was found in documents. nameOf is the name by which a link asks for
// something in them, and readNames says where that is.
func (a *app) extract(ctx context.Context, documents foundIn, nameOf func(string) string, readNames func() map[string]string, jsonl bool) error {
	defer a.steadyMemory()()
	out := bufio.NewWriterSize(a.stdout, 1<<16)
	defer out.Flush()
	rows, shown, damaged := jsonTo(out), ingest.LinkRow{}, 0 // one of each for all rows: they would cost allocations
	var names map[string]string                              // read for the first link that has a name
	var failed error
	write := func(r *ingest.Row) bool {
		if !documents.all {
			shown.Carry(r)
			return true
		}
		failed = rows.Encode(r)
		return failed == nil
	}
	for found, err := range documents.found(write) {
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			told := errors.Is(err, ingest.ErrNotFollowed)
			if _, foreign := errors.AsType[*extract.Foreign](err); !foreign && !told {
				damaged++
			}
			if !told || !a.quiet {
				a.log.Warn("%s", exit.Text(err))
			}
			continue
		}
		if name := nameOf(found.URI); name != "" {
			if names == nil {
				names = readNames()
			}
			found.Target = names[name]
		}
		if !a.showSecrets {
			found = extract.WithoutSecrets(found)
		}
		if jsonl {
			shown.Found = found
			err = rows.Encode(&shown)
			shown.Begin, shown.Document = nil, nil
		} else {
			_, err = out.WriteString(escape.Line(found.Location()) + "\t" + escape.Line(printable(found)) + "\n")
		}
		if err != nil {
			return err
		}
	}
	if failed != nil {
		return failed
	}
	if damaged > 0 {
		return exit.Fail(exit.Partial, "see the lines above for file and place; the rest was read", "%s could not be read in full", plain.Plural(damaged, "place", "places"))
	}
	return nil
}

// printable is a link as a line of plain text shows it.
func printable(f extract.Found) string {
	if f.URI == "" {
		return f.Raw + " (relative, and no --base)"
	}
	return f.URI
}

const lintHelp = `Say what is wrong with how addresses are written, without asking a server: empty $u, words
in the place of an address, missing or mistyped schemes, &amp;, blanks, private addresses,
DOIs and handles that no browser opens, two addresses in one $u, a first indicator that does
not fit, and the same address in several records. Each line names record and place, what is
wrong, what stands there, and what to write instead: the repair that mend writes, where
there is one. docs/MEND.md says how to read it.

PATHs are read as they stand; no store is opened. With --store, or without a PATH, it says
the same of what the store knows, of these PATHs alone where some are given.`

// lintFlags say what is looked at, and how it is told.
type lintFlags struct {
	report    reportFlags
	o         extract.Options
	reading   readflags.Flags
	which     ingest.Selection
	json, csv bool
	failOn    string
	found     int // faults
}

func cmdLint(a *app) *cobra.Command {
	l := &lintFlags{}
	cmd := &cobra.Command{
		Use:   "lint [PATH...]",
		Short: "What is wrong with how addresses are written, seen without asking a server",
		Long:  lintHelp,
		Example: `  linkcheck lint catalogue.mrc
  linkcheck lint --csv --record-id '999$c' export/ > faults.csv
  linkcheck lint --store library.db --owner systems@library.example
  linkcheck lint --fail-on any catalogue.mrk`,
		RunE: func(cmd *cobra.Command, paths []string) error { return a.lint(cmd, l, paths) },
	}
	f := cmd.Flags()
	storeFlag(cmd, &l.report.store)
	l.report.chooses(cmd)
	f.BoolVar(&l.json, "json", false, "one JSON object a line")
	f.BoolVar(&l.csv, "csv", false, "a table (RFC 4180)")
	f.BoolVar(&l.report.o.Raw, "raw", false, "with --csv, for programs: do not guard cells that a spreadsheet would take for formulas")
	f.StringVar(&l.report.o.RecordURL, "record-url", "", "`TEMPLATE` of a record's address, such as https://ils/bib/{id}")
	flags.Word(cmd, &l.failOn, "fail-on", "never", "exit with 1 on `WHAT`: any fault, or never", []string{"any", "never"})
	langFlag(cmd, &l.report.o.Lang)
	selectionFlags(cmd, &l.which)
	l.reading.Register(cmd, &l.o)
	flags.Now(cmd, &l.report.now)
	return cmd
}

// lint tells of documents, or of what a store knows.
func (a *app) lint(cmd *cobra.Command, l *lintFlags, paths []string) error {
	ctx := cmd.Context()
	if err := cmp.Or(l.reading.Complete(ctx, &l.o), checkSelection(&l.which)); err != nil {
		return err
	}
	if l.json && l.csv {
		return exit.Usage("--json and --csv: give one")
	}
	if len(paths) > 0 && (!cmd.Flags().Changed("store") || a.origin["store"] != "") {
		return a.lintDocuments(ctx, l, paths)
	}
	st, err := a.openForReport(ctx, &l.report)
	if err != nil {
		return err
	}
	defer st.Close()
	scope, err := report.NewScope(ctx, st, l.report.o)
	if err != nil {
		return reportFailed(err)
	}
	named, err := within(st, paths)
	if err != nil {
		return err
	}
	list, err := faults.Find(ctx, st, scope, named)
	if err != nil {
		return reportFailed(err)
	}
	if list.More > 0 {
		a.log.Warn("%s more than the store holds: name the files, without --store, to see all", plain.Plural(list.More, "fault", "faults"))
	}
	return a.writeFaults(ctx, l, scope, slices.Values(list.Rows))
}
