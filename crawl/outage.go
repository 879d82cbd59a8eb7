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

// isWeak says whether a failure proves little: the end of the run tries it again.
func isWeak(r *check.Result) bool {
	switch r.Outcome {
	case check.Temporary:
		return true
	case check.Unreachable:
		return r.Evidence != check.Strong
	}
	return false
}

// failedHost says whether a weak failure is that of the link's own host: one that
// sends us on has answered.
func failedHost(r *check.Result) bool { return isWeak(r) && len(r.Hops) == 0 }

// count keeps the numbers of a host. The second answer of a link replaces the first.
func (n *night) count(h *host, id uint64, r *check.Result) {
	if h.name == "" || isNameless(h.name) {
		return
	}
	was := h.probed > 0 && h.weak == h.probed
	if first, again := n.first[id]; again {
		if failedHost(&first.result) {
			h.weak--
		}
	} else if h.probed++; h.probed == 1 && h.alive {
		n.alive++
	}
	switch {
	case failedHost(r):
		h.weak++
	case touches(r) && !isWeak(r):
		n.silent, n.heard = 0, time.Now()
	}
	is := h.weak == h.probed
	if h.alive && is != was {
		if is {
			n.failing++
			n.silent++
		} else {
			n.failing--
		}
	}
}

// mostDown is asked after every answer. Half of the hosts of the whole run must
// fail, not of those asked so far: what refuses is quick, and comes first. It need
// not wait for them when no host at all says a word for the time of a probe.
func (n *night) mostDown() bool {
	if n.aliveAll >= manyHosts && 2*n.failing >= n.aliveAll {
		return true
	}
	return n.first == nil && n.silent >= manyHosts && time.Since(n.heard) >= n.o.Timeout
}

// allDown is asked at the end of a pass.
func (n *night) allDown() bool {
	return n.alive >= fewHosts && n.aliveAll < manyHosts && n.failing == n.alive && n.alive == n.aliveAll
}

// outages lists the hosts all of whose links failed weakly, sorted.
func (n *night) outages() (list []string) {
	for name, h := range n.hosts {
		if h.probed >= outageSize && h.weak == h.probed {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
