package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/plain"
	"linkcheck/internal/rootsettings"
	"linkcheck/store"
	"linkcheck/store/sources"
)

// sourceFlags are those of the verbs about sources.
type sourceFlags struct {
	files, json, dryRun bool
	as                  string
}

// asWords are the words of --as.
var asWords = []string{sources.Path, sources.Collection}

// sourceVerbs adds the verbs about sources to those of the store.
func (v *storeVerbs) sourceVerbs(sub func(use, example, short string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command) {
	list := sub("sources", `sources --store library.db
  linkcheck store sources --store library.db --files --json`, "List what was read, when, and what it gave", exit.NoArgs, v.with(v.openToRead, v.listSources))
	list.Flags().BoolVar(&v.source.files, "files", false, "every file, not only the paths that runs were given")
	list.Flags().BoolVar(&v.source.json, "json", false, "one JSON object a line")
	forget := sub("forget NAME", `forget --store library.db --dry-run /srv/old
  linkcheck store forget --store library.db 'Rare Books'`, "Forget a file, a folder or a collection that is read no more", exit.ExactArgs(1), v.with(openExisting, v.forget))
	forget.Long = `Retire the places of links in a file, in a folder with all below it, or in a collection:
NAME is a path or a collection.
Links that stand nowhere else are neither asked about nor reported any more. Their history is
kept for 90 days, and comes back if a run reads them again; 'linkcheck store prune' forgets
it for good. Nothing on the disk is touched.`
	forget.Flags().BoolVar(&v.source.dryRun, "dry-run", false, "only say what would be forgotten")
	rename := sub("rename OLD NEW", `rename --store library.db /srv/old /srv/new
  linkcheck store rename --store library.db --as collection opac catalogue`, "Tell the store of another name of a file, a folder or a collection", exit.ExactArgs(2), v.with(openExisting, v.rename))
	rename.Long = `Give a file, a folder with all below it, or a collection another name in the store, after
it was renamed on the disk. All that is known of its links is kept, and nothing is read
again that has not changed. A collection that had its name from a folder gets the new one.`
	for _, c := range []*cobra.Command{forget, rename} {
		flags.Word(c, &v.source.as, "as", "", "`KIND` of the name where it could be both: path or collection", asWords)
	}
}

func (v *storeVerbs) listSources(ctx context.Context, st *store.Store, _ time.Time, _ []string) error {
	rows, err := sources.List(ctx, st, v.source.files)
	if err != nil {
		return err
	}
	if !v.source.json && len(rows) > 0 {
		rows = slices.Insert(rows, 0, sources.Row{})
	}
	return writeRows(v.stdout, rows, v.source.json, func(r sources.Row) (any, string) {
		if r.Documents == 0 {
			return nil, strings.Join([]string{"LAST READ", "DOCUMENTS", "LINKS", "DEAD", "DAMAGED", "COLLECTION", "SOURCE"}, "\t")
		}
		for _, s := range []*string{&r.Source, &r.Name, &r.Collection, &r.Damage} {
			*s = v.maskText(*s)
		}
		cells := []string{r.LastRead.UTC().Format("2006-01-02 15:04"), plain.Thousands(r.Documents), plain.Thousands(r.Links), plain.Thousands(r.Dead), plain.Thousands(r.Damaged),
			escape.Line(r.Collection), escape.Line(r.Name)}
		if r.Damage != "" {
			cells[len(cells)-1] += " (" + escape.Line(r.Damage) + ")"
		}
		return r, strings.Join(cells, "\t")
	})
}

// find finds the sources that a name means.
func (v *storeVerbs) find(st *store.Store, name string) (sources.Choice, error) {
	if v.source.as != "" {
		if err := flags.OneOf("as", v.source.as, asWords); err != nil {
			return sources.Choice{}, err
		}
	}
	c, known, err := sources.Find(st, name, v.source.as)
	switch {
	case errors.Is(err, sources.ErrUnknown):
		hint := exit.DidYouMean(flags.Nearest(name, known)) + "'linkcheck store sources' lists what there is"
		return c, exit.Fail(exit.BadUsage, v.maskText(hint), "%.200q is no source and no collection of %s", v.maskText(name), st.Path())
	case errors.Is(err, sources.ErrAmbiguous):
		return c, exit.Fail(exit.BadUsage, "--as path or --as collection says which", "%.200q is a path and a collection, and they do not hold the same", v.maskText(name))
	}
	return c, err
}

func (v *storeVerbs) forget(ctx context.Context, st *store.Store, now time.Time, args []string) error {
	c, err := v.find(st, args[0])
	if err != nil {
		return err
	}
	sum, err := c.Sum(ctx, st)
	if err != nil {
		return err
	}
	did := "forgot"
	if v.source.dryRun {
		did = "would forget"
	} else if err := c.Forget(st, now); err != nil {
		return err
	}
	escape.Printf(v.stdout, "%s %s: %s with %s; %s of them (%s dead) nowhere else\n", did, v.maskText(args[0]), plain.Plural(sum.Documents, "document", "documents"),
		plain.Plural(sum.Mentions, "place", "places"), plain.Plural(sum.Links, "link stands", "links stand"), plain.Thousands(sum.Dead))
	return nil
}

func (v *storeVerbs) rename(ctx context.Context, st *store.Store, now time.Time, args []string) error {
	if args[1] == "" {
		return exit.Usage("the new name is empty")
	}
	c, err := v.find(st, args[0])
	if err != nil {
		return err
	}
	n, err := c.Rename(ctx, st, args[1], now)
	if err != nil {
		return err
	}
	escape.Printf(v.stdout, "%s: %s known by the new name\n", v.maskText(args[0]), plain.Plural(n, "document is", "documents are"))
	return nil
}

func cmdRoots(a *app) *cobra.Command {
	v := &storeVerbs{app: a}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "roots",
		Short: "List the archives that are read, and how each fares",
		Long: `List the archives of the configuration (its tables [[root]]) and those over the network
that the store knows: how many documents and links they have, when they were last read whole,
when they are read next, and what is wrong.`,
		Example: `  linkcheck roots --store library.db
  linkcheck roots --store library.db --json
  linkcheck roots retire --store library.db 'Old guides'`,
		Args: exit.NoArgs,
		RunE: v.with(v.openToRead, func(ctx context.Context, st *store.Store, now time.Time, _ []string) error {
			return a.listRoots(ctx, st, asJSON)
		}),
	}
	f := cmd.PersistentFlags()
	f.StringVar(&v.file, "store", defaultStore, "`FILE` that remembers links and answers")
	f.StringVar(&v.now, "now", "", "take this `TIME` for the present (for tests)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	retire := &cobra.Command{
		Use: "retire NAME", Args: exit.ExactArgs(1),
		Short:   "Retire all documents of an archive over the network that is read no more",
		Example: "  linkcheck roots retire --store library.db guides.example.org",
		RunE:    v.with(openExisting, a.retireRoot),
	}
	cmd.AddCommand(retire)
	return cmd
}

// rootRow is a row of roots --json.
type rootRow struct {
	URI          string    `json:"uri"`
	Name         string    `json:"name"`
	Owner        string    `json:"owner"`
	Kind         string    `json:"kind"`
	Documents    int       `json:"documents"`
	New          int       `json:"new"`
	Changed      int       `json:"changed"`
	Gone         int       `json:"gone"`
	Links        int       `json:"links"`
	Dead         int       `json:"dead"`
	LastWhole    time.Time `json:"last_whole,omitzero"`
	Next         time.Time `json:"next,omitzero"` // zero: in the next run
	FailingSince time.Time `json:"failing_since,omitzero"`
	Message      string    `json:"message"`
}

func (a *app) listRoots(ctx context.Context, st *store.Store, asJSON bool) error {
	kept, err := st.Roots()
	if err != nil {
		return err
	}
	counts, err := sources.List(ctx, st, false)
	if err != nil {
		return err
	}
	var rows []rootRow
	for _, k := range kept {
		rows = append(rows, rootRow{URI: k.URI, Name: k.Name, Owner: k.Owner, Kind: k.Kind, Documents: k.Documents, New: k.New, Changed: k.Changed, Gone: k.Gone,
			LastWhole: k.Whole, FailingSince: k.Failing, Message: k.Message})
	}
	for _, s := range a.roots {
		address := s.URI
		if address == "" {
			address, _ = filepath.Abs(s.Path) // only in a folder that is gone it is as it is
		}
		at := slices.IndexFunc(rows, func(r rootRow) bool { return r.URI == address })
		if at < 0 {
			at, rows = len(rows), append(rows, rootRow{URI: address, Name: s.Name, Owner: s.Owner, Kind: cmp.Or(string(s.Kind), "path"), Message: "not read yet"})
		}
		rows[at].Owner = s.Owner
		if s.URI != "" {
			rows[at].Next = s.Every.Next(rows[at].LastWhole)
		}
	}
	for _, c := range counts {
		for i := range rows {
			if r := &rows[i]; r.URI == c.Source {
				r.Links, r.Dead = r.Links+c.Links, r.Dead+c.Dead
				if r.Kind == "path" {
					r.Documents, r.LastWhole, r.Message = r.Documents+c.Documents, c.LastRead, "read"
				}
			}
		}
	}
	slices.SortStableFunc(rows, func(x, y rootRow) int { return cmp.Or(strings.Compare(x.Name, y.Name), strings.Compare(x.URI, y.URI)) })
	return a.writeRoots(rows, asJSON)
}

// writeRoots writes the rows for people or for programs.
func (a *app) writeRoots(rows []rootRow, asJSON bool) error {
	if !asJSON && len(rows) > 0 {
		rows = slices.Insert(rows, 0, rootRow{})
	}
	return writeRows(a.stdout, rows, asJSON, func(r rootRow) (any, string) {
		if r.URI == "" {
			return nil, strings.Join([]string{"NAME", "KIND", "OWNER", "DOCUMENTS", "LINKS", "DEAD", "LAST WHOLE", "NEXT", "STATE", "ROOT"}, "\t")
		}
		r.URI, r.Message = a.mask(r.URI), a.maskText(r.Message)
		next := "next run"
		if !r.Next.IsZero() {
			next = plain.Date(r.Next)
		}
		cells := []string{r.Name, r.Kind, r.Owner, plain.Thousands(r.Documents), plain.Thousands(r.Links), plain.Thousands(r.Dead), plain.Date(r.LastWhole), next, r.Message, r.URI}
		for i := range cells {
			cells[i] = escape.Line(cells[i])
		}
		return r, strings.Join(cells, "\t")
	})
}

func (a *app) retireRoot(ctx context.Context, st *store.Store, now time.Time, args []string) error {
	kept, err := st.Roots()
	if err != nil {
		return err
	}
	done := 0
	for _, r := range kept {
		if r.Name != args[0] && r.URI != args[0] {
			continue
		}
		n, err := sources.Retire(st, r, now)
		if err != nil {
			return err
		}
		done++
		a.done("%s: %s retired\n", a.mask(fmt.Sprint(r.Name, " (", r.URI, ")")), plain.Plural(n, "document is", "documents are"))
		if slices.ContainsFunc(a.roots, func(s rootsettings.Setting) bool { return s.URI == r.URI }) {
			a.log.Hint("%s stands in the configuration: the next run reads it again, if its table stays there", a.mask(r.URI))
		}
	}
	if done == 0 {
		return exit.Fail(exit.BadUsage, "'linkcheck roots' lists them; 'linkcheck store forget' is for paths", "%.200q is no archive over the network that %s knows", a.mask(args[0]), st.Path())
	}
	return nil
}
