package fleet

import (
	"context"
	"errors"
	"sync"

	"linkcheck/crawl"
	"linkcheck/store"
)

// Night makes the nights of the shards of a worker, each as crawl.Check makes that of a
// store; what their checks share is the worker's.
type Night struct {
	// Open gives the options of a run, with a prober of their own that close ends. Gates,
	// Slots, Vantage and Workers are the worker's.
	Open  func(ctx context.Context, run store.Run) (o crawl.Options, close func() error, err error)
	Slots chan struct{} // as in crawl.Options

	mu      sync.Mutex
	run     uint64
	vantage *crawl.Vantage // of that run
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
	o, end, err := n.Open(ctx, run)
	if err != nil {
		return sum, err
	}
	o.Run, o.Gates, o.Slots, o.Vantage, o.Workers = run, sh.Turns, n.Slots, n.vantageOf(run.ID), sh.Share()
	sum, err = crawl.Check(ctx, sh.Store, o)
	for _, told := range []error{crawl.ErrNetworkDown, crawl.ErrOwnFaults, crawl.ErrUnfinished} {
		if errors.Is(err, told) && ctx.Err() == nil {
			err = nil
		}
	}
	return sum, errors.Join(err, end())
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
