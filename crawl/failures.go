package crawl

import (
	"time"

	"linkcheck/check"
	"linkcheck/uri"
)

// enoughFailures in a row speak for the other links of a server.
const enoughFailures = 3

// serverFailures knows the servers that are not there. Three plain failures without
// any answer stand for the other links of the pass too, so a vanished host costs
// three probes and not thousands (OUTCOMES 5.1.5).
type serverFailures map[uri.Endpoint]serverFailure

// serverFailure is small: a run may ask hundreds of thousands of servers.
type serverFailure struct {
	count    uint8         // up to enoughFailures
	answered bool          // something, once
	last     *check.Result // once count is enoughFailures
}

// known gives the result of the links of a server that is not there; nil: probe them.
func (f serverFailures) known(at uri.Endpoint) *check.Result {
	s := f[at]
	if s.answered || s.count < enoughFailures {
		return nil
	}
	r := *s.last
	r.At, r.Attempts, r.Took, r.Bytes = time.Time{}, 0, 0, 0
	return &r
}

func (f serverFailures) learn(at uri.Endpoint, failed bool, r *check.Result) {
	if at.Host == "" {
		return
	}
	s := f[at]
	switch {
	case s.answered:
		return
	case !failed:
		s = serverFailure{answered: true}
	case s.count < enoughFailures:
		if s.count++; s.count == enoughFailures {
			s.last = new(*r)
		}
	}
	f[at] = s
}

func (d *dispatcher) forgetRedirect(id uint64) {
	if r := d.redirects[id]; r != nil {
		d.ahead -= r.size
		delete(d.redirects, id)
	}
}
