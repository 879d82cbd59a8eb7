package crawl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"linkcheck/check"
	"linkcheck/crawl/hostqueue"
	"linkcheck/judge"
	"linkcheck/store"
)

// When our own network counts as down (OUTCOMES 5.1.6 to 5.1.6b), judged by the
// hosts that lived before.
const (
	manyHosts  = 20 // of these and more, half must fail weakly
	fewHosts   = 5  // of these and more, up to manyHosts, all must fail; of these and more, half must lose their names, or nobody must be heard
	outageSize = 3  // links of a host that must all fail weakly for an outage

	// lately is how long ago a host may have begun to fail that counts as one that
	// lived, where its name leads nowhere: longer than the strikes of a death take.
	lately = 8 * 24 * time.Hour
)

// network judges by the hosts of a run whether our own network is up. Its vantage guards it.
type network struct {
	vantage *Vantage
	passes  int  // that have ended
	ended   bool // the Check has

	timeout      time.Duration // of a probe: the time in which some host should have answered
	queues       *hostqueue.Queues
	hosts        []hostRecord // by hostqueue.Host.Number
	living       int          // hosts that were alive before this run
	probed       int          // living hosts that were probed
	failing      int          // living hosts all of whose links failed weakly so far
	silent       int          // living hosts that began to fail since any host answered
	lastAnswered time.Time    // by the monotonic clock
	heard        bool         // some server said something
	since        time.Time    // since when runs are not believed; zero: the last one is
}

// hostRecord is what a run learned of one host. It is small: a run may have a million.
type hostRecord struct {
	fellSick int64 // it lived until lately, and fails since this Unix time; 0: it does not
	probed   int32 // links with a result
	weak     int32 // links that failed weakly
	nameless int32 // links whose host has no name or address
	lost     int32 // links that failed in one of these ways, or by our own fault
	inRun    bool  // one of its links is due, or is a witness
	lived    bool  // it answered at its last check before this run
	atStake  bool  // one of its links is not dead yet
	asked    bool  // a probe set out for it
	heard    bool  // it said something
}

// expect notes what is known of the host of a link that is due.
func (n *network) expect(host *hostqueue.Host, t *store.DueLink, now time.Time) {
	h := n.record(host)
	h.inRun = true
	if t.HostLives && !h.lived {
		h.lived = true
		n.living++
	}
	since := t.FailingSince
	if !t.HostLives && !since.IsZero() && now.Sub(since) < lately && (h.fellSick == 0 || since.Unix() < h.fellSick) {
		h.fellSick = since.Unix()
	}
	h.atStake = h.atStake || t.State != judge.Dead
}

// witness begins to look at a host; false where that is done.
func (n *network) witness(host *hostqueue.Host) bool {
	n.vantage.mu.Lock()
	defer n.vantage.mu.Unlock()
	h := n.record(host)
	if h.inRun {
		return false
	}
	h.inRun = true
	return true
}

// record is that of a host, until one is asked for of another host.
func (n *network) record(host *hostqueue.Host) *hostRecord {
	if more := int(host.Number) + 1 - len(n.hosts); more > 0 {
		n.hosts = append(n.hosts, make([]hostRecord, more)...)
	}
	return &n.hosts[host.Number]
}

// count counts a result for its link's host, in place of the first one of its link if
// there is one.
func (n *network) count(host *hostqueue.Host, first, r *check.Result, at time.Time) {
	if isNameless(host.Name) {
		return
	}
	n.vantage.mu.Lock()
	defer n.vantage.mu.Unlock()
	h := n.record(host)
	failed := h.allFailed()
	if first == nil {
		if h.probed++; h.probed == 1 && h.lived {
			n.probed++
		}
	} else {
		h.tally(first, -1)
	}
	h.tally(r, 1)
	h.asked = h.asked || setOut(r)
	if saysSomething(r) {
		h.heard, n.heard = true, true
	}
	if mayHaveAsked(r) && !isWeak(r) {
		n.answers(at)
	}
	switch {
	case !h.lived || h.allFailed() == failed:
	case failed:
		n.failing--
	default:
		n.failing++
		n.silent++
	}
}

// tally adds n results of one kind.
func (h *hostRecord) tally(r *check.Result, n int32) {
	weak, nameless := failedHost(r), lostName(r)
	if weak {
		h.weak += n
	}
	if nameless {
		h.nameless += n
	}
	if weak || nameless || r.Outcome == check.Internal {
		h.lost += n
	}
}

func (h hostRecord) allFailed() bool   { return h.probed > 0 && h.weak == h.probed }
func (h hostRecord) allNameless() bool { return h.probed > 0 && h.nameless == h.probed }
func (h hostRecord) allLost() bool     { return h.probed > 0 && h.lost == h.probed }

// names counts the hosts that lived and whose names lead nowhere in this run, and the
// other ones that live. With sick, those count too that lived until lately; with heard,
// hosts that said something beside those that lived before, in this run or, by their
// names, before it.
func (n *network) names(sick bool, heard map[string]bool) (lost, live int) {
	for m := range n.vantage.each() {
		for _, h := range m.hosts {
			switch {
			case (h.lived || sick && h.fellSick != 0) && h.allNameless():
				lost++
			case h.lived && h.probed > 0 || heard != nil && h.heard:
				live++
			}
		}
	}
	live += len(heard)
	for number := range n.hosts {
		if n.hosts[number].probed > 0 && heard[n.queues.At(uint32(number)).Name] {
			live--
		}
	}
	return lost, live
}

// sickSince is the first time at which a host fell sick whose name leads nowhere now.
func (n *network) sickSince() (first time.Time) {
	for _, h := range n.hosts {
		if h.allNameless() && h.fellSick != 0 && (first.IsZero() || h.fellSick < first.Unix()) {
			first = time.Unix(h.fellSick, 0)
		}
	}
	return first
}

// nobodyHeard gives the number of hosts that were asked, of those with a link that is not
// dead yet, where five or more were and no server said anything; else 0.
func (n *network) nobodyHeard() (asked int) {
	for m := range n.vantage.each() {
		if m.heard {
			return 0
		}
		for _, h := range m.hosts {
			if h.asked && h.atStake {
				asked++
			}
		}
	}
	if asked < fewHosts {
		return 0
	}
	return asked
}

// distrust gives ErrNetworkDown at the end of a pass: where all or half of the hosts that
// lived failed, or where half of them or more lost their names in one night, which a name
// server of ours does that has lost sight of the world.
func (c *checkRun) distrust(ctx context.Context) error {
	n := c.network
	n.passed(ctx)
	lost, live := n.names(false, nil)
	if lost >= fewHosts && lost >= live && n.since.IsZero() {
		return namesLost(lost, live)
	}
	// A night that asks again what lost its name before may ask little else: what was
	// heard since then is compared.
	return cmp.Or(c.compareNames(false, n.since), c.compareNames(true, n.sickSince()), n.allDown())
}

// compareNames compares the hosts that lost their names with those heard since a time.
func (c *checkRun) compareNames(sick bool, since time.Time) error {
	if since.IsZero() {
		return nil
	}
	lost, live := c.network.names(sick, map[string]bool{})
	if lost < fewHosts || lost < live {
		return nil
	}
	heard, err := c.heardSince(since)
	if err != nil {
		return err
	}
	if lost, live = c.network.names(sick, heard); lost < live {
		return nil
	}
	return namesLost(lost, live)
}

func namesLost(lost, live int) error {
	return fmt.Errorf("%w: the name server knows no address for %d of %d hosts that lived", ErrNetworkDown, lost, lost+live)
}

// heardSince gives the hosts of the store that said something since a time.
func (c *checkRun) heardSince(at time.Time) (map[string]bool, error) {
	heard := map[string]bool{}
	for e, err := range c.st.Scan(store.Pick{}) {
		l := e.Link
		if err != nil {
			return nil, err
		}
		if l.HostLives && l.Host != "" && l.Last.Reason != check.ReasonInArchive && (!l.LastOK.Before(at) || !l.Last.At.Before(at) && saysSomething(&l.Last)) {
			heard[l.Host] = true
		}
	}
	return heard, nil
}

// nobody gives ErrNetworkDown at the end of a run in which no server said anything. Where
// hosts are known that live, some of those are asked first: what is asked tonight may all
// be dead.
func (c *checkRun) nobody(ask func() error) error {
	if c.network.nobodyHeard() == 0 {
		return nil
	}
	return cmp.Or(ask(), c.network.down())
}

// down gives ErrNetworkDown where nobody was heard.
func (n *network) down() error {
	if asked := n.nobodyHeard(); asked > 0 {
		return fmt.Errorf("%w: of %d hosts nobody answered: is this machine online? a proxy?", ErrNetworkDown, asked)
	}
	return nil
}

// outages are the names of the hosts that had an outage, and of those among them that
// lived when they were last asked, sorted. The other ones never lived or were told of.
func (n *network) outages() (all, fallen []string) {
	for number := range n.hosts {
		h := &n.hosts[number]
		if h.probed < outageSize || !h.allFailed() {
			continue
		}
		name := n.queues.At(uint32(number)).Name
		all = append(all, name)
		if h.lived {
			fallen = append(fallen, name)
		}
	}
	slices.Sort(all)
	slices.Sort(fallen)
	return all, fallen
}
