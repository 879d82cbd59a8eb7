// Package readflags has the flags of verbs that read documents, and what is made of them.
package readflags

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"linkcheck/extract"
	"linkcheck/ingest"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/openfile"
	"linkcheck/internal/owners"
	"linkcheck/uri/secret"
)

// Flags are those beside the options themselves.
type Flags struct {
	maps, columns, owners []string

	Rules         owners.Rules // of --owners; set by Complete
	FromDocuments bool         // documents say who mends their links; set by Complete
}

// Owners are the rules of --owners for a reading; nil: there are none.
func (r *Flags) Owners() ingest.Owners {
	if r.Rules.None() {
		return nil
	}
	return &r.Rules
}

// Files are the files that flags of a verb name and that are no flag of one file.
func Files(cmd *cobra.Command) []string {
	words, _ := cmd.Flags().GetStringArray("owners") // there are none where there is no such flag
	return owners.Files(words)
}

// Register adds the flags, and those of the options, to a verb.
func (r *Flags) Register(cmd *cobra.Command, o *extract.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Base, "base", "", "base `URI` for relative references in documents that name none and that no --map holds")
	f.StringArrayVar(&r.maps, "map", nil, "read the files of a folder or archive as the web site that they were, `DIR=URL`; links to them are looked up there (repeatable)")
	inputs := extract.Inputs()
	flags.Word(cmd, &o.Input, "input", "auto", "take documents to be of this `FORMAT`: "+strings.Join(inputs, ", ")+", or csv:COLUMN by head or number", append(inputs, "csv:"))
	f.StringVar(&o.Charset, "charset", "", "take documents to be in this `CHARSET`, whatever they declare")
	f.StringSliceVar(&o.MARC, "marc-tags", nil, "MARC `FIELDS` with URIs, such as 856u,956u")
	f.StringVar(&o.RecordID, "record-id", "", "MARC `FIELD` that holds the record's id, or its subfield: 999$c (default 001)")
	f.BoolVar(&o.NoCode, "code", false, "leave out the code of documents with marks: blocks and spans of Markdown, listings of AsciiDoc")
	f.StringSliceVar(&r.columns, "columns", nil, "of tables (CSV, XLSX), which columns hold what, by head, letters or number: id=BibID,title=Title,url=URL,owner=Branch; several url")
	f.StringArrayVar(&r.owners, "owners", nil, "`WHO` mends the links: $5 or $9 of their field, a column of tables, a FILE.toml of rules, folder or root; a place's own word first (repeatable)")
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
	f.Var((*flags.Duration)(&l.Time), "max-file-time", "read a file for at most this `TIME`"+more)
}

// mapForm takes the value of --map apart: a path may hold "=", and so may an address.
var mapForm = regexp.MustCompile(`(?s)^(.*?)=((?i:https?):.*)$`)

// Complete checks the options, and adds what --map, --columns and --owners say.
func (r *Flags) Complete(ctx context.Context, o *extract.Options) (err error) {
	for _, word := range r.maps {
		dir, address, cut := strings.Cut(word, "=")
		if parts := mapForm.FindStringSubmatch(word); parts != nil {
			dir, address = parts[1], parts[2]
		}
		if !cut || dir == "" {
			return exit.Usage("--map: %.200q is not DIR=URL, such as /srv/mirror=https://www.example.org/", secret.Mask(word))
		}
		if _, err := os.Stat(dir); err != nil {
			return exit.Usage("--map: %w", err)
		}
		whole, err := filepath.Abs(dir)
		if err != nil {
			return exit.Usage("--map: %w", err)
		}
		m, err := extract.NewMirror(whole, address)
		if err != nil {
			return exit.Usage("--map: %w", err)
		}
		o.Mirrors = append(o.Mirrors, m)
	}
	if o.Columns, err = extract.ParseColumns(r.columns); err != nil {
		return exit.Usage("--columns: %w", err)
	}
	choice, err := owners.Parse(r.owners, func(name string) ([]byte, error) { return openfile.ReadAll(ctx, name) })
	if err != nil {
		return exit.Usage("--owners: %w", err)
	}
	if choice.Column != "" && o.Columns.Owner != "" {
		return exit.Usage("--owners %s and --columns owner=%s both name a column: give one", choice.Column, o.Columns.Owner)
	}
	o.Owners, o.Columns.Owner, r.Rules = choice.Codes, cmp.Or(o.Columns.Owner, choice.Column), choice.Rules
	r.FromDocuments = o.Owners != "" || o.Columns.Owner != ""
	if err := extract.Validate(*o); err != nil {
		return exit.Usage("%w", err)
	}
	return nil
}
