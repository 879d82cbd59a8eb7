package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"linkcheck/crawl"
	"linkcheck/fleet"
	"linkcheck/fleet/overview"
	"linkcheck/internal/exit"
	"linkcheck/internal/netflags"
	"linkcheck/internal/plain"
	"linkcheck/internal/streams"
	"linkcheck/judge"
	"linkcheck/report"
	"linkcheck/store"
	"linkcheck/store/setfile"
)

// runName is the name as a worker of a run: there is one at a time.
const runName = "run"

// fleetRun is `run --engine`: a worker of the first shard, which reads for all, begins the night,
// makes that of its shard, and waits for the others.
type fleetRun struct {
	*app
	n      *storeRun
	o      crawl.Options
	engine *fleet.NATS
	flags  map[string]string // as in fleet.Order
	night  fleet.Night
	run    store.Run // that began; ID 0: none
	order  fleet.Order
	some   int // sources that could not be read
	codes  []int
	err    error // how it ended
}

// runInFleet is runStore for a fleet.
func (a *app) runInFleet(ctx context.Context, n *storeRun, net *netflags.Network, o crawl.Options) error {
	n.fleet.at.Looks = n.dryRun
	engine, err := n.fleet.find(ctx)
	if err != nil {
		return err
	}
	defer engine.Close()
	if n.dryRun { // by what the copies know
		n.due.store = (&setfile.Set{Copies: true}).Path(n.fleet.copies, 0)
		if _, err := os.Stat(n.due.store); err == nil {
			n.due.store = n.fleet.copies
		}
		return a.dryRun(ctx, n, o)
	}
	dir, err := os.MkdirTemp("", "linkcheck-run-")
	if err != nil {
		return exit.Usage("%w", err)
	}
	defer os.RemoveAll(dir)
	options, err := n.fleet.options(ctx, a, engine, net, &n.net, dir)
	if err != nil {
		return err
	}
	r := &fleetRun{app: a, n: n, o: o, engine: engine, flags: options.Flags}
	if err := r.mayBegin(ctx); err != nil {
		return err
	}
	defer a.steadyMemory()()
	r.night.Open, r.night.Slots = r.open, make(chan struct{}, n.net.Crawl.Workers)
	options.Store.Now = o.Now
	living, end := context.WithCancel(ctx)
	defer end()
	options.Name, options.Reads, options.Serve = runName, true, func(serving context.Context, sh *fleet.Shard) error {
		err := r.make(serving, sh)
		if serving.Err() == nil || ctx.Err() != nil { // else the session has ended, and it goes on in another
			if r.err = err; errors.Is(err, context.Canceled) && r.run.ID != 0 {
				a.log.Warn("the workers go on with the night")
			}
			end()
		}
		return nil
	}
	if err := fleet.New(options).Run(living); err != nil {
		return fleetFailed(err)
	}
	return cmp.Or(r.err, ctx.Err())
}

// mayBegin waits until all shards are served, and refuses a night beside another.
func (r *fleetRun) mayBegin(ctx context.Context) error {
	bar, told := r.progress(), false
	defer bar.Clear()
	for {
		workers, err := fleet.Look(ctx, r.engine, answerTime)
		if err != nil {
			return fleetFailed(err)
		}
		s := overview.Of(r.engine, workers)
		if s.Reads {
			return exit.Fail(exit.InUse, "wait for its end", "another run of the set %s is under way", s.Set)
		}
		if s.Run > 0 && s.Through < s.Told {
			return exit.Fail(exit.InUse, "'linkcheck fleet status' says how far it is", "night %d of the set %s goes on: %d of %d shards are through", s.Run, s.Set, s.Through, s.Shards)
		}
		for _, w := range workers {
			if err := otherFlags("worker "+w.Worker, w.Flags, r.flags); err != nil && !w.Leaving {
				return err
			}
		}
		if len(s.Stuck) > 0 {
			return exit.Fail(exit.Distrusted, "'linkcheck fleet status' says why", "shard %d is stuck", s.Stuck[0])
		}
		if s.Live == s.Shards {
			return nil
		}
		if !told {
			r.log.Info("waiting for workers to serve %s", plain.Plural(s.Shards-s.Live, "shard", "shards"))
		}
		told = true
		bar.Update("%d of %s served by %s", s.Live, plain.Plural(s.Shards, "shard", "shards"), plain.Plural(len(s.Workers), "worker", "workers"))
		if err := sleep(ctx, time.Second); err != nil {
			return err
		}
	}
}

// make makes a night with the first shard. It goes on where it was before the session ended.
func (r *fleetRun) make(ctx context.Context, sh *fleet.Shard) error {
	if r.run.ID == 0 {
		if err := r.begin(ctx, sh); err != nil {
			return err
		}
	}
	if err := r.night.Serve(ctx, sh); err != nil {
		return storeFailed(err)
	}
	all, err := r.wait(ctx)
	if err != nil {
		return err
	}
	if !all {
		r.codes = append(r.codes, exit.Partial)
	}
	return r.tell(ctx, sh)
}

// begin reads, and has the shards begin the night.
func (r *fleetRun) begin(ctx context.Context, sh *fleet.Shard) error {
	last, err := lastRun(sh.Store)
	if err == nil && last.ID != 0 && last.Ended.IsZero() {
		return exit.Fail(exit.InUse, "'linkcheck fleet status' says how far it is", "the night begun %s goes on", last.Started.UTC().Format("2006-01-02 15:04"))
	}
	if err != nil {
		return storeFailed(err)
	}
	r.figures.success, err = report.LastSuccess(sh.Store.Runs())
	r.figures.known = err == nil
	r.n.shard, r.codes = sh, nil
	some, code, err := r.readSources(ctx, sh.Store, r.n, &r.o)
	if err != nil {
		return err
	}
	r.some, r.codes = some, []int{code}
	if r.o.Turns != nil { // the hosts that were read hear nothing until the gap after that is over
		if err := sleep(ctx, r.o.HostDelay); err != nil {
			return err
		}
	}
	if r.o.HeldBack, err = r.heldBack(sh.Store); err != nil {
		return err
	}
	r.run, r.order = store.Run{Started: r.o.Now(), Version: r.o.Version, RecordURL: cmp.Or(r.n.recordURL, last.RecordURL)}, fleet.Order{
		Most: r.o.MaxDuration, Filter: r.o.Filter, Flags: r.flags, Canaries: r.n.due.canaries, Maps: sitesOf(r.mirrors(r.n.extract)),
	}
	if r.n.net.Now != "" {
		r.order.Clock = time.Until(r.run.Started)
	}
	if r.run.Order, err = json.Marshal(&r.order); err == nil {
		r.run.ID, err = sh.Store.StartRun(r.run)
	}
	if err != nil {
		return storeFailed(err)
	}
	r.log.SetRun(r.run.ID)
	return nil
}

// open is that of fleet.Night.
func (r *fleetRun) open(context.Context, store.Run, fleet.Order) (crawl.Options, func() error, error) {
	o := r.o
	if r.n.due.logAnswers || r.logJSON {
		o.Kept = r.logAnswer
	}
	return o, o.Prober.Close, nil
}

// wait waits until all shards are through with the night; false: their time is over, and some
// are not.
func (r *fleetRun) wait(ctx context.Context) (all bool, err error) {
	const grace = 2 * time.Minute // after the time of a night a shard may be through
	bar, shards, over := r.progress(), map[int]bool{}, (<-chan time.Time)(nil)
	defer bar.Clear()
	if most := r.order.Most; most > 0 {
		over = time.After(most - r.o.Now().Sub(r.run.Started) + grace)
	}
	for {
		workers, err := fleet.Look(ctx, r.engine, answerTime)
		if err != nil && ctx.Err() != nil {
			return false, ctx.Err()
		}
		s := overview.Of(r.engine, workers)
		for _, w := range workers {
			for _, sh := range w.Shards {
				if sh.Run == r.run.ID && sh.Through {
					shards[sh.Shard] = true
				}
			}
		}
		if len(shards) == s.Shards {
			return true, nil
		}
		bar.Update("%s of %s checked, %d of %s through, %s", plain.Thousands(s.Done), plain.Plural(s.Planned, "link", "links"),
			len(shards), plain.Plural(s.Shards, "shard", "shards"), plain.Plural(len(workers), "worker", "workers"))
		select {
		case <-over:
			bar.Clear()
			for n := range s.Shards {
				if !shards[n] {
					r.log.Warn("shard %d is not through", n)
				}
			}
			return false, nil
		case <-time.After(time.Second):
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// tell reports on the copies, and keeps the exit code with the run.
func (r *fleetRun) tell(ctx context.Context, sh *fleet.Shard) error {
	n := r.n
	n.due.store = n.fleet.copies
	st, err := store.Open(n.due.store, &store.Options{Context: ctx, ReadOnly: true, Now: r.o.Now, Rules: r.rules})
	if err != nil {
		return storeFailed(err)
	}
	defer st.Close()
	sum := crawl.Summary{}
	if sum.Run, err = lastRun(st); err != nil {
		return storeFailed(err)
	}
	tally, err := st.Tally(r.run.ID)
	if err != nil {
		return storeFailed(err)
	}
	sum.Last, sum.Checked, sum.Run.Unreadable = tally.Last, sum.Run.Checked, &r.some
	code, err := r.checkError(howEnded(&sum.Run))
	if err != nil {
		return err
	}
	r.tellCanaries(&sum.Run)
	matched, err := n.matchFailOn(st, sum)
	if err != nil {
		return storeFailed(err)
	}
	code = exit.Worst(append(r.codes, code, matched)...)
	late, cancel := streams.Graceful(ctx)
	defer cancel()
	told := r.tellNews(late, st, n, sum, code, r.o.Now())
	if f, ok := errors.AsType[*exit.Failure](told); ok {
		code = exit.Worst(code, f.Code)
		f.Code = code
	}
	own, err := lastRun(sh.Store)
	if own.Exit, own.Unreadable = &code, &r.some; err == nil && own.ID == r.run.ID {
		err = sh.Store.EndRun(own)
	}
	return cmp.Or(told, storeFailed(err), exit.With(code))
}

// howEnded is the error with which crawl.Check ended a run.
func howEnded(r *store.Run) error {
	switch internal := r.Outcomes["internal"]; {
	case r.Distrusted:
		_, why, _ := strings.Cut(r.Note, crawl.ErrNetworkDown.Error())
		return fmt.Errorf("%w%s", crawl.ErrNetworkDown, why)
	case strings.Contains(r.Note, crawl.ErrUnfinished.Error()):
		return crawl.ErrUnfinished
	case judge.ManyOwnFaults(internal, r.Checked):
		return fmt.Errorf("%d of %d %w", internal, r.Checked, crawl.ErrOwnFaults)
	}
	return nil
}
