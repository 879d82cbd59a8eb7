package crawl

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"linkcheck/crawl/hostqueue"
)

// Vantage is the network of a machine as the Checks of one night see it together, each of a
// store of its own (OUTCOMES 5.1.6): what one hears, all hear, and their hosts count as
// those of one. A pass is judged when all have come to its end. The zero value is ready.
type Vantage struct {
	mu      sync.Mutex
	all     []*network
	changed chan struct{} // closed when one is further; nil: nobody waits

	// Of the canaries, which are asked once for all.
	asking bool      // one does
	asked  time.Time // when that was begun last, by the monotonic clock; zero: never
	failed []string  // what is not there, and why
}

// newNetwork is what a Check learns that looks from v; nil: alone.
func newNetwork(v *Vantage, timeout time.Duration, queues *hostqueue.Queues) *network {
	if v == nil {
		v = &Vantage{}
	}
	return &network{vantage: v, timeout: timeout, queues: queues}
}

// each yields all that look from here; meanwhile none of them changes.
func (v *Vantage) each() iter.Seq[*network] {
	return func(yield func(*network) bool) {
		v.mu.Lock()
		defer v.mu.Unlock()
		for _, n := range v.all {
			if !yield(n) {
				return
			}
		}
	}
}

// moves changes a network, and wakes those that wait for that; v.mu is held.
func (v *Vantage) moves(change func()) {
	change()
	if v.changed != nil {
		close(v.changed)
		v.changed = nil
	}
}

// hears notes that the world is there.
func (n *network) hears(at time.Time) {
	n.vantage.mu.Lock()
	defer n.vantage.mu.Unlock()
	n.heard = true
	n.answers(at)
}

// answers notes that a host answers; the vantage is held.
func (n *network) answers(at time.Time) {
	n.lastAnswered = at
	for _, other := range n.vantage.all {
		other.silent = 0
	}
}

// join begins to look.
func (n *network) join() {
	v := n.vantage
	v.mu.Lock()
	defer v.mu.Unlock()
	v.all = append(v.all, n)
}

// leave ends the looking; what was seen still counts for the others.
func (n *network) leave() {
	n.vantage.mu.Lock()
	defer n.vantage.mu.Unlock()
	n.vantage.moves(func() { n.ended = true })
}

// passed waits at the end of a pass until the others have come as far.
func (n *network) passed(ctx context.Context) {
	v := n.vantage
	v.mu.Lock()
	defer v.mu.Unlock()
	v.moves(func() { n.passes++ })
	v.waitWhile(ctx, func() bool { return v.someBehind(n.passes) })
}

// waitWhile waits for the others; v.mu is held, but not while it waits.
func (v *Vantage) waitWhile(ctx context.Context, busy func() bool) {
	for ctx.Err() == nil && busy() {
		if v.changed == nil {
			v.changed = make(chan struct{})
		}
		changed := v.changed
		v.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		v.mu.Lock()
	}
}

// canariesSince gives which canaries failed when they were asked last, and when that was
// begun. Where it was not since a time, they are asked: by one, and the others wait for that.
func (v *Vantage) canariesSince(ctx context.Context, since time.Time, ask func() (failed []string)) (asked time.Time, failed []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waitWhile(ctx, func() bool { return v.asking })
	if ctx.Err() == nil && (v.asked.IsZero() || v.asked.Before(since)) {
		v.asking = true
		v.mu.Unlock()
		begun, failed := time.Now(), ask()
		v.mu.Lock()
		v.moves(func() {
			if v.asking = false; ctx.Err() == nil { // else nobody knows
				v.asked, v.failed = begun, failed
			}
		})
	}
	return v.asked, v.failed
}

func (v *Vantage) someBehind(passes int) bool {
	return slices.ContainsFunc(v.all, func(n *network) bool { return !n.ended && n.passes < passes })
}

// mostDown says after each result whether the run is to end. Half of the hosts of the
// whole run must fail, not of those probed so far: refusals are quick, and come first.
// It does not wait for half of them when no host at all answers for the time of a
// probe; in the retry that means nothing, since the retry begins with a wait.
func (n *network) mostDown(retry bool, at time.Time) bool {
	var living, failing, silent int
	last := n.lastAnswered
	for m := range n.vantage.each() {
		living, failing, silent = living+m.living, failing+m.failing, silent+m.silent
		if m.lastAnswered.After(last) {
			last = m.lastAnswered
		}
	}
	return living >= manyHosts && 2*failing >= living ||
		!retry && silent >= manyHosts && at.Sub(last) >= n.timeout
}

// allDown gives ErrNetworkDown at the end of a pass in which all of a few hosts failed,
// or half of many, whichever way; of lost names only the first night counts.
func (n *network) allDown() error {
	var lost, living, probed int
	for m := range n.vantage.each() {
		living, probed = living+m.living, probed+m.probed
		for _, h := range m.hosts {
			if h.lived && h.allLost() && (n.since.IsZero() || !h.allNameless()) {
				lost++
			}
		}
	}
	if living >= manyHosts && 2*lost >= living || living >= fewHosts && probed == living && lost == living {
		return ErrNetworkDown
	}
	return nil
}
