package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/store/facts"
)

const (
	progressEvery = 200 * time.Millisecond
	witnesses     = 5 // hosts that are known to live, where no other is heard
)

// Check probes the links that o.Filter chooses and keeps their results. The error is
// ErrNetworkDown, ErrUnfinished, the context's own, or one of the store; results that
// came before it are kept in any case. A night without due links is a run too.
func Check(ctx context.Context, st *store.Store, o Options) (Summary, error) {
	c := newCheckRun(st, o)
	o.useCache(st)
	err := cmp.Or(c.plan(), ctx.Err())
	if err == nil {
		err = c.run(ctx)
	}
	return c.sum, err
}

// useCache lets the prober keep in a store what it wants to know in the next run.
func (o *Options) useCache(st *store.Store) {
	if use := o.Prober.Hooks().UseCache; use != nil {
		use(st.Cache())
	}
}

func newCheckRun(st *store.Store, o Options) *checkRun {
	o.Filter.Version = o.Version
	c := &checkRun{st: st, o: o}
	c.dispatcher = newDispatcher(o, c)
	c.network = newNetwork(o.Vantage, o.Timeout, c.dispatcher.queues)
	return c
}

// checkRun is one Check under way.
type checkRun struct {
	st         *store.Store
	o          Options
	dispatcher *dispatcher
	network    *network
	writer     *writer
	sum        Summary
	reported   time.Time // when Progress was last called

	canariesAsked time.Time // by the monotonic clock, as is passed
	passed        time.Time // when the last pass ended

	inSources map[string]store.Name // where the messages and parts are that links name
	witnesses map[uint64]bool       // asked beside what is due; their results are not kept
	followers map[uint64][]follower // by link: those that take its result
	follows   map[uint64]bool       // all followers

	// Results that are not kept yet.
	weak       []linkResult          // weak failures: they are tried again
	nameless   []linkResult          // of hosts that do not exist: they are not
	redirected []linkResult          // the prober may amend these
	held       int                   // octets of the text of both
	first      map[uint64]linkResult // in the retry: the results without a second one so far; else nil
}

// follower is a link that differs from the probed one in its fragment, or in a library's
// proxy before it, alone.
type follower struct {
	id         uint64
	url, asked string // see linkResult
}

// run makes the run that was planned.
func (c *checkRun) run(ctx context.Context) (err error) {
	if c.sum.Planned > 0 {
		defer c.st.KeepSnapshot()()
	}
	if c.sum.Run = c.o.Run; c.sum.Run.ID == 0 {
		c.sum.Run = store.Run{Started: c.o.Now(), Version: c.o.Version, RecordURL: c.o.Run.RecordURL}
		if c.sum.Run.ID, err = c.st.StartRun(c.sum.Run); err != nil {
			return err
		}
	}
	if c.o.Began != nil {
		c.o.Began(c.sum.Run.ID)
	}
	c.network.lastAnswered = time.Now()
	c.network.join()
	defer c.network.leave()
	c.writer = newWriter(c.st, c.sum.Run.ID, c.o.Policy)
	stop := make(chan struct{})
	switch {
	case c.o.MaxDuration < 0:
		close(stop)
	case c.o.MaxDuration > 0:
		t := time.AfterFunc(c.o.MaxDuration, func() { close(stop) })
		defer t.Stop()
	}
	err = c.probeAll(ctx, stop)
	if werr := c.writer.close(); werr != nil {
		return errors.Join(werr, err)
	}
	err = errors.Join(err, c.conclude(err))
	if internal := c.sum.Run.Outcomes[check.Internal.String()]; !c.sum.Run.Distrusted && judge.ManyOwnFaults(internal, c.sum.Checked) {
		err = errors.Join(err, fmt.Errorf("%d of %d %w", internal, c.sum.Checked, ErrOwnFaults))
	}
	return err
}

// probeAll makes both passes and keeps what was held back.
func (c *checkRun) probeAll(ctx context.Context, stop <-chan struct{}) error {
	if err := c.askCanaries(ctx, time.Now().Add(-canaryEvery)); err != nil {
		return err
	}
	err := cmp.Or(c.pass(ctx, stop), c.cutShort(ctx, stop), c.distrust(ctx))
	if err == nil && !c.o.NoRetry {
		err = cmp.Or(c.retry(ctx, stop), c.distrust(ctx))
	}
	if err == nil {
		err = c.nobody(func() error { return c.askWitnesses(ctx, stop) })
		if err == nil && len(c.weak)+len(c.nameless) > 0 {
			err = c.askCanaries(ctx, c.passed)
		}
	} else if !errors.Is(err, ErrNetworkDown) { // it was cut short
		err = errors.Join(cmp.Or(c.distrust(ctx), c.nobody(func() error { return nil })), err)
	}
	return errors.Join(err, c.keepPending(errors.Is(err, ErrNetworkDown)))
}

// askWitnesses asks about links of hosts that live and are not in the run, of those
// that are well first.
func (c *checkRun) askWitnesses(ctx context.Context, stop <-chan struct{}) error {
	c.witnesses = map[uint64]bool{}
	for _, which := range []store.Filter{{States: []judge.State{judge.Alive, judge.Moved}}, {All: true}} {
		for t, err := range c.st.Due(c.o.Now(), which) {
			if err != nil {
				return err
			}
			if len(c.witnesses) == witnesses {
				return c.pass(ctx, stop)
			}
			if !t.HostLives || t.Host == "" {
				continue
			}
			host := c.dispatcher.host(t.Host)
			if !c.network.witness(host) {
				continue
			}
			c.witnesses[t.ID] = true
			c.dispatcher.queues.Add(host, t.ID)
		}
	}
	return c.pass(ctx, stop)
}

// retry tries the weak failures once more, RetryDelay after the last of them. Hosts
// that back off and those of archives (HARVEST section 3) are left alone; what is not reached keeps its first result.
func (c *checkRun) retry(ctx context.Context, stop <-chan struct{}) error {
	c.first = map[uint64]linkResult{}
	again, opens := c.weak, time.Now().Add(c.o.RetryDelay)
	c.weak = nil
	for _, r := range again {
		if !c.retries(&r) {
			c.weak = append(c.weak, r)
			continue
		}
		c.first[r.id] = r
		if !c.follows[r.id] {
			c.dispatcher.queues.Delay(r.host, opens)
			c.dispatcher.queues.Add(r.host, r.id)
		}
	}
	c.sum.Retried = len(c.first)
	err := c.pass(ctx, stop)
	for _, r := range again {
		if _, ok := c.first[r.id]; ok {
			c.weak = append(c.weak, r)
		}
	}
	return cmp.Or(err, ctx.Err())
}

// pass probes what waits, with pauses in which nothing is under way and the canaries are
// asked.
func (c *checkRun) pass(ctx context.Context, stop <-chan struct{}) error {
	defer func() { c.passed = time.Now() }()
	for {
		err := c.untilCanaries(ctx, stop)
		if err != nil || c.dispatcher.queues.Len() == 0 || !c.canariesDue(time.Now()) || c.cutShort(ctx, stop) != nil {
			return err
		}
		if err := c.askCanaries(ctx, time.Now().Add(-canaryEvery)); err != nil {
			return err
		}
	}
}

// untilCanaries probes what waits until the canaries are due.
func (c *checkRun) untilCanaries(ctx context.Context, stop <-chan struct{}) error {
	var down error
	for e := range c.dispatcher.events(ctx, stop) {
		switch e.kind {
		case backedOff:
			c.sum.BackedOff++ // it stays due
		case answered:
			switch err := c.accept(e.linkResult, e.at); {
			case errors.Is(err, ErrNetworkDown):
				c.dispatcher.stopped = true // the probes under way still count
				down = err
			case err != nil:
				return err
			}
		}
		c.progress(e.at)
		if c.canariesDue(e.at) {
			c.dispatcher.stopped = true
		}
	}
	return down
}

// cutShort gives the reason why a pass ended early; nil if it did not.
func (c *checkRun) cutShort(ctx context.Context, stop <-chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-stop:
		if c.dispatcher.queues.Len() > 0 {
			return ErrUnfinished
		}
	default:
	}
	return nil
}

// retries says whether a weak failure is one that retry tries once more.
func (c *checkRun) retries(r *linkResult) bool {
	return !c.o.NoRetry && !r.host.BackedOff && !c.o.Turns.asksOnce(r)
}

// progress calls Options.Progress, every 200 ms at most.
func (c *checkRun) progress(now time.Time) {
	if c.o.Progress == nil || now.Sub(c.reported) < progressEvery {
		return
	}
	c.reported = now
	again := len(c.first)
	for i := range c.weak {
		if c.first == nil && c.retries(&c.weak[i]) {
			again++
		}
	}
	c.o.Progress(Progress{
		Planned: c.sum.Planned, Done: c.sum.Checked + len(c.redirected) + len(c.weak) + len(c.nameless), UnderWay: c.dispatcher.underWay,
		Retry: again, Hosts: c.dispatcher.queues.Hosts(),
	})
}

// conclude writes the summary of a run that ended with err. One that shares its gates and is
// interrupted goes on where its store is served next.
func (c *checkRun) conclude(err error) error {
	if c.o.Gates != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	c.sum.Left = c.dispatcher.queues.Len()
	r := &c.sum.Run
	r.Ended, r.Checked = c.o.Now(), c.sum.Checked
	r.Outages, r.Fallen = c.network.outages()
	r.Distrusted = errors.Is(err, ErrNetworkDown)
	switch {
	case errors.Is(err, context.Canceled):
		r.Note = facts.Interrupted
	case err != nil:
		r.Note = fmt.Sprintf("%.200s", err)
	}
	tally, err := c.st.Tally(r.ID)
	if err != nil {
		return err
	}
	r.Outcomes, r.States, r.Changes = tally.Outcomes, tally.States, tally.Changes
	if c.sum.Last = tally.Last; c.o.Gates != nil { // some may have been checked elsewhere
		r.Checked = 0
		for _, n := range r.Outcomes {
			r.Checked += n
		}
	}
	return c.st.EndRun(*r)
}
