package crawl

import (
	"slices"
	"time"

	"linkcheck/check"
)

// When our own network counts as down (OUTCOMES 5.1.6), judged on the hosts that
// lived at their last check.
const (
	manyHosts  = 20 // with so many, half of them failing weakly is enough
	fewHosts   = 5  // with fewer than many, all of them must fail
	outageSize = 3  // links of a host that make its failure an outage
)

// network judges by the hosts of a run whether our own network is there.
type network struct {
	timeout      time.Duration // of a probe: for so long nobody need answer
	hosts        map[string]*hostRecord
	living       int       // hosts that lived before this run
	probed       int       // of them probed
	failing      int       // of them without any answer so far
	silent       int       // of them one after another, since a host answered
	lastAnswered time.Time // by the monotonic clock
}

// hostRecord is what a run learned of one host.
type hostRecord struct {
	lived  bool // it answered at its last check before this run
	probed int  // links
	weak   int  // of them failed weakly
}

func newNetwork(timeout time.Duration) *network {
	return &network{timeout: timeout, hosts: map[string]*hostRecord{}}
}

func (n *network) record(host string) *hostRecord {
	h := n.hosts[host]
	if h == nil {
		h = &hostRecord{}
		n.hosts[host] = h
	}
	return h
}

// expect notes that a host lived before this run.
func (n *network) expect(host string) {
	if h := n.record(host); !h.lived {
		h.lived = true
		n.living++
	}
}

// count counts a result for its link's host, in the place of the first one where it
// is the second of its link.
func (n *network) count(host string, first, r *check.Result, at time.Time) {
	if host == "" || isNameless(host) {
		return
	}
	h := n.record(host)
	failed := h.allFailed()
	if first == nil {
		if h.probed++; h.probed == 1 && h.lived {
			n.probed++
		}
	} else if failedHost(first) {
		h.weak--
	}
	switch {
	case failedHost(r):
		h.weak++
	case mayHaveAsked(r) && !isWeak(r):
		n.silent, n.lastAnswered = 0, at
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

func (h *hostRecord) allFailed() bool { return h.probed > 0 && h.weak == h.probed }

// mostDown says after each result whether the run is to end. Half of the hosts of the
// whole run must fail, not of those probed so far: refusals are quick, and come first.
// It does not wait for half of them when no host at all answers for the time of a
// probe; in the retry that means nothing, since the retry begins with a wait.
func (n *network) mostDown(retry bool, at time.Time) bool {
	if n.living >= manyHosts && 2*n.failing >= n.living {
		return true
	}
	return !retry && n.silent >= manyHosts && at.Sub(n.lastAnswered) >= n.timeout
}

// allDown gives ErrNetworkDown at the end of a pass in which all of a few hosts failed.
func (n *network) allDown() error {
	if n.living >= fewHosts && n.living < manyHosts && n.probed == n.living && n.failing == n.probed {
		return ErrNetworkDown
	}
	return nil
}

// outages lists the hosts all of whose links failed weakly, sorted.
func (n *network) outages() (list []string) {
	for name, h := range n.hosts {
		if h.probed >= outageSize && h.allFailed() {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
