package crawl

import (
	"slices"
	"time"

	"linkcheck/check"
)

// When our own network counts as down (OUTCOMES 5.1.6), judged by the hosts that were
// alive at their last check.
const (
	manyHosts  = 20 // of these and more, half must fail weakly
	fewHosts   = 5  // of these and more, up to manyHosts, all must fail weakly
	outageSize = 3  // links of a host that must all fail weakly for an outage
)

// network judges by the hosts of a run whether our own network is up.
type network struct {
	timeout      time.Duration // of a probe: the time in which some host should have answered
	hosts        map[string]hostRecord
	living       int       // hosts that were alive before this run
	probed       int       // living hosts that were probed
	failing      int       // living hosts all of whose links failed so far
	silent       int       // living hosts that began to fail since any host answered
	lastAnswered time.Time // by the monotonic clock
}

// hostRecord is what a run learned of one host.
type hostRecord struct {
	lived  bool  // it answered at its last check before this run
	probed int32 // links with a result
	weak   int32 // links that failed weakly
}

// expect notes that a host was alive before this run.
func (n *network) expect(host string) {
	if h := n.hosts[host]; !h.lived {
		h.lived = true
		n.hosts[host] = h
		n.living++
	}
}

// count counts a result for its link's host, in place of the first one of its link if
// there is one.
func (n *network) count(host string, first, r *check.Result, at time.Time) {
	if host == "" || isNameless(host) {
		return
	}
	h := n.hosts[host]
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
	n.hosts[host] = h
	switch {
	case !h.lived || h.allFailed() == failed:
	case failed:
		n.failing--
	default:
		n.failing++
		n.silent++
	}
}

func (h hostRecord) allFailed() bool { return h.probed > 0 && h.weak == h.probed }

// mostDown says after each result whether the run is to end. Half of the hosts of the
// whole run must fail, not of those probed so far: refusals are quick, and come first.
// It does not wait for half of them when no host at all answers for the time of a
// probe; in the retry that means nothing, since the retry begins with a wait.
func (n *network) mostDown(retry bool, at time.Time) bool {
	return n.living >= manyHosts && 2*n.failing >= n.living ||
		!retry && n.silent >= manyHosts && at.Sub(n.lastAnswered) >= n.timeout
}

// allDown gives ErrNetworkDown at the end of a pass in which all of a few hosts failed.
func (n *network) allDown() error {
	if n.living >= fewHosts && n.living < manyHosts && n.probed == n.living && n.failing == n.probed {
		return ErrNetworkDown
	}
	return nil
}

// outages are the names of the hosts that had an outage, sorted.
func (n *network) outages() (list []string) {
	for name, h := range n.hosts {
		if h.probed >= outageSize && h.allFailed() {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
