package main

import (
	"bufio"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"linkcheck/extract"
	"linkcheck/ingest"
	"linkcheck/internal/escape"
)

func cmdExtract(a *app) *cobra.Command {
	var o extract.Options
	var jsonl bool
	cmd := &cobra.Command{
		Use:   "extract PATH...",
		Short: "Find the links in documents, and only that",
		Long: `Find every link in the documents and print one line for each occurrence, in the
order of the documents. Nothing is probed and nothing is stored. Links that name a
message or a part of one (news:, mid:, cid:) are given with the place where it
stands in the same documents, if it does: the field "target" of --jsonl. The PATH "-"
is standard input; it is read once, so that nothing in it is a target.`,
		Example: `  linkcheck extract rfc2056.txt
  linkcheck extract --jsonl mail/ catalogue.mrc
  linkcheck extract --jsonl --base http://www.example.org/dir/ page.html
  linkcheck extract --input html - < page.html`,
		Args: wantPaths,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := extract.Validate(o); err != nil {
				return usage("%w", err)
			}
			documents := ingest.Extract(cmd.Context(), paths, o)
			if slices.Contains(paths, "-") {
				if len(paths) > 1 {
					return usage("\"-\", standard input, stands alone")
				}
				o.Context = cmd.Context()
				documents, paths = ingest.Document("-", a.stdin, o), nil
			}
			return a.extract(cmd.Context(), documents, paths, o, jsonl)
		},
	}
	cmd.Flags().BoolVar(&jsonl, "jsonl", false, "one JSON object a line, with source, place and context")
	extractFlags(cmd, &o)
	cmd.Flags().BoolVar(&o.Comments, "comments", false, "give links in comments too, marked")
	return cmd
}

// extractFlags are the flags of every verb that reads documents.
func extractFlags(cmd *cobra.Command, o *extract.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Base, "base", "", "base `URI` for relative references in documents that name none")
	wordFlag(cmd, &o.Input, "input", "auto", "take documents to be of this `FORMAT`: auto, marc, marcxml, html, rfc, mbox, maildir, warc, text, csv, or csv:COLUMN by head or number", []string{"auto", "marc", "marcxml", "html", "rfc", "mbox", "maildir", "warc", "text", "csv", "csv:"})
	f.StringVar(&o.Charset, "charset", "", "take documents to be in this `CHARSET`, whatever they declare")
	f.StringSliceVar(&o.MARC, "marc-tags", nil, "MARC `FIELDS` with URIs, such as 856u,956u")
	f.StringVar(&o.RecordID, "record-id", "", "MARC `FIELD` that holds the record's id (default 001)")
	limitFlags(f, &o.Limits)
}

// limitFlags are the limits of the work for one document.
func limitFlags(f *pflag.FlagSet, l *extract.Limits) {
	*l = extract.DefaultLimits()
	const more = "; more is damage (exit code 3), what was found stays"
	f.Int64Var(&l.Unfolded, "max-unfolded", l.Unfolded, "unpack at most `N` octets of a file, and 100 for each octet of it"+more)
	f.Int64Var(&l.Members, "max-members", l.Members, "read at most `N` members of an archive, and 1 for each 20 octets of it"+more)
	f.Int64Var(&l.Links, "max-links", l.Links, "give at most `N` links of a file, and 1 for each 2 octets of it, each octet beyond 1 MB"+more)
	f.Int64Var(&l.PageLinks, "max-page-links", l.PageLinks, "give at most `N` links of a page or table, and 1 for each 10 octets of it"+more)
	f.Int64Var(&l.Candidates, "max-candidates", l.Candidates, "try at most `N` places of a file for a link, and 2 for each octet of it"+more)
	f.Var((*durationFlag)(&l.Time), "max-file-time", "read a file for at most this `TIME`"+more)
}

// extract writes what was found in documents, and looks up names in those at paths.
func (a *app) extract(ctx context.Context, documents iter.Seq2[extract.Found, error], paths []string, o extract.Options, jsonl bool) error {
	out := bufio.NewWriterSize(a.stdout, 1<<16)
	defer out.Flush()
	damaged := 0
	var names map[string]string // where the message or part of a name is; read for the first link that has a name
	for found, err := range documents {
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if _, foreign := errors.AsType[*extract.Foreign](err); !foreign {
				damaged++
			}
			escape.Printf(a.stderr, "linkcheck: %s\n", errorText(err))
			continue
		}
		if name := extract.NameOf(found.URI); name != "" {
			if names == nil {
				names = ingest.ReadNames(ctx, paths, o)
			}
			found.Target = names[name]
		}
		if !a.showSecrets {
			found = extract.WithoutSecrets(found)
		}
		if jsonl {
			err = writeJSON(out, found)
		} else {
			_, err = out.WriteString(escape.Line(found.Location()) + "\t" + escape.Line(printable(found)) + "\n")
		}
		if err != nil {
			return err
		}
	}
	if damaged > 0 {
		return fail(exitPartial, "see the lines above for file and place; the rest was read", "%s could not be read in full", plural(damaged, "place", "places"))
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
