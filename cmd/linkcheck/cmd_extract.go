package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/extract"
	"linkcheck/harvest"
	"linkcheck/ingest"
	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/netflags"
	"linkcheck/internal/plain"
	"linkcheck/internal/readflags"
	"linkcheck/uri"
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

// addressOf gives the address of a web page where that is what the words name; "": they are
// paths.
func (a *app) addressOf(words []string) (string, error) {
	var r archives
	for _, word := range words {
		if err := r.add(a, word); err != nil {
			return "", err
		}
	}
	switch {
	case len(r.remote) == 0:
		return "", nil
	case len(words) > 1:
		return "", exit.Usage("the URI of a page stands alone")
	case r.remote[0].Kind != harvest.Web:
		return "", exit.Usage("extract reads one page; run reads %s", r.remote[0].URI)
	}
	return r.remote[0].URI, nil
}

// extractPage reads a page from its server and writes what was found in it.
func (a *app) extractPage(ctx context.Context, flags *netflags.Flags, address string, o extract.Options, jsonl bool) error {
	flags.Hosts, flags.Way.Getenv = a.hosts, a.getenv
	net, err := flags.Open(ctx, nil)
	if err != nil {
		return err
	}
	defer net.Probers.Close()
	u, err := uri.Parse(address)
	if err != nil {
		return exit.Usage("%w", err)
	}
	read := false
	r, err := net.Probers.Read(ctx, check.Target{URI: u}, check.Wanted{}, func(page *check.Answer) error {
		read = true
		o.Base, o.Context = cmp.Or(o.Base, page.URI.String()), ctx
		return a.extract(ctx, alone(ingest.Document(page.URI.String(), page.Body, o)), extract.NameOf, func() map[string]string { return nil }, jsonl)
	})
	if err == nil && !read {
		err = exit.Fail(exit.Partial, "", "%s: %s (%s) %s", a.mask(address), r.Outcome, r.Reason, r.Reply)
	}
	if elsewhere, ok := errors.AsType[*check.Elsewhere](err); ok {
		return exit.Fail(exit.Partial, "give that address", "%s redirects to %s", a.mask(address), a.mask(elsewhere.To.String()))
	}
	return err
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
