package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/crawl"
	"linkcheck/extract"
	"linkcheck/fleet"
	"linkcheck/harvest"
	"linkcheck/ingest"
	"linkcheck/internal/config"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/plain"
	"linkcheck/internal/rootsettings"
	"linkcheck/store"
)

// readRoots reads the tables [[root]] of files, the strongest of which comes first: its
// table for a root holds.
func (a *app) readRoots(ctx context.Context, cmd *cobra.Command, files []*config.File) error {
	for _, f := range files {
		var list []rootsettings.Source
		for number, values := range f.List("root") {
			list = append(list, rootsettings.Source{Values: values, Where: func(key string) string { return f.AtTable("root", number, key) }})
		}
		settings, err := rootsettings.Parse(list)
		if unknown, ok := errors.AsType[*rootsettings.UnknownKey](err); ok {
			return exit.Fail(exit.BadUsage, exit.DidYouMean(flags.Nearest(unknown.Key, rootsettings.Keys()))+"'linkcheck init' writes a file with every key", "%w", err)
		}
		if err != nil {
			return exit.Usage("%w", err)
		}
		for _, s := range settings {
			if !slices.ContainsFunc(a.roots, func(known rootsettings.Setting) bool { return known.URI == s.URI && known.Path == s.Path }) {
				a.roots = append(a.roots, s)
			}
		}
	}
	if !probes[verbPath(cmd)] {
		return nil
	}
	for i := range a.roots { // before the sandbox keeps us from files that no flag names
		if err := a.roots[i].Load(ctx, a.getenv); err != nil {
			return exit.Usage("%w", err)
		}
	}
	return nil
}

// archives are what a run reads.
type archives struct {
	paths   []string               // of the command line
	folders []rootsettings.Setting // paths of the configuration
	remote  []rootsettings.Setting // URIs
	named   bool                   // by the person: they are read whether they are due or not
}

// none says that nothing is to be read.
func (r *archives) none() bool { return len(r.paths)+len(r.folders)+len(r.remote) == 0 }

// choose says what a run reads: the roots that the words of the command line give, those of
// the configuration with the names, or all of the configuration.
func (a *app) choose(words, names []string) (r archives, err error) {
	if len(words) > 0 && len(names) > 0 {
		return r, exit.Usage("--root names a root of the configuration; give either that or a ROOT")
	}
	r.named = len(words)+len(names) > 0
	for _, word := range words {
		if err := r.add(a, word); err != nil {
			return r, err
		}
	}
	for i := range a.roots {
		s := &a.roots[i]
		switch {
		case len(words) > 0 || len(names) > 0 && !slices.Contains(names, s.Name):
		case s.Path != "":
			r.folders = append(r.folders, *s)
		default:
			r.remote = append(r.remote, *s)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(a.roots, func(s rootsettings.Setting) bool { return s.Name == name }) {
			return r, exit.Fail(exit.BadUsage, "'linkcheck roots' lists them", "--root: no root of the configuration is called %.200q", name)
		}
	}
	return r, nil
}

// add takes a word of the command line: a path that is there, or else the URI of a root.
func (r *archives) add(a *app, word string) error {
	if _, err := os.Lstat(word); err == nil {
		r.paths = append(r.paths, word)
		return nil
	}
	root, err := harvest.ParseRoot(word)
	switch {
	case errors.Is(err, harvest.ErrPath):
		r.paths = append(r.paths, word)
		return nil
	case err != nil:
		return exit.Usage("%w", err)
	}
	is := func(s rootsettings.Setting) bool { return s.URI == root.URI }
	if slices.ContainsFunc(r.remote, is) {
		return nil
	}
	if at := slices.IndexFunc(a.roots, is); at >= 0 {
		r.remote = append(r.remote, a.roots[at])
	} else {
		r.remote = append(r.remote, rootsettings.Setting{Root: root})
	}
	return nil
}

// readSources reads what is on the disk, then what is not.
func (a *app) readSources(ctx context.Context, st *store.Store, n *storeRun, o *crawl.Options) (unreadable, code int, err error) {
	ctx, cancel := n.due.within(ctx)
	defer cancel()
	part := func(read func() (int, int, error)) {
		if err == nil {
			some, worse, failed := read()
			unreadable, code, err = unreadable+some, exit.Worst(code, worse), failed
		}
	}
	options := ingest.Options{Collection: n.collection, Extract: n.extract, AllowEmpty: n.allowEmpty, Selection: n.which, Replace: n.replace, Owners: n.reading.Owners(), Now: o.Now}
	if len(n.archives.paths) > 0 {
		part(func() (int, int, error) { return a.ingest(ctx, st, n, n.archives.paths, options) })
	}
	for _, s := range n.archives.folders {
		options.Collection, options.Extract, options.Replace = s.Name, s.Over(n.extract), s.Replace
		part(func() (int, int, error) { return a.ingest(ctx, st, n, []string{s.Path}, options) })
	}
	part(func() (int, int, error) { return a.harvest(ctx, st, n, o) })
	return unreadable, code, err
}

// harvest reads the archives over the network that are due.
func (a *app) harvest(ctx context.Context, st *store.Store, n *storeRun, o *crawl.Options) (unreadable, code int, err error) {
	kept, err := st.Roots()
	if err != nil {
		return 0, 0, storeFailed(err)
	}
	ended, err := lastEnd(st)
	if err != nil {
		return 0, 0, storeFailed(err)
	}
	due := n.archives.due(kept, ended, o.Now())
	a.nest(due, n.archives.remote)
	if len(due)+len(kept) == 0 {
		return 0, exit.OK, nil
	}
	bar, begun := a.progress(), time.Now()
	sum, err := readRemote(ctx, st, due, n.reader, o, n.shard, ingest.HarvestOptions{
		Options: ingest.Options{Extract: n.extract, AllowEmpty: n.allowEmpty, Owners: n.reading.Owners(), Now: o.Now},
		Workers: o.Workers,
		Progress: func(r *store.Root, c ingest.HarvestCounts) {
			rate := float64(c.Read+c.Same+c.Failed) / max(time.Since(begun).Minutes(), 1./60)
			bar.Update("%s: %s of %s documents known were asked, %s read, %s new, %s gone; %s a minute, waiting %s between two requests; %s",
				r.Name, plain.Thousands(c.Asked), plain.Thousands(c.Known), plain.Thousands(c.Read), plain.Thousands(r.New), plain.Thousands(c.Gone), plain.Thousands(int(rate)), o.HostDelay, a.mask(c.Last))
		},
	})
	bar.Clear()
	for i := range sum.Roots {
		if a.tellRoot(&sum.Roots[i]); sum.Roots[i].Err != nil {
			unreadable++
		}
	}
	switch {
	case errors.Is(err, ingest.ErrUnreadable):
		return unreadable, exit.Partial, nil
	case errors.Is(err, context.Canceled):
		a.log.Warn("interrupted; what was read is kept")
		return 0, 0, exit.With(exit.Interrupted)
	case errors.Is(err, context.DeadlineExceeded):
		a.log.Warn("not all archives could be read in the time given; what was read is kept")
		return unreadable, exit.Partial, nil
	case err != nil:
		return 0, 0, storeFailed(err)
	}
	return unreadable, exit.OK, nil
}

// nest says of the archives that are due which of the run and of the configuration lie inside
// them.
func (a *app) nest(due, run []rootsettings.Setting) {
	var all []harvest.Root
	for _, s := range slices.Concat(run, a.roots) {
		all = append(all, s.Root)
	}
	for i := range due {
		due[i].Inner = harvest.Inner(&due[i].Root, all)
	}
}

// readRemote reads archives over the network, and hands the turns of hosts and what was
// heard of them to the probes that follow. shard is that of a fleet; nil: it is none.
func readRemote(ctx context.Context, st *store.Store, settings []rootsettings.Setting, r check.Reader, o *crawl.Options, shard *fleet.Shard, how ingest.HarvestOptions) (ingest.HarvestSummary, error) {
	turns := crawl.NewTurns(*o)
	if err := remember(ctx, st, turns, shard, o.Now(), &how); err != nil {
		return ingest.HarvestSummary{}, err
	}
	o.Turns, r = turns, turns.Reader(r)
	var roots []harvest.Root
	options := map[string]extract.Options{}
	for _, s := range settings {
		roots, options[s.URI] = append(roots, s.Root), s.Over(how.Extract)
	}
	how.Harvester = func(root harvest.Root) (harvest.Harvester, error) {
		return harvest.New(root, r, harvest.Options{Now: o.Now})
	}
	how.ExtractOf = func(r harvest.Root) extract.Options { return options[r.URI] }
	how.Heard = func(_, name string, r check.Result) { turns.Keep(name, r) }
	return ingest.Harvest(ctx, st, roots, how)
}

// tellRoot says on standard error what the reading of a root brought.
func (a *app) tellRoot(r *ingest.RootSummary) {
	for _, p := range r.Problems {
		a.log.Warn("%s: %s", r.Root.Name, exit.Text(p))
	}
	if r.Untold > 0 {
		a.log.Warn("%s: and %s more", r.Root.Name, plain.Plural(r.Untold, "problem", "problems"))
	}
	say := a.log.Info
	if r.Err != nil {
		say = a.log.Warn
	} else if a.quiet {
		return
	}
	for _, note := range r.Notes {
		say("%s: %s", r.Root.Name, a.maskText(note))
	}
	say("%s: %s, %s read, %s new, %s changed, %s gone: %s", r.Root.Name, plain.Plural(r.Root.Documents, "document", "documents"), plain.Thousands(r.Read),
		plain.Thousands(r.Root.New), plain.Thousands(r.Root.Changed), plain.Thousands(r.Root.Gone), a.maskText(r.Root.Message))
	if stop, ok := errors.AsType[*harvest.Stop](r.Err); r.Root.Doubted && r.Err != nil && (!ok || stop.SaysAllGone()) {
		a.log.Hint("--allow-empty if what was there before is really gone")
	}
}

// heldBack says of links why they are not asked about: they lead to what the walk of an archive
// holds back, and stand in documents of that archive alone.
func (a *app) heldBack(st *store.Store) (func(id uint64, address string) string, error) {
	const mostPlaces = 1000 // of a link are looked at
	kept, err := st.Roots()
	if err != nil {
		return nil, storeFailed(err)
	}
	bounds := map[uint32]*harvest.Bounds{}
	for _, k := range kept {
		root, err := harvest.ParseRoot(k.URI)
		if at := slices.IndexFunc(a.roots, func(s rootsettings.Setting) bool { return s.URI == k.URI }); at >= 0 {
			root = a.roots[at].Root
		}
		if b, wrong := harvest.NewBounds(root); err == nil && wrong == nil && b != nil {
			bounds[k.Number] = b
		}
	}
	for number, b := range bounds {
		for src, err := range st.Under(number) {
			if err != nil {
				return nil, storeFailed(err)
			}
			if src.Gone.IsZero() {
				b.Add(harvest.Document{Name: src.Path, Version: src.Version, Read: src.Read != 0})
			}
		}
	}
	return func(id uint64, address string) string {
		for _, number := range slices.Sorted(maps.Keys(bounds)) {
			why := bounds[number].HeldBack(address)
			if why == "" {
				continue
			}
			elsewhere := func(m store.Mention) bool { return m.Remote != number }
			if e, err := st.Entry(id, mostPlaces); err == nil && !slices.ContainsFunc(e.LiveMentions, elsewhere) {
				return why
			}
		}
		return ""
	}, nil
}
