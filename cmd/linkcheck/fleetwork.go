package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/crawl"
	"linkcheck/fleet"
	"linkcheck/fleet/overview"
	"linkcheck/ingest"
	"linkcheck/internal/exit"
	"linkcheck/internal/netflags"
	"linkcheck/internal/newfile"
	"linkcheck/internal/plain"
	"linkcheck/store"
	"linkcheck/uri/equal"
)

// engineFlags say where the engine of a fleet is, and which set there is meant.
type engineFlags struct {
	at  fleet.Access
	set string
}

func (e *engineFlags) register(cmd *cobra.Command, what string) {
	f := cmd.Flags()
	f.StringVar(&e.at.URL, "engine", "", what+" at this `URL` of a NATS server with JetStream, such as linkcheck-engine: nats://host:4222, tls://host:4222; several are separated by commas")
	f.StringVar(&e.set, "set", "", "`NAME` of the set (default: the only one of the account)")
	f.StringVar(&e.at.Creds, "creds", "", "`FILE` with the credentials of a user of the engine")
	f.StringVar(&e.at.CA, "tls-ca", "", "`FILE` with certificates to be believed of the engine (PEM)")
	f.StringVar(&e.at.Cert, "tls-cert", "", "`FILE` with our certificate for the engine (PEM)")
	f.StringVar(&e.at.Key, "tls-key", "", "`FILE` with its key")
}

// check refuses what cannot be meant.
func (e *engineFlags) check() error {
	if e.at.URL == "" {
		return exit.Fail(exit.BadUsage, "linkcheck-engine is one for the workers of a machine", "--engine is missing: where the engine of the fleet is")
	}
	if (e.at.Cert == "") != (e.at.Key == "") {
		return exit.Usage("--tls-cert and --tls-key come together")
	}
	for _, f := range [][2]string{{"creds", e.at.Creds}, {"tls-ca", e.at.CA}, {"tls-cert", e.at.Cert}, {"tls-key", e.at.Key}} {
		if f[1] == "" {
			continue
		}
		if _, err := os.Stat(f[1]); err != nil {
			return exit.Usage("--%s: %w", f[0], err)
		}
	}
	return nil
}

// find connects to the set that is meant, to look at it.
func (e *engineFlags) find(ctx context.Context) (*fleet.NATS, error) {
	e.at.Looks = true
	return e.connect(ctx)
}

func (e *engineFlags) connect(ctx context.Context) (*fleet.NATS, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	n, err := fleet.Find(ctx, e.at, e.set)
	return n, fleetFailed(err)
}

// workerFlags are those of who serves shards, a worker or a run.
type workerFlags struct {
	engineFlags
	copies string
}

func (w *workerFlags) register(cmd *cobra.Command, what string) {
	w.engineFlags.register(cmd, what)
	cmd.Flags().StringVar(&w.copies, "copies", "", "`FOLDER` with copies of the shards, which all workers and runs of the set see")
}

// find connects to the set that is meant, and looks at the folder of its copies.
func (w *workerFlags) find(ctx context.Context) (*fleet.NATS, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	if w.copies == "" {
		return nil, exit.Usage("--copies is missing: the folder for copies of the shards, which all workers see")
	}
	if err := os.MkdirAll(w.copies, 0o700); err != nil {
		return nil, exit.Usage("--copies: %w", err)
	}
	n, err := w.engineFlags.connect(ctx)
	if err == nil {
		if err = fleetFailed(fleet.Copies(w.copies).Begin(ctx, n.Of)); err != nil {
			n.Close()
			return nil, fmt.Errorf("--copies: %w", err)
		}
	}
	return n, err
}

// options are those of a worker that probes by the flags.
func (w *workerFlags) options(ctx context.Context, a *app, engine *fleet.NATS, net *netflags.Network, flags *netflags.Flags, dir string) (fleet.Options, error) {
	judging, err := flags.Judging(ctx)
	t := fleet.UsualTimes()
	t.Renew, t.Sure, t.Absent, t.Look = engine.TTL/5, engine.TTL*2/3, engine.TTL*2/15, min(t.Look, engine.TTL/5)
	t.Probe, t.Gap = flags.Longest(), flags.Crawl.HostDelay
	return fleet.Options{
		Shards: engine.Of.Shards, Engine: engine, Times: t, Dir: dir, Copies: fleet.Copies(w.copies), Slots: flags.Crawl.Workers, Flags: judging,
		Store: store.Options{Rules: equal.Rules{Proxies: net.Options.Proxies}},
		Tell: func(shard int, what error) {
			if shard < 0 {
				a.log.Warn("%s", exit.Text(what))
			} else {
				a.log.Warn("shard %d: %s", shard, exit.Text(what))
			}
		},
	}, err
}

func cmdFleetWork(a *app) *cobra.Command {
	w := &fleetWorker{app: a}
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Serve shards of a set until SIGTERM",
		Long: `Serve a part of the shards of a set, and make their nights when 'run --engine' begins them.
With SIGTERM or Ctrl-C, or where 'fleet drain' says so, it gives its shards back with copies of
all of them, and ends with exit code 0. A second signal ends it at once: others take its shards
when its session has ended, and nothing is lost.

All workers of a set are to have the same flags: what one leaves another goes on with.`,
		Example: `  linkcheck fleet work --engine nats://127.0.0.1:4222 --copies /srv/copies
  linkcheck fleet work --engine nats://127.0.0.1:4222 --copies /srv/copies --browser /usr/bin/chromium
  linkcheck fleet work --engine tls://nats.test --creds worker.creds --copies /mnt/copies --dir /var/lib/linkcheck --workers 1000`,
		Args: exit.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return w.work(cmd.Context()) },
	}
	w.net.Register(cmd, version)
	w.register(cmd, "serve the set")
	f := cmd.Flags()
	f.Lookup("now").Hidden = true // that of the night counts
	f.StringVar(&w.dir, "dir", "", "`FOLDER` for its files, which is made (default: a temporary one)")
	f.StringVar(&w.name, "name", "", "`NAME` of this worker: letters, digits and hyphens (default: that of the machine)")
	f.StringArrayVar(&w.canaries, "canary", nil, "`URI` known to be good, in place of those of 'run': this worker asks it first, and where none is there, no failure of it counts (repeatable)")
	new(browserFlags).register(cmd)
	f.StringVar(&w.metrics, "metrics", "", "write figures for node_exporter's textfile collector into `FILE`, every 15 seconds")
	f.BoolVar(&a.logJSON, "log-json", false, "short for --log-format json --log-answers")
	f.BoolVar(&w.logAnswers, "log-answers", false, "write every answer to standard error, also with --quiet")
	return cmd
}

// fleetWorker is `fleet work`.
type fleetWorker struct {
	*app
	workerFlags
	net        netflags.Flags
	dir, name  string
	metrics    string
	canaries   []string
	logAnswers bool
	shift      atomic.Int64 // of the clock of the night, before that of the machine
	flags      map[string]string
	refuse     context.CancelCauseFunc // ends the worker: it may not make a night
}

func (w *fleetWorker) work(ctx context.Context) (err error) {
	if w.name == "" {
		w.name, _ = os.Hostname()
		w.name = nameOfWorker(w.name)
	}
	if w.name == "" || w.name != nameOfWorker(w.name) || w.name == runName {
		return exit.Usage("--name: %.200q is no name of a worker: letters, digits and hyphens, and not %q", w.name, runName)
	}
	w.net.Browser, w.net.Hosts, w.net.Way.Getenv, w.net.Now = w.browser, w.hosts, w.getenv, ""
	net, err := w.net.Open(ctx, nil) // so that a flag that is wrong is told now
	if err != nil {
		return err
	}
	defer net.Probers.Close()
	if _, err := canaryURIs(net.Probers, w.canaries); err != nil {
		return err
	}
	if w.dir == "" {
		if w.dir, err = os.MkdirTemp("", "linkcheck-worker-"); err != nil {
			return exit.Usage("%w", err)
		}
		defer os.RemoveAll(w.dir)
	}
	if err := os.MkdirAll(w.dir, 0o700); err != nil {
		return exit.Usage("--dir: %w", err)
	}
	engine, err := w.find(ctx)
	if err != nil {
		return err
	}
	defer engine.Close()
	defer w.steadyMemory()()
	night := &fleet.Night{Open: w.open, Slots: make(chan struct{}, w.net.Crawl.Workers)}
	o, err := w.options(ctx, w.app, engine, net, &w.net, w.dir)
	if err != nil {
		return err
	}
	o.Name, o.Serve, w.flags = w.name, night.Serve, o.Flags
	o.Store.Now = func() time.Time { return time.Now().Add(time.Duration(w.shift.Load())) }
	w.log.Info("worker %s of a set of %s", w.name, plain.Plural(o.Shards, "shard", "shards"))
	worker := fleet.New(o)
	if w.metrics != "" {
		if _, err := oldMetrics(ctx, w.metrics); err != nil {
			return err
		}
		told, end := context.WithCancel(ctx)
		var telling sync.WaitGroup
		telling.Go(func() { w.tellFigures(told, worker) })
		defer telling.Wait()
		defer end()
	}
	serving, refuse := context.WithCancelCause(ctx)
	defer refuse(nil)
	w.refuse = refuse
	if err := fleetFailed(worker.Run(serving)); err != nil || ctx.Err() != nil || serving.Err() == nil {
		return err
	}
	return context.Cause(serving)
}

// tellFigures writes the file of --metrics until ctx ends, and once more.
func (w *fleetWorker) tellFigures(ctx context.Context, worker *fleet.Worker) {
	const every = 15 * time.Second
	for again := true; again; {
		again = sleep(ctx, every) == nil
		if err := replaceFile(context.WithoutCancel(ctx), w.metrics, newfile.Shared, func(out io.Writer) error { return overview.Figures(out, worker.Status()) }); err != nil {
			w.log.Warn("metrics: %s", exit.Text(err))
		}
	}
}

// open is that of fleet.Night.
func (w *fleetWorker) open(ctx context.Context, _ store.Run, order fleet.Order) (o crawl.Options, end func() error, err error) {
	if err := otherFlags("worker "+w.name, w.flags, order.Flags); err != nil {
		w.refuse(err)
		return o, nil, err
	}
	n := w.net
	if order.Clock != 0 {
		n.Now = time.Now().Add(order.Clock).Format(time.RFC3339Nano)
		w.shift.Store(int64(order.Clock))
	}
	net, err := n.Open(ctx, nil)
	if err != nil {
		return o, nil, err
	}
	o = net.Options
	canaries := w.canaries
	if len(canaries) == 0 {
		canaries = order.Canaries
	}
	if o.Canaries, err = canaryURIs(net.Probers, canaries); err != nil {
		return o, nil, errors.Join(err, net.Probers.Close())
	}
	o.NameOf = namesIn(mirrorsAt(order.Maps))
	if w.logAnswers || w.logJSON {
		o.Kept = w.logAnswer
	}
	return o, net.Probers.Close, nil
}

// nameOfWorker leaves of a name what may stand in that of a worker.
func nameOfWorker(name string) string {
	return regexp.MustCompile(`[^0-9A-Za-z-]`).ReplaceAllString(name, "")
}

// found says what is new in a reading. In a fleet each shard knows that of its own links alone.
func (n *storeRun) found(sum *ingest.Summary) string {
	if n.shard != nil {
		return ""
	}
	return ", " + plain.Plural(sum.NewLinks, "new link", "new links")
}

// remember has turns know what the store does, and in a fleet what those of other shards do.
func remember(ctx context.Context, st *store.Store, turns *crawl.Turns, shard *fleet.Shard, now time.Time, how *ingest.HarvestOptions) error {
	if shard == nil {
		return turns.Remember(st)
	}
	how.Linked = func(address string) (bool, error) { return shard.Linked(ctx, address) }
	dying, err := shard.Dying(ctx, now)
	return cmp.Or(err, turns.Remember(st, dying...))
}
