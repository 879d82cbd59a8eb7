package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/judge"
	"linkcheck/store"
)

var (
	// ErrNetworkDown: our own network looks down; what failed weakly counts for
	// nothing. Exit code 4.
	ErrNetworkDown = errors.New("the network of this machine looks down")
	// ErrUnfinished: the time given was not enough; the rest is due next time. Exit code 3.
	ErrUnfinished = errors.New("not all links could be checked in the time given")
)

const (
	defaultWorkers    = 16
	defaultHostDelay  = 2 * time.Second
	defaultTimeout    = 20 * time.Second
	defaultRetryDelay = 60 * time.Second
)

// CheckOptions steers Check and Probe. Prober is required. Where zero is a
// meaningful value, negative means it: HostDelay, RetryDelay.
type CheckOptions struct {
	Prober  check.Prober                                                   // of all schemes
	Route   func(ctx context.Context, addr string) (netguard.Route, error) // as netguard.Guard.Lookup; nil: hosts are told apart by name alone
	Exclude func(url string) bool                                          // links that are not probed; nil: none

	Workers     int           // 0: 16
	PerHost     int           // connections to one host at a time; 0: 1
	HostDelay   time.Duration // between two probes of one host; 0: 2 s; < 0: none
	Timeout     time.Duration // of finding an address; 0: 20 s
	RetryDelay  time.Duration // before weak failures are tried once more; 0: 60 s; < 0: at once
	NoRetry     bool
	MaxDuration time.Duration // 0: no limit
	Policy      judge.Policy
	Filter      store.Filter
	Fragments   bool                             // links that differ in the fragment alone are probed one by one
	Version     string                           // of the program, kept with the run
	Now         func() time.Time                 // nil: time.Now
	Progress    func(Progress)                   // called now and then, from one goroutine
	Kept        func(url string, r check.Result) // called with every answer that is kept, from one goroutine; nil: not
}

func (o CheckOptions) withDefaults() CheckOptions {
	defaults := func(d *time.Duration, to time.Duration) {
		if *d == 0 {
			*d = to
		}
		*d = max(*d, 0)
	}
	defaults(&o.HostDelay, defaultHostDelay)
	defaults(&o.RetryDelay, defaultRetryDelay)
	defaults(&o.Timeout, defaultTimeout)
	if o.Workers <= 0 {
		o.Workers = defaultWorkers
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Filter.Version = o.Version
	return o
}

// Progress says how far a run is.
type Progress struct {
	Planned  int // links to probe
	Done     int // of them probed
	UnderWay int // links that a worker is busy with: their names, too
	Retry    int // will be, or are being, tried again
	Hosts    int
}

// Summary says what a run did.
type Summary struct {
	Run     store.Run
	Last    map[check.Outcome]int // of all links: what they answered when they were last asked
	Planned int
	Checked int // answers kept
	Retried int
	Resting int // left for another night since their host asked for it
	Left    int // not reached
}

// Check probes the links that o.Filter chooses and keeps what they answered. The
// error is ErrNetworkDown, ErrUnfinished, the context's own, or one of the store;
// what was answered is kept in any case. A night
// without due links is a run too.
func Check(ctx context.Context, st *store.Store, o CheckOptions) (Summary, error) {
	o = o.withDefaults()
	n := &night{st: st, o: o, engine: newEngine(o)}
	n.load, n.emit, n.rested = n.loadLinks, n.take, n.leave
	if o.Progress != nil {
		n.tell = n.progress
	}
	n.alone = func(name string) bool { return st.RestsUntil(name).After(o.Now()) }
	if useCache := o.Prober.Hooks().UseCache; useCache != nil {
		useCache(st)
	}
	if err := n.plan(); err != nil {
		return n.sum, err
	}
	if err := ctx.Err(); err != nil {
		return n.sum, err
	}
	return n.run(ctx)
}

// run makes the run that was planned.
func (n *night) run(ctx context.Context) (_ Summary, err error) {
	if n.sum.Planned > 0 {
		defer n.st.KeepSnapshot()()
	}
	n.sum.Run = store.Run{Started: n.o.Now(), Version: n.o.Version}
	if n.sum.Run.ID, err = n.st.StartRun(n.sum.Run); err != nil {
		return n.sum, err
	}
	n.heard = time.Now()
	n.writer = newWriter(n.st, n.sum.Run.ID, n.o.Policy)
	stop := make(chan struct{})
	if n.o.MaxDuration > 0 {
		t := time.AfterFunc(n.o.MaxDuration, func() { close(stop) })
		defer t.Stop()
	}
	err = n.probeAll(ctx, stop)
	if werr := n.writer.close(); werr != nil {
		return n.sum, errors.Join(werr, err)
	}
	return n.sum, errors.Join(n.conclude(err), err)
}

// probeAll makes both passes and settles what was held back.
func (n *night) probeAll(ctx context.Context, stop chan struct{}) error {
	err := n.engine.run(ctx, stop)
	if err == nil {
		err = n.ended(ctx, stop)
	}
	if err == nil && n.allDown() {
		err = ErrNetworkDown
	}
	if err == nil && !n.o.NoRetry {
		if err = n.retry(ctx, stop); err == nil && n.allDown() {
			err = ErrNetworkDown
		}
	}
	return errors.Join(err, n.settle(errors.Is(err, ErrNetworkDown)))
}

// ended says why a pass ended early, if it did.
func (n *night) ended(ctx context.Context, stop <-chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-stop:
		if n.left > 0 {
			return ErrUnfinished
		}
	default:
	}
	return nil
}

// retry tries the weak failures once more, some time after the last of them.
// Hosts that rest are left alone; what is not reached keeps its first answer.
func (n *night) retry(ctx context.Context, stop <-chan struct{}) error {
	n.first = map[uint64]held{}
	var list, resting []held
	for _, w := range n.weak {
		if w.h.resting {
			resting = append(resting, w)
		} else {
			list = append(list, w)
		}
	}
	if len(list) == 0 || !n.pause(ctx, stop) {
		return ctx.Err()
	}
	n.weak = resting
	for _, w := range list {
		n.first[w.id] = w
		if !n.follow[w.id] {
			n.add(w.h, w.id)
		}
	}
	n.sum.Retried = len(list)
	err := n.engine.run(ctx, stop)
	for _, w := range list {
		if w, ok := n.first[w.id]; ok {
			n.weak = append(n.weak, w)
		}
	}
	return cmp.Or(err, ctx.Err())
}

// pause waits for the retry; false when the run ends before.
func (n *night) pause(ctx context.Context, stop <-chan struct{}) bool {
	wait := time.NewTimer(n.o.RetryDelay)
	defer wait.Stop()
	tick, still := n.ticks()
	defer still()
	for {
		select {
		case <-wait.C:
			return true
		case <-tick:
			n.progress()
		case <-stop:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// conclude writes the summary of the run.
func (n *night) conclude(why error) error {
	n.sum.Left = n.left
	r := &n.sum.Run
	r.Ended, r.Checked = n.o.Now(), n.sum.Checked
	r.Outages = n.outages()
	switch {
	case errors.Is(why, context.Canceled):
		r.Note = "interrupted"
	case why != nil:
		r.Note = fmt.Sprintf("%.200s", why)
	}
	tally, err := n.st.Tally(r.ID)
	if err != nil {
		return err
	}
	r.Outcomes, r.States, r.Changes = tally.Outcomes, tally.States, tally.Changes
	n.sum.Last = tally.Last
	return n.st.EndRun(*r)
}
