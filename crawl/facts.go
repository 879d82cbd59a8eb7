package crawl

import (
	"sync"

	"linkcheck/check"
	"linkcheck/uri"
)

// facts remembers what is true of a server and port, not of a link: that it is
// not there. Three plain failures in a row without any success speak for the
// other links of the run too, so a vanished host costs three probes and not
// thousands (OUTCOMES 5.1.5).
type facts struct {
	mu sync.Mutex
	by map[uri.Endpoint]*fact
}

type fact struct {
	count  int
	broken bool // it answered something
	result check.Result
}

const factCount = 3

func (f *facts) reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.by = map[uri.Endpoint]*fact{}
}

func (f *facts) known(at uri.Endpoint) (check.Result, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k := f.by[at]; k != nil && !k.broken && k.count >= factCount {
		r := k.result
		r.Attempts, r.Took, r.Bytes = 0, 0, 0
		return r, true
	}
	return check.Result{}, false
}

func (f *facts) learn(at uri.Endpoint, failed bool, r *check.Result) {
	if at.Host == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.by[at]
	if k == nil {
		k = &fact{}
		f.by[at] = k
	}
	if !failed {
		k.broken = true
		return
	}
	k.count++
	k.result = *r
}

func ofHost(r check.Reason) bool {
	switch r {
	case check.ReasonDNSNXDomain, check.ReasonDNSNoAddress, check.ReasonDNSServFail, check.ReasonDNSTimeout, check.ReasonTCPRefused, check.ReasonTCPTimeout, check.ReasonNoRoute:
		return true
	}
	return false
}
