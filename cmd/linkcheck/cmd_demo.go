package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/check"
	"linkcheck/crawl"
	"linkcheck/fleet"
	"linkcheck/fleet/oneprocess"
	"linkcheck/harvest"
	"linkcheck/ingest"
	"linkcheck/internal/escape"
	"linkcheck/internal/exit"
	"linkcheck/internal/flags"
	"linkcheck/internal/lab"
	"linkcheck/internal/netflags"
	"linkcheck/internal/plain"
	"linkcheck/internal/rootsettings"
	"linkcheck/report"
	"linkcheck/report/text"
	"linkcheck/store"
	"linkcheck/testdata/corpus"
)

// demoBegin is the first night of the demo; demoTimeout bounds its probes.
const (
	demoBegin   = "2026-11-14T02:00:00Z"
	demoTimeout = 5 * time.Second
)

func cmdDemo(a *app) *cobra.Command {
	var dir, now string
	var nights, workers int
	var labOnly bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show everything at work, offline and in seconds",
		Long: `Start small servers on loopback for every protocol, put them behind the names in the
documents that come with the program, and do for eight nights what cron would do:
read files and a site, check, remember, report. The clients are the real ones, over real sockets;
only the clock is moved.`,
		Example: "  linkcheck demo\n  linkcheck demo --dir wells\n  linkcheck demo --workers 3\n  linkcheck demo --lab > lab.toml &",
		Args:    exit.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if nights < 1 || nights > 60 {
				return exit.Usage("--nights is 1 to 60")
			}
			if workers < 0 || workers > demoShards {
				return exit.Usage("--workers is 0 to %d", demoShards)
			}
			if labOnly {
				return a.demoLab(cmd.Context())
			}
			begin, err := flags.Clock(now)
			if err != nil {
				return err
			}
			return a.demo(cmd.Context(), dir, begin(), nights, workers)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "`FOLDER` for documents, store and report (default: a new one)")
	cmd.Flags().StringVar(&now, "now", demoBegin, "take this `TIME` for the first night")
	cmd.Flags().IntVar(&nights, "nights", 8, "how many nights to live through")
	cmd.Flags().IntVar(&workers, "workers", 0, "have so many `WORKERS` share the nights as a fleet does, of which one is killed in night 4; 0: there is no fleet")
	cmd.Flags().BoolVar(&labOnly, "lab", false, "only keep the servers running, and print the configuration that leads to them")
	return cmd
}

func (a *app) demo(ctx context.Context, dir string, begin time.Time, nights, workers int) (err error) {
	if dir == "" {
		if dir, err = os.MkdirTemp("", "linkcheck-demo-"); err != nil {
			return exit.Usage("%w", err)
		}
	}
	docs, file, page := filepath.Join(dir, "documents"), filepath.Join(dir, "demo.db"), filepath.Join(dir, "report.html")
	for _, name := range []string{file, docs, page} { // be it a link that leads to nothing
		if _, err := os.Lstat(name); err == nil {
			return exit.Fail(exit.BadUsage, "give another folder, or remove this one first", "%s is there: a demo was lived here already", name)
		}
	}
	if err := corpus.WriteDemo(docs); err != nil {
		return exit.Usage("demo: %w", err)
	}
	servers, err := lab.Start()
	if err != nil {
		return exit.Usage("demo: %w", err)
	}
	defer func() { err = errors.Join(err, servers.Close()) }()
	d := &demo{app: a, servers: servers, docs: docs, store: file, begin: begin}
	a.done("The documents are in %s\n", docs)
	live := d.nights
	if workers > 0 {
		live = func(ctx context.Context, nights int) error { return d.fleet(ctx, dir, workers, nights) }
	}
	if err := live(ctx, nights); err != nil {
		return err
	}
	if err := d.report(ctx, nights-1, page); err != nil {
		return err
	}
	a.done("\nThe report: %s\nThe store:  %s (try: linkcheck report --store %s)\n", page, d.store, report.ShellWord(d.store))
	return nil
}

// demoLab runs the servers until it is interrupted. The configuration leads every
// name to them by port, so any documents can be checked without a network.
func (a *app) demoLab(ctx context.Context) error {
	servers, err := lab.Start()
	if err != nil {
		return exit.Usage("demo: %w", err)
	}
	io.WriteString(a.stdout, labConfig(append(servers.ConnectTo(), servers.CatchAll()...)))
	a.log.Info("the servers run until Ctrl-C; what stands on standard output is a file for --config")
	<-ctx.Done()
	return servers.Close()
}

// demo runs the nights of one library.
type demo struct {
	*app
	servers     *lab.World
	docs, store string
	begin       time.Time
	still       bool // the clock stands in a night
}

// flags are those that a user would give to `run` to check against the lab.
func (d *demo) flags(night int) *netflags.Flags {
	n := &netflags.Flags{}
	n.Register(&cobra.Command{}, version)
	n.Now = d.begin.AddDate(0, 0, night).Format(time.RFC3339)
	n.Still = d.still
	n.ConnectTo = d.servers.ConnectTo()
	n.Crawl.HostDelay, n.Crawl.RetryDelay, n.Crawl.Policy.Splay = 0, 0, 0
	n.Probe.Timeout, n.Probe.FileHost, n.Probe.Contact = demoTimeout, "ftp", "demo@wells.test"
	n.Probe.NNTP.Servers = []string{"news.wells.test"}
	return n
}

// demoSite is the archive of the demo that is read from its server.
var demoSite = harvest.Root{URI: "http://guides.wells.test/", Kind: harvest.Web, Name: "Guides", Owner: "web@wells.test"}

func (d *demo) nights(ctx context.Context, nights int) error {
	for night := range nights {
		if err := d.runNight(ctx, night); err != nil {
			return err
		}
	}
	return nil
}

// runNight does for one night what `linkcheck run` does.
func (d *demo) runNight(ctx context.Context, night int) error {
	d.servers.SetNight(night)
	n := d.flags(night)
	net, err := n.Open(ctx, d.servers)
	if err != nil {
		return err
	}
	defer net.Probers.Close()
	st, err := openStore(ctx, d.store, net.Options.Now, nil)
	if err != nil {
		return err
	}
	defer st.Close()
	if err := d.read(ctx, st, net); err != nil {
		return err
	}
	sum, err := crawl.Check(ctx, st, net.Options)
	if err != nil {
		return storeFailed(err)
	}
	d.tell(night, &sum.Run)
	return nil
}

// read reads the documents and the site.
func (d *demo) read(ctx context.Context, st *store.Store, net *netflags.Network) error {
	_, err := ingest.Read(ctx, st, []string{d.docs}, ingest.Options{Collection: "Wells County Library", Now: net.Options.Now})
	if err != nil {
		return storeFailed(err)
	}
	_, err = readRemote(ctx, st, []rootsettings.Setting{{Root: demoSite}}, net.Probers, &net.Options, nil, ingest.HarvestOptions{Options: ingest.Options{Now: net.Options.Now}})
	return storeFailed(err)
}

func (d *demo) tell(night int, r *store.Run) {
	changes := ""
	for _, c := range sortedKeys(r.Changes) {
		changes += fmt.Sprintf(", %d %s", r.Changes[c], c)
	}
	d.done("Night %d: %s checked%s\n", night+1, plain.Plural(r.Checked, "link", "links"), changes)
}

const (
	demoShards = 8
	demoKilled = 3 // the night, from 0, in which a worker is killed
	demoAfter  = 2 // answers of that night
)

// fleet lives through the nights with some workers. The store is the folder of their shards.
func (d *demo) fleet(ctx context.Context, dir string, workers, nights int) error {
	d.store = filepath.Join(dir, "demo.shards")
	var night, answers atomic.Int32
	var turns atomic.Pointer[crawl.Turns] // of the reading of the night: in one process all know what it heard
	open := func(ctx context.Context) (*netflags.Network, error) {
		return d.flags(int(night.Load())).Open(ctx, d.servers)
	}
	f, err := oneprocess.Start(ctx, oneprocess.Options{
		Dir: dir, Shards: demoShards, Workers: workers, Probe: demoTimeout,
		Now: func() time.Time { return d.begin.AddDate(0, 0, int(night.Load())) },
		Read: func(ctx context.Context, st *store.Store) (uint64, error) {
			net, err := open(ctx)
			if err != nil {
				return 0, err
			}
			defer net.Probers.Close()
			if err := d.read(ctx, st, net); err != nil {
				return 0, err
			}
			turns.Store(net.Options.Turns)
			return st.StartRun(store.Run{Started: net.Options.Now(), Version: version})
		},
		Open: func(ctx context.Context, w *fleet.Worker) (crawl.Options, func() error, error) {
			net, err := open(ctx)
			if err != nil {
				return crawl.Options{}, nil, err
			}
			net.Options.Turns = turns.Load()
			net.Options.Kept = func(string, check.Result) {
				if workers > 1 && night.Load() == demoKilled && answers.Add(1) == demoAfter {
					w.Kill()
					d.done("Night %d: a worker is killed, and others take its shards\n", demoKilled+1)
				}
			}
			return net.Options, net.Probers.Close, nil
		},
		Tell: func(worker string, shard int, what error) {
			d.log.Warn("%s: shard %d: %s", worker, shard, exit.Text(what))
		},
	})
	if err != nil {
		return exit.Usage("demo: %w", err)
	}
	for n := 0; err == nil && n < nights; n++ {
		night.Store(int32(n))
		d.servers.SetNight(n)
		var all store.Run
		if all, err = f.Night(ctx); err == nil {
			d.tell(n, &all)
		}
	}
	return storeFailed(errors.Join(err, f.Close(ctx, d.store)))
}

// report prints the summary of the last night and writes the page.
func (d *demo) report(ctx context.Context, night int, page string) error {
	n := d.flags(night)
	r := &reportFlags{store: d.store, now: n.Now, o: report.Options{Title: "Wells County Library", Settings: n.Settings()}}
	st, err := d.openForReport(ctx, r)
	if err != nil {
		return err
	}
	defer st.Close()
	for _, write := range []form{whole(text.WriteSummary), text.WriteDuplicates} {
		escape.Printf(d.stdout, "\n")
		if err := write(ctx, d.stdout, st, r.o); err != nil {
			return reportFailed(err)
		}
	}
	return d.toFile(ctx, page, func(w io.Writer) error { return writeHTML(ctx, w, st, r.o) })
}

// labConfig is a configuration file that sends every name to the lab, without gaps
// between probes.
func labConfig(rules []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "host-delay = \"0s\"\nretry-delay = \"0s\"\nsplay = 0\ntimeout = %q\nnews-server = [\"news.wells.test\"]\nconnect-to = [\n", demoTimeout)
	for _, r := range rules {
		if strings.Contains(r, ":127.0.0.1:") {
			fmt.Fprintf(&b, "  %q,\n", r)
		}
	}
	b.WriteString("]\n")
	return b.String()
}
