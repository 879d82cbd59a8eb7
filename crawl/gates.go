package crawl

import (
	"context"
	"sync"
	"time"

	"linkcheck/crawl/hostqueue"
)

// Gates lets several Checks take turns at what they ask, each of a store of its own: one
// probe at a time at a gate, with a gap (DESIGN law 6). A gate is what hosts share by which
// they are one server (OUTCOMES 5.1.15): the lowest address, else the name; a scheme for
// links without a host.
type Gates interface {
	// Ask waits for the turn at a gate, of a site where the gate is an address: some of those
	// that share a front may be asked at a time, and none twice (OUTCOMES 5.1.15); "": it is none.
	// granted is called when the turn is there, from any goroutine: a probe begins within a
	// second, and ends by until.
	Ask(gate, site string, granted func(until time.Time))
	// Done ends each turn that was granted. The next one begins after gap at the soonest; 0:
	// nothing was asked. leave ends the session that the prober holds open there, before
	// another one comes; nil: it holds none.
	Done(gate, site string, gap time.Duration, leave func())
}

// grantFresh is how old a turn may be when its probe begins.
const grantFresh = time.Second

// gating are the jobs of a dispatcher that wait at gates.
type gating struct {
	o         *Options
	addresses map[uint32]string // of hosts, by their numbers

	mu      sync.Mutex
	waiting map[uint64]*job // by link
}

// gate is where a job waits, and what its turn is.
type gate struct {
	name, site     string // as in Gates; "": at none
	granted, until time.Time
}

// newGating gives nil where there are no gates.
func newGating(o *Options) *gating {
	if o.Gates == nil {
		return nil
	}
	return &gating{o: o, addresses: map[uint32]string{}, waiting: map[uint64]*job{}}
}

// locate notes the address of a host.
func (g *gating) locate(h *hostqueue.Host, address string) {
	if g != nil && address != "" {
		g.addresses[h.Number] = address
	}
}

// ask hands a job to jobs when its gate lets it through, unless it was withdrawn.
func (g *gating) ask(j job, jobs chan<- job) {
	if j.gate.name = g.addresses[j.turn.Host.Number]; j.gate.name != "" {
		j.gate.site = hostqueue.SiteOf(j.turn.Host.Name)
	} else {
		j.gate.name = j.turn.Host.Name
	}
	waits := &j
	g.mu.Lock()
	g.waiting[j.turn.ID] = waits
	g.mu.Unlock()
	g.o.Gates.Ask(j.gate.name, j.gate.site, func(until time.Time) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.waiting[j.turn.ID] != waits {
			g.o.Gates.Done(j.gate.name, j.gate.site, 0, nil)
			return
		}
		delete(g.waiting, j.turn.ID)
		j.gate.granted, j.gate.until = time.Now(), until
		jobs <- j
	})
}

// withdraw gives back the jobs that still wait.
func (g *gating) withdraw() (list []*job) {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, j := range g.waiting {
		list = append(list, j)
	}
	clear(g.waiting)
	return list
}

// inTurn makes a step of a probe in the turn of its gate. Where the turn is too old before
// a slot is free, the link waits anew.
func (w *workers) inTurn(ctx context.Context, o *outcome) {
	gap := time.Duration(0)
	var leave func()
	defer func() { w.o.Gates.Done(o.gate.name, o.gate.site, gap, leave) }()
	fresh := time.NewTimer(time.Until(o.gate.granted.Add(grantFresh)))
	defer fresh.Stop()
	select {
	case w.o.Slots <- struct{}{}:
		defer func() { <-w.o.Slots }()
	case <-fresh.C:
	}
	if time.Since(o.gate.granted) >= grantFresh {
		o.locate = true // nothing was looked for, and the link is the first of its host again
		return
	}
	ctx, cancel := context.WithDeadline(ctx, o.gate.until)
	defer cancel()
	w.step(ctx, o)
	if gap = w.o.gap(o); comesAgain(&o.result) {
		gap = max(gap, o.result.RetryAfter)
	}
	if closeIdle := w.o.Prober.Hooks().CloseIdle; !w.o.leaves && closeIdle != nil && o.server.Host != "" {
		leave = func() { closeIdle(o.server.Host) }
	}
}
