package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"linkcheck/store"
)

const progressEvery = 200 * time.Millisecond

// Check probes the links that o.Filter chooses and keeps what they answered. The
// error is ErrNetworkDown, ErrUnfinished, the context's own, or one of the store;
// what was answered is kept in any case. A night without due links is a run too.
func Check(ctx context.Context, st *store.Store, o Options) (Summary, error) {
	o.Filter.Version = o.Version
	c := &checkRun{st: st, o: o, network: newNetwork(o.Timeout)}
	c.dispatcher = newDispatcher(o, c)
	if useCache := o.Prober.Hooks().UseCache; useCache != nil {
		useCache(st)
	}
	if err := c.plan(); err != nil {
		return c.sum, err
	}
	if err := ctx.Err(); err != nil {
		return c.sum, err
	}
	err := c.run(ctx)
	return c.sum, err
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

	inSources map[string]store.Name // messages and parts that links name
	followers map[uint64][]follower // links that take the result of another one
	follows   map[uint64]bool       // those

	// Results that are not kept yet.
	weak       []linkResult          // failures that the end of the run decides about
	redirected []linkResult          // the prober may amend these
	first      map[uint64]linkResult // in the retry: not yet replaced by a second one; else nil
}

// follower is a link that differs from the probed one in its fragment alone.
type follower struct {
	id       uint64
	fragment string // with its "#"
}

// run makes the run that was planned.
func (c *checkRun) run(ctx context.Context) (err error) {
	if c.sum.Planned > 0 {
		defer c.st.KeepSnapshot()()
	}
	c.sum.Run = store.Run{Started: c.o.Now(), Version: c.o.Version}
	if c.sum.Run.ID, err = c.st.StartRun(c.sum.Run); err != nil {
		return err
	}
	c.network.lastAnswered = time.Now()
	c.writer = newWriter(c.st, c.sum.Run.ID, c.o.Policy)
	stop := make(chan struct{})
	if c.o.MaxDuration > 0 {
		t := time.AfterFunc(c.o.MaxDuration, func() { close(stop) })
		defer t.Stop()
	}
	err = c.probeAll(ctx, stop)
	if werr := c.writer.close(); werr != nil {
		return errors.Join(werr, err)
	}
	return errors.Join(c.conclude(err), err)
}

// probeAll makes both passes and keeps what was held back.
func (c *checkRun) probeAll(ctx context.Context, stop <-chan struct{}) error {
	err := c.pass(ctx, stop)
	if err == nil {
		err = c.cutShort(ctx, stop)
	}
	if err == nil && c.network.allDown() {
		err = ErrNetworkDown
	}
	if err == nil && !c.o.NoRetry {
		if err = c.retry(ctx, stop); err == nil && c.network.allDown() {
			err = ErrNetworkDown
		}
	}
	return errors.Join(err, c.keepPending(errors.Is(err, ErrNetworkDown)))
}

// retry tries the weak failures once more, some time after the last of them. Hosts
// that back off are left alone; what is not reached keeps its first result.
func (c *checkRun) retry(ctx context.Context, stop <-chan struct{}) error {
	c.first = map[uint64]linkResult{}
	var again, leave []linkResult
	for _, r := range c.weak {
		if c.dispatcher.host(r.host).BackedOff {
			leave = append(leave, r)
		} else {
			again = append(again, r)
		}
	}
	if len(again) == 0 || !c.pause(ctx, stop) {
		return ctx.Err()
	}
	c.weak = leave
	for _, r := range again {
		c.first[r.id] = r
		if !c.follows[r.id] {
			c.dispatcher.queues.Add(c.dispatcher.host(r.host), r.id)
		}
	}
	c.sum.Retried = len(again)
	err := c.pass(ctx, stop)
	for _, r := range again {
		if r, ok := c.first[r.id]; ok {
			c.weak = append(c.weak, r)
		}
	}
	return cmp.Or(err, ctx.Err())
}

// pause waits for the retry; false when the run ends before.
func (c *checkRun) pause(ctx context.Context, stop <-chan struct{}) bool {
	wait := time.NewTimer(c.o.RetryDelay)
	defer wait.Stop()
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-wait.C:
			return true
		case now := <-tick.C:
			c.progress(now)
		case <-stop:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// pass probes what waits.
func (c *checkRun) pass(ctx context.Context, stop <-chan struct{}) error {
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
	}
	return down
}

// cutShort says why a pass ended early, if it did.
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

// progress says how far the run is, now and then.
func (c *checkRun) progress(now time.Time) {
	if c.o.Progress == nil || now.Sub(c.reported) < progressEvery {
		return
	}
	c.reported = now
	c.o.Progress(Progress{
		Planned: c.sum.Planned, Done: c.sum.Checked + len(c.redirected) + len(c.weak), UnderWay: c.dispatcher.underWay,
		Retry: len(c.weak) + len(c.first), Hosts: c.dispatcher.queues.Hosts(),
	})
}

// conclude writes the summary of the run.
func (c *checkRun) conclude(why error) error {
	c.sum.Left = c.dispatcher.queues.Len()
	r := &c.sum.Run
	r.Ended, r.Checked = c.o.Now(), c.sum.Checked
	r.Outages = c.network.outages()
	switch {
	case errors.Is(why, context.Canceled):
		r.Note = "interrupted"
	case why != nil:
		r.Note = fmt.Sprintf("%.200s", why)
	}
	tally, err := c.st.Tally(r.ID)
	if err != nil {
		return err
	}
	r.Outcomes, r.States, r.Changes = tally.Outcomes, tally.States, tally.Changes
	c.sum.Last = tally.Last
	return c.st.EndRun(*r)
}
