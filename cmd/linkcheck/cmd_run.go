package main

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/check/all"
	"linkcheck/crawl"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/rootsettings"
	"linkcheck/judge"
	"linkcheck/report/words"
	"linkcheck/store"
	"linkcheck/store/facts"
	"linkcheck/store/marks"
	"linkcheck/uri"
)

// runHelp is what `linkcheck run --help` prints first.
const runHelp = `Read the links of the documents at each ROOT into the store (what has not changed is not
read again), probe those that are due, and print a summary. A ROOT is a file, a folder, or
the address of an archive: https:// or http:// for a web site (its pages below that
address), sitemap+https:// for what a sitemap lists, oai+https:// for a catalogue that shares
its records by OAI-PMH, sru+https:// or z39.50s:// for what a query finds in a catalogue,
wasapi+https:// for web archive files (Archive-It), news:// for newsgroups, imaps:// for a
mailbox, gopher:// for menus, ftp:// for folders. Without one the tables [[root]] of the
configuration say what is read, and how often. With --quiet it prints nothing
unless there is news, so that cron mails only then.

An archive over the network is read politely: one connection, two seconds between two
requests, an hour a night; the next run goes on where that was not enough. Of a site 10,000
pages are read unless its table says otherwise; parts that may have no end, such as
calendars, come last, and are held back where 2,500 are known. What does not answer is not
taken for gone.

With --map DIR=URL the files of a folder or archive are read as the web site that they were,
and links to what is among them are asked of no server. Of several the longest holds.

A file that 'linkcheck extract --jsonl' wrote, packed or not, is read in place of the
documents that it names. With --documents the store is as if they were read themselves: a
document that it named before and no longer names is gone; where it breaks off nothing is.

A document is known by its whole path, however it is named here; 'linkcheck store rename'
tells the store of another name. What is damaged is told once (exit code 3), and then
listed in the report and in 'linkcheck store sources'.

`

func cmdRun(a *app) *cobra.Command {
	n := &storeRun{}
	cmd := &cobra.Command{
		Use:   "run [ROOT...]",
		Short: "Read the sources, check what is due, say what changed: the line for cron",
		Long:  runHelp + exit.Table,
		Example: `  linkcheck run --store library.db catalogue.mrc mail/ rfc/
  linkcheck run --store guides.db https://guides.library.example/
  linkcheck run --store library.db 'oai+https://catalogue.library.example/oai?set=ebooks'
  linkcheck run --store library.db --browser /usr/bin/chromium mail/
  linkcheck run --store library.db --owners '$5' --owners desks.toml --mail-owners opac.mrc
  linkcheck run --store guides.db --columns id=BibID,title=Title,url=URL,owner=Branch guides.xlsx
  linkcheck run --store crawls.db part-*.jsonl.zst
  linkcheck run --store site.db --map mirror=https://www.example.org/ mirror/
  linkcheck run --engine nats://127.0.0.1:4222 --copies /srv/copies /srv/archive
  linkcheck run --store library.db --collection opac --replace export-2026-11.mrc
  17 2 * * *  linkcheck run --quiet --fail-on newly-dead --store /var/lib/linkcheck/library.db /srv/archive`,
		Args: notStandardInput,
		RunE: func(cmd *cobra.Command, words []string) (err error) {
			if n.archives, err = a.choose(words, n.roots); err != nil {
				return err
			}
			if n.archives.none() {
				return exit.Fail(exit.BadUsage, exit.SeeHelp(cmd), "run wants a ROOT: a file, a folder or the address of an archive, or tables [[root]] in the configuration")
			}
			return a.runStore(cmd.Context(), n)
		},
	}
	n.net.Register(cmd, version)
	n.due.register(a, cmd)
	n.reading.Register(cmd, &n.extract)
	f := cmd.Flags()
	flags.Word(cmd, &n.failOn, "fail-on", "never", "exit with 1 on `WHAT`: newly-dead or dead links, any failure, or never", failOnWords)
	f.StringVar(&n.collection, "collection", "", "`NAME` of the collection (default: the name of each path)")
	f.StringArrayVar(&n.roots, "root", nil, "read the root of the configuration that has this `NAME`, due or not (repeatable)")
	f.BoolVar(&n.allowEmpty, "allow-empty", false, "a source that now gives no documents is really empty: retire its links")
	f.IntVar(&n.verifyEvery, "verify-every", 7, "before every `N`th run, verify the store as 'store verify' does (0: never); each run checks all its rows")
	selectionFlags(cmd, &n.which)
	f.BoolVar(&n.replace, "replace", false, "the documents are all of the --collection: retire what else it held, unless they are far fewer")
	f.BoolVar(&n.dryRun, "dry-run", false, "ask nothing and write nothing: print what would be read, and the first 100 addresses that would be asked, in order")
	n.fleet.register(cmd, "make the night of a fleet, whose engine is")
	n.mail.register(cmd, "send the summary, where there is news,")
	f.StringVar(&n.webhook, "webhook", "", "post what is new, where there is news, to this `URL` as a JSON object (docs/OPERATIONS.md)")
	f.BoolVar(&n.mail.owners, "mail-owners", false, "mail to each who mends links, and has an address, what is new of theirs; see --owners")
	f.StringVar(&n.recordURL, "record-url", "", "`TEMPLATE` of a record's address, such as https://ils/bib/{id}; the store remembers it for reports")
	return cmd
}

// notStandardInput wants roots that are there the next night too.
func notStandardInput(_ *cobra.Command, args []string) error {
	switch {
	case slices.Contains(args, "-"):
		return exit.Usage("run remembers where links stand, and standard input is gone tomorrow; give files or folders, or use extract")
	case slices.Contains(args, ""):
		return exit.Fail(exit.BadUsage, "'.' is this folder", "an empty PATH: is a variable of the shell not set?")
	}
	return nil
}

// dueFlags choose the links of a store to check, and say what is printed of the run.
type dueFlags struct {
	store       string
	links       store.Filter // as the flags set it
	fresh       bool
	states      []string
	maxDuration flags.Duration
	logAnswers  bool
	canaries    []string
	lang        string
	metrics     string
	browser     browserFlags
}

func (d *dueFlags) register(a *app, cmd *cobra.Command) {
	f := cmd.Flags()
	storeFlag(cmd, &d.store)
	f.BoolVar(&d.links.All, "all", false, "check every link, due or not")
	f.BoolVar(&d.fresh, "new", false, "only links that were never checked")
	f.StringSliceVar(&d.states, "state", nil, "only links in these `STATES`, such as failing,dead")
	f.StringVar(&d.links.Host, "host", "", "only links on this `HOST`")
	f.Var(&d.maxDuration, "max-duration", "stop after this `TIME`, reading included; the rest stays due (exit code 3); 0 is no limit")
	f.StringArrayVar(&d.canaries, "canary", nil, "`URI` known to be good, asked first and not reported: where none is there, no failure counts (repeatable)")
	f.BoolVar(&d.logAnswers, "log-answers", false, "write every answer to standard error, also with --quiet")
	f.BoolVar(&a.logJSON, "log-json", false, "short for --log-format json --log-answers")
	d.browser.register(cmd)
	langFlag(cmd, &d.lang)
	flags.Completes(cmd, "state", stateWords())
	f.StringVar(&d.metrics, "metrics", "", "write figures for node_exporter's textfile collector into `FILE`, however the run ends")
}

// within bounds reading by the time that the run may take.
func (d *dueFlags) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if d.maxDuration > 0 {
		return context.WithTimeout(ctx, time.Duration(d.maxDuration))
	}
	return context.WithCancel(ctx)
}

// filter is the choice of links, checked; the other flags are checked with it.
func (d *dueFlags) filter() (store.Filter, error) {
	filter := d.links
	if filter.Host != "" {
		filter.Host = marks.HostOf(filter.Host)
	}
	if d.maxDuration < 0 {
		return filter, exit.Usage("--max-duration is not negative")
	}
	if !slices.Contains(words.Languages(), d.lang) {
		return filter, exit.Usage("--lang: %q is not one of %s", d.lang, strings.Join(words.Languages(), ", "))
	}
	if d.fresh {
		filter.States = append(filter.States, judge.New)
	}
	for _, word := range d.states {
		state, _ := judge.ParseState(word)
		if state.String() != word { // ParseState also takes capitals
			return filter, exit.Usage("--state: %q is no state; there are %s", word, strings.Join(stateWords(), ", "))
		}
		filter.States = append(filter.States, state)
	}
	return filter, nil
}

// canaryURIs are those of --canary, which must be of a scheme that is probed.
func canaryURIs(probers *all.Probers, words []string) (list []uri.URI, err error) {
	for _, s := range words {
		u, err := uri.Parse(s)
		if err != nil {
			return nil, exit.Usage("--canary: %w", err)
		}
		if _, row := probers.Lookup(u.Scheme()); row.Off != "" {
			return nil, exit.Usage("--canary: %s is not probed: %s", u.Scheme(), row.Off)
		}
		list = append(list, u)
	}
	return list, nil
}

// stateWords lists the words of all states, in their order.
func stateWords() (words []string) {
	for s := judge.New; s <= judge.Ignored; s++ {
		words = append(words, s.String())
	}
	return words
}

// dryRunMost is how many addresses of each kind a dry run prints.
const dryRunMost = 100

// dryRun prints what a run would read and ask first, by what the store knows, and does
// neither. What is found by reading comes between the two.
func (a *app) dryRun(ctx context.Context, n *storeRun, o crawl.Options) error {
	show := func(what, name string) { a.done("%s\t%s\n", what, a.mask(name)) }
	for _, path := range n.archives.paths {
		show("read", path)
	}
	for _, s := range n.archives.folders {
		show("read", s.Path)
	}
	var st *store.Store
	var kept []store.Root
	var ended time.Time
	if _, err := os.Stat(n.due.store); err == nil {
		if st, err = a.openToRead(ctx, n.due.store, o.Now); err != nil {
			return err
		}
		defer st.Close()
		if kept, err = st.Roots(); err != nil {
			return storeFailed(err)
		}
		if ended, err = lastEnd(st); err != nil {
			return storeFailed(err)
		}
	}
	left := dryRunMost
	for _, s := range n.archives.due(kept, ended, o.Now()) {
		show("harvest", s.Address())
		left--
		if at := slices.IndexFunc(kept, func(k store.Root) bool { return k.URI == s.URI }); at >= 0 {
			if err := knownOf(st, &kept[at], left, func(name string) { show("harvest", name); left-- }); err != nil {
				return storeFailed(err)
			}
		}
	}
	if st == nil {
		return nil
	}
	urls, err := crawl.Planned(st, o, dryRunMost)
	for _, u := range urls {
		show("probe", u)
	}
	return storeFailed(err)
}

// knownOf yields the documents of a root but the first page, those first that were asked for longest ago.
func knownOf(st *store.Store, root *store.Root, most int, yield func(name string)) error {
	var list []store.Source
	for src, err := range st.Sources() {
		if err != nil {
			return err
		}
		if src.Remote == root.Number && src.Gone.IsZero() && src.Path != root.URI {
			list = append(list, src)
		}
	}
	slices.SortStableFunc(list, func(x, y store.Source) int { return cmp.Compare(x.Asked, y.Asked) })
	for _, src := range list[:min(len(list), max(most, 0))] {
		yield(src.Path)
	}
	return nil
}

// sameNight is how long after a run that was cut off the next one goes on with its night.
const sameNight = 12 * time.Hour

// due leaves of the archives over the network those that a run reads now: all that were
// named, else those whose time has come or whose reading is under way. What was read whole since a
// run ended, at the time ended, was read in this night: by runs that were cut off.
func (r *archives) due(kept []store.Root, ended, now time.Time) (list []rootsettings.Setting) {
	for _, s := range r.remote {
		at := slices.IndexFunc(kept, func(k store.Root) bool { return k.URI == s.URI })
		if at >= 0 && kept[at].Sweep == 0 && kept[at].Whole.After(ended) && now.Sub(kept[at].Whole) < sameNight {
			continue
		}
		if r.named || at < 0 || kept[at].Sweep != 0 || s.Due(kept[at].Whole, now) {
			list = append(list, s)
		}
	}
	return list
}

// lastEnd is when the last run ended that was not cut off; zero: none did.
func lastEnd(st *store.Store) (ended time.Time, err error) {
	for r, err := range st.Runs() {
		if err != nil {
			return ended, err
		}
		if r.Note != facts.Interrupted && r.Ended.After(ended) {
			ended = r.Ended
		}
	}
	return ended, nil
}
