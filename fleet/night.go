package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"linkcheck/crawl"
	"linkcheck/store"
)

// Order is what all who make the night of a run go by. It stands in the run.
type Order struct {
	Clock  time.Duration // of the run, before that of the machine
	Most   time.Duration // that the run may take; 0: no limit
	Filter store.Filter

	Canaries []string // as in crawl.Options, of who has none of its own
	Maps     []string // addresses of the sites that are read from files: links to these are looked up there

	// Flags are hashes of what decides how links are judged, by the flag that says it; nil: it
	// is not told. All who make the night are to have the same.
	Flags map[string]string
}

// OrderOf reads that of a run; the zero Order is that of a run without one.
func OrderOf(run *store.Run) (o Order, err error) {
	if run.Order != nil {
		err = json.Unmarshal(run.Order, &o)
	}
	return o, err
}

// Night makes the nights of the shards of a worker, each as crawl.Check makes that of a
// store; what their checks share is the worker's.
type Night struct {
	// Open gives the options of a run, with a prober of their own whose sessions close ends. Gates,
	// Slots, Vantage and Workers are the worker's; Filter and MaxDuration the order's, if there is
	// one, whose clock is for Open.
	Open  func(ctx context.Context, run store.Run, order Order) (o crawl.Options, close func() error, err error)
	Slots chan struct{} // as in crawl.Options

	mu      sync.Mutex
	run     uint64
	vantage *crawl.Vantage // of that run
}

// Serve makes the night of a shard, if there is one to be made, and leaves a copy of it: then
// the shard is through.
func (n *Night) Serve(ctx context.Context, sh *Shard) error {
	sum, err := n.Make(ctx, sh)
	if err != nil || sum.Run.ID == 0 {
		return err
	}
	if err := sh.s.copy(sh.Store); err != nil {
		return err
	}
	sh.stands(Standing{Run: sum.Run.ID, Through: true, Planned: max(sum.Planned, sum.Run.Checked), Done: sum.Run.Checked})
	return nil
}

// Make makes the night of a shard whose last run has not ended. What the night found out of
// this machine's network is in the run; an error is one of the store, or of ctx.
func (n *Night) Make(ctx context.Context, sh *Shard) (sum crawl.Summary, err error) {
	var run store.Run
	for r, err := range sh.Store.Runs() {
		if err != nil {
			return sum, err
		}
		run = r
	}
	sum.Run = run
	if run.ID == 0 || !run.Ended.IsZero() {
		return sum, nil
	}
	order, err := OrderOf(&run)
	if err != nil {
		return sum, err
	}
	o, end, err := n.Open(ctx, run, order)
	if err != nil {
		return sum, err
	}
	order.into(&o, &run)
	sh.stands(Standing{Run: run.ID})
	o.Progress = func(p crawl.Progress) { sh.stands(Standing{Run: run.ID, Planned: p.Planned, Done: p.Done}) }
	o.Run, o.Gates, o.Slots, o.Vantage, o.Workers = run, sh.Turns, n.Slots, n.vantageOf(run.ID), sh.Share()
	sum, err = crawl.Check(ctx, sh.Store, o)
	for _, told := range []error{crawl.ErrNetworkDown, crawl.ErrOwnFaults, crawl.ErrUnfinished} {
		if errors.Is(err, told) && ctx.Err() == nil {
			err = nil
		}
	}
	err = errors.Join(err, end())
	sh.Turns.left()
	return sum, err
}

// into puts into options what the order says.
func (r *Order) into(o *crawl.Options, run *store.Run) {
	if run.Order == nil {
		return
	}
	if o.Filter = r.Filter; r.Most > 0 {
		if o.MaxDuration = r.Most - o.Now().Sub(run.Started); o.MaxDuration <= 0 {
			o.MaxDuration = -1
		}
	}
}

// vantageOf is that of a run: shards that come to it late join the others.
func (n *Night) vantageOf(run uint64) *crawl.Vantage {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.vantage == nil || run != n.run {
		n.run, n.vantage = run, &crawl.Vantage{}
	}
	return n.vantage
}
