package fleet_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"linkcheck/check"
	"linkcheck/fleet"
	"linkcheck/judge"
	"linkcheck/store"
)

const (
	batch     = 100
	batchTime = 250 * time.Millisecond
	lookAgain = 200 * time.Millisecond // where a turn could not be used
)

// web is what a night asks: an internet, or the way to one.
type web interface {
	Ask(ctx context.Context, worker, host, url string) (check.Result, error)
	Leave(address string)
}

// night asks an internet about all that is due in a shard, a gate at a time, and keeps the
// results. It stands for crawl.Check.
type night struct {
	Internet web
	Gap      time.Duration                                                   // after each question
	NoTurns  bool                                                            // a control: nobody is waited for
	other    func(ctx context.Context, worker string, sh *fleet.Shard) error // what is done in its place; nil: this
	mute     bool                                                            // workers begin with claims that are not answered
	told     func(shard int)                                                 // that nothing is due there; nil: nobody

	mu   sync.Mutex
	done map[int]bool
}

// Done says how many shards have nothing due.
func (n *night) Done() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.done)
}

// serve is fleet.Options.Serve of a worker.
func (n *night) serve(ctx context.Context, worker string, sh *fleet.Shard) error {
	if !hasRun(sh.Store) {
		return nil
	}
	gates := map[string][]store.DueLink{}
	for l, err := range sh.Store.Due(epoch, store.Filter{}) {
		if err != nil {
			return err
		}
		gates[address(l.Host)] = append(gates[address(l.Host)], l)
	}
	results := make(chan store.Checked)
	var asking sync.WaitGroup
	for gate, links := range gates {
		asking.Go(func() { n.gate(ctx, worker, sh, gate, links, results) })
	}
	go func() {
		asking.Wait()
		close(results)
	}()
	err := keep(sh.Store, results)
	for range results { // who asks ends with ctx
	}
	if err == nil && ctx.Err() == nil {
		if n.isDone(sh.Number); n.told != nil {
			n.told(sh.Number)
		}
	}
	return err
}

// hasRun says whether run 1 has begun.
func hasRun(s *store.Store) bool {
	for r, err := range s.Runs() {
		return err == nil && r.ID == 1
	}
	return false
}

func (n *night) isDone(shard int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.done == nil {
		n.done = map[int]bool{}
	}
	n.done[shard] = true
}

// keep records results in batches.
func keep(s *store.Store, results <-chan store.Checked) error {
	for more := true; more; {
		var list []store.Checked
		r, ok := <-results
		full := time.After(batchTime)
		for more = ok; ok; {
			if list = append(list, r); len(list) == batch {
				break
			}
			select {
			case r, ok = <-results:
				more = ok
			case <-full:
				ok = false
			}
		}
		if len(list) > 0 {
			if err := s.Record(1, judge.Policy{}, list); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n *night) gate(ctx context.Context, worker string, sh *fleet.Shard, gate string, links []store.DueLink, results chan<- store.Checked) {
	for len(links) > 0 && ctx.Err() == nil {
		granted, ok := n.turn(ctx, sh, gate)
		if !ok {
			return
		}
		gap := time.Duration(0)
		if sh.Sure() && time.Since(granted) < time.Second {
			r, err := n.Internet.Ask(ctx, worker, links[0].Host, links[0].URL)
			gap = n.Gap
			if err == nil {
				results <- store.Checked{ID: links[0].ID, Result: r}
				links = links[1:]
			}
		}
		if n.NoTurns {
			time.Sleep(max(gap, lookAgain))
			continue
		}
		if sh.Turns.Done(gate, "", gap, func() { n.Internet.Leave(gate) }); gap == 0 {
			time.Sleep(lookAgain)
		}
	}
}

// turn waits for one; a turn that comes when nobody waits any more is given back.
func (n *night) turn(ctx context.Context, sh *fleet.Shard, gate string) (granted time.Time, ok bool) {
	if n.NoTurns {
		return time.Now(), true
	}
	var mu sync.Mutex
	left, turn := false, make(chan time.Time, 1)
	sh.Turns.Ask(gate, "", func(time.Time) {
		mu.Lock()
		defer mu.Unlock()
		if turn <- time.Now(); left {
			sh.Turns.Done(gate, "", 0, nil)
		}
	})
	select {
	case granted = <-turn:
		return granted, true
	case <-ctx.Done():
	}
	mu.Lock()
	defer mu.Unlock()
	if left = true; len(turn) > 0 {
		sh.Turns.Done(gate, "", 0, nil)
	}
	return granted, false
}

// worker runs one.
type worker struct {
	*fleet.Worker
	Engine *cut
	cancel context.CancelFunc
	over   chan error
}

// Start starts a worker.
func (n *night) Start(o fleet.Options) *worker {
	w := &worker{Engine: &cut{Engine: o.Engine}, over: make(chan error, 1)}
	w.Engine.Mute.Store(n.mute)
	o.Engine, o.Store.Now = w.Engine, frozen
	o.Serve = func(ctx context.Context, sh *fleet.Shard) error {
		if n.other != nil {
			return n.other(ctx, o.Name, sh)
		}
		return n.serve(ctx, fmt.Sprint(o.Name, ".", sh.Number), sh)
	}
	w.Worker = fleet.New(o)
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	go func() { w.over <- w.Run(ctx) }()
	return w
}

// Leave has the worker give its shards back, and waits until it has.
func (w *worker) Leave() error {
	w.cancel()
	return <-w.over
}

// Kill ends the worker so that nobody hears of it any more.
func (w *worker) Kill() {
	w.Engine.Lost.Store(true)
	w.cancel()
	<-w.over
}
