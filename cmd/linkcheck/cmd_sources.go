package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/internal/escape"
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
  linkcheck store sources --store library.db --files --json`, "List what was read, when, and what it gave", noArgs, v.with(v.openToRead, v.listSources))
	list.Flags().BoolVar(&v.source.files, "files", false, "every file, not only the paths that runs were given")
	list.Flags().BoolVar(&v.source.json, "json", false, "one JSON object a line")
	forget := sub("forget NAME", `forget --store library.db --dry-run /srv/old
  linkcheck store forget --store library.db 'Rare Books'`, "Forget a file, a folder or a collection that is read no more", exactArgs(1), v.with(openExisting, v.forget))
	forget.Long = `Retire the places of links in a file, in a folder with all below it, or in a collection:
NAME is a path or a collection.
Links that stand nowhere else are neither asked about nor reported any more. Their history is
kept for 90 days, and comes back if a run reads them again; 'linkcheck store prune' forgets
it for good. Nothing on the disk is touched.`
	forget.Flags().BoolVar(&v.source.dryRun, "dry-run", false, "only say what would be forgotten")
	rename := sub("rename OLD NEW", `rename --store library.db /srv/old /srv/new
  linkcheck store rename --store library.db --as collection opac catalogue`, "Tell the store of another name of a file, a folder or a collection", exactArgs(2), v.with(openExisting, v.rename))
	rename.Long = `Give a file, a folder with all below it, or a collection another name in the store, after
it was renamed on the disk. All that is known of its links is kept, and nothing is read
again that has not changed. A collection that had its name from a folder gets the new one.`
	for _, c := range []*cobra.Command{forget, rename} {
		wordFlag(c, &v.source.as, "as", "", "`KIND` of the name where it could be both: path or collection", asWords)
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
		cells := []string{r.LastRead.UTC().Format("2006-01-02 15:04"), thousands(r.Documents), thousands(r.Links), thousands(r.Dead), thousands(r.Damaged),
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
		if err := oneOf("as", v.source.as, asWords); err != nil {
			return sources.Choice{}, err
		}
	}
	c, known, err := sources.Find(st, name, v.source.as)
	switch {
	case errors.Is(err, sources.ErrUnknown):
		hint := didYouMean(nearest(name, known)) + "'linkcheck store sources' lists what there is"
		return c, fail(exitUsage, v.maskText(hint), "%.200q is no source and no collection of %s", v.maskText(name), st.Path())
	case errors.Is(err, sources.ErrAmbiguous):
		return c, fail(exitUsage, "--as path or --as collection says which", "%.200q is a path and a collection, and they do not hold the same", v.maskText(name))
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
	escape.Printf(v.stdout, "%s %s: %s with %s; %s of them (%s dead) nowhere else\n", did, v.maskText(args[0]), plural(sum.Documents, "document", "documents"),
		plural(sum.Mentions, "place", "places"), plural(sum.Links, "link stands", "links stand"), thousands(sum.Dead))
	return nil
}

func (v *storeVerbs) rename(ctx context.Context, st *store.Store, now time.Time, args []string) error {
	if args[1] == "" {
		return usage("the new name is empty")
	}
	c, err := v.find(st, args[0])
	if err != nil {
		return err
	}
	n, err := c.Rename(ctx, st, args[1], now)
	if err != nil {
		return err
	}
	escape.Printf(v.stdout, "%s: %s known by the new name\n", v.maskText(args[0]), plural(n, "document is", "documents are"))
	return nil
}
