package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/crawl"
	"linkcheck/extract"
	"linkcheck/harvest"
	"linkcheck/ingest"
	"linkcheck/internal/config"
	"linkcheck/internal/rootsettings"
	"linkcheck/store"
	"linkcheck/uri"
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
			return fail(exitUsage, didYouMean(nearest(unknown.Key, rootsettings.Keys()))+"'linkcheck init' writes a file with every key", "%w", err)
		}
		if err != nil {
			return usage("%w", err)
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
			return usage("%w", err)
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
		return r, usage("--root names a root of the configuration; give either that or a ROOT")
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
			return r, fail(exitUsage, "'linkcheck roots' lists them", "--root: no root of the configuration is called %.200q", name)
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
		return usage("%w", err)
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

// due leaves of the archives over the network those that a run reads now: all that were
// named, else those whose time has come or whose reading is under way.
func (r *archives) due(kept []store.Root, now time.Time) (list []rootsettings.Setting) {
	for _, s := range r.remote {
		at := slices.IndexFunc(kept, func(k store.Root) bool { return k.URI == s.URI })
		if r.named || at < 0 || kept[at].Sweep != 0 || s.Due(kept[at].Whole, now) {
			list = append(list, s)
		}
	}
	return list
}

// heard is what a harvest heard of addresses, for the links to them.
type heard struct {
	mu    sync.Mutex
	byKey map[string]check.Result
}

func (h *heard) keep(_, name string, r check.Result) {
	u, err := uri.Parse(name)
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.byKey[uri.SchemeKey(u)] = r
}

func (h *heard) find(url string) (r check.Result, ok bool) {
	u, err := uri.Parse(url)
	if err != nil {
		return r, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	r, ok = h.byKey[uri.SchemeKey(u)]
	return r, ok
}

// harvest reads the archives over the network that are due, and hands the turns of hosts
// and what was heard of them to the probes that follow.
func (a *app) harvest(ctx context.Context, st *store.Store, n *storeRun, o *crawl.Options) (unreadable, code int, err error) {
	kept, err := st.Roots()
	if err != nil {
		return 0, 0, storeFailed(err)
	}
	settings := n.archives.due(kept, o.Now())
	if len(settings)+len(kept) == 0 {
		return 0, exitOK, nil
	}
	turns, found := crawl.NewTurns(*o), &heard{byKey: map[string]check.Result{}}
	turns.Remember(st)
	reader := turns.Reader(n.reader)
	var roots []harvest.Root
	options := map[string]extract.Options{}
	for _, s := range settings {
		roots, options[s.URI] = append(roots, s.Root), s.Over(n.extract)
	}
	bar := a.progress()
	sum, err := ingest.Harvest(ctx, st, roots, ingest.HarvestOptions{
		Options: ingest.Options{AllowEmpty: n.allowEmpty, Now: o.Now},
		Workers: o.Workers,
		Harvester: func(r harvest.Root) (harvest.Harvester, error) {
			return harvest.New(r, reader, harvest.Options{Now: o.Now})
		},
		ExtractOf: func(r harvest.Root) extract.Options { return options[r.URI] },
		Heard:     found.keep,
		Progress: func(r *store.Root, c ingest.HarvestCounts) {
			bar.update("%s: %s known, %s asked, %s read, %s new, %s gone; %s", r.Name, thousands(c.Known), thousands(c.Asked), thousands(c.Read), thousands(r.New), thousands(c.Gone), a.mask(c.Last))
		},
	})
	bar.clear()
	o.Turns, o.Heard = turns, found.find
	for i := range sum.Roots {
		if a.tellRoot(&sum.Roots[i]); sum.Roots[i].Err != nil {
			unreadable++
		}
	}
	switch {
	case errors.Is(err, ingest.ErrUnreadable):
		return unreadable, exitPartial, nil
	case errors.Is(err, context.Canceled):
		a.log.Warn("interrupted; what was read is kept")
		return 0, 0, exitWith(exitInterrupted)
	case errors.Is(err, context.DeadlineExceeded):
		a.log.Warn("not all archives could be read in the time given; what was read is kept")
		return unreadable, exitPartial, nil
	case err != nil:
		return 0, 0, storeFailed(err)
	}
	return unreadable, exitOK, nil
}

// tellRoot says on standard error what the reading of a root brought.
func (a *app) tellRoot(r *ingest.RootSummary) {
	for _, p := range r.Problems {
		a.log.Warn("%s: %s", r.Root.Name, errorText(p))
	}
	if r.Untold > 0 {
		a.log.Warn("%s: and %s more", r.Root.Name, plural(r.Untold, "problem", "problems"))
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
	say("%s: %s, %s read, %s new, %s changed, %s gone: %s", r.Root.Name, plural(r.Root.Documents, "document", "documents"), thousands(r.Read),
		thousands(r.Root.New), thousands(r.Root.Changed), thousands(r.Root.Gone), a.maskText(r.Root.Message))
	if r.Root.Doubted {
		a.log.Hint("--allow-empty if what was there before is really gone")
	}
}

// sampleRoots is what init writes of the tables for archives.
const sampleRoots = `
## Archives, of run: one table each. A file of the current folder may have none. To use it
## take away the # | of its head and of the keys that you want.
# | [[root]]
#
# The address of an archive, or path for a file or folder. Addresses begin with https://
# or http:// (a web site), sitemap+https://, oai+https:// (OAI-PMH), sru+https://.
# | uri = "oai+https://catalogue.example.org/oai?set=ebooks"
# | path = "/srv/exports/opac.mrc"
#
# The name of its collection, who mends its links, where a record can be seen.
# | name = "E-book records"
# | owner = "systems@example.org"
# | record-url = "https://catalogue.example.org/bib/{id}"
#
# How often it is read: 12h, 1d, 7d (usual for addresses), sunday, month, always (usual
# for paths). Days begin at midnight UTC.
# | every = "sunday"
#
# Addresses that a walk over a site follows also, and that it leaves out: expressions.
# | follow = "/archive/"
# | no-follow = "[?&]print="
#
# Bounds: links from the first page, documents in all, octets and time of a run.
# | depth = 20
# | documents = 10000
# | bytes = "2GiB"
# | time = "1h"
#
# Of a catalogue: what is sought, and the format of its records.
# | query = "dc.subject=maps"
# | format = "marcxml"
#
# Secrets, for this server alone: user with password-file, or token-file; or in the
# environment LINKCHECK_SECRET_ with the name in capitals. A file must be open to its
# owner alone (chmod 600).
# | user = "harvester"
# | password-file = "/etc/linkcheck/oai-password"
# | token-file = "/etc/linkcheck/oai-token"
#
# Of a path: each reading takes the place of what the collection held before.
# | replace = true
#
# How its documents are read, where not as the flags of run say.
# | input = "marc"
# | base = "https://catalogue.example.org/"
# | charset = "utf-8"
# | marc-tags = ["856u", "956u"]
# | record-id = "001"
`
