package crawl

import (
	"sync"

	"linkcheck/check"
	"linkcheck/uri"
)

// enoughFailures in a row speak for the other links of a server.
const enoughFailures = 3

// serverFailures remembers of servers that they are not there. Some plain failures
// in a row without any success speak for the other links of the pass too, so a
// vanished host costs three probes and not thousands (OUTCOMES 5.1.5).
type serverFailures struct {
	mu sync.Mutex
	of map[uri.Endpoint]*serverFailure
}

type serverFailure struct {
	count    int
	answered bool // something, once
	last     check.Result
}

func newServerFailures() *serverFailures {
	return &serverFailures{of: map[uri.Endpoint]*serverFailure{}}
}

// known gives the result of a server's links that need not be asked about any more.
func (f *serverFailures) known(at uri.Endpoint) (r check.Result, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.of[at]
	if s == nil || s.answered || s.count < enoughFailures {
		return r, false
	}
	r = s.last
	r.Attempts, r.Took, r.Bytes = 0, 0, 0
	return r, true
}

func (f *serverFailures) learn(at uri.Endpoint, failed bool, r *check.Result) {
	if at.Host == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.of[at]
	if s == nil {
		s = &serverFailure{}
		f.of[at] = s
	}
	if !failed {
		s.answered = true
		return
	}
	s.count++
	s.last = *r
}
