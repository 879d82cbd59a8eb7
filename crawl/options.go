package crawl

import (
	"context"
	"errors"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/judge"
	"linkcheck/store"
)

var (
	// ErrNetworkDown: our own network looks down; what failed weakly counts for
	// nothing. Exit code 4.
	ErrNetworkDown = errors.New("the network of this machine looks down")
	// ErrUnfinished: the time given was not enough; the rest is due next time. Exit code 3.
	ErrUnfinished = errors.New("not all links could be checked in the time given")
)

// Options steers Check and Probe. NewOptions fills in what most want; zero means
// zero.
type Options struct {
	Prober  check.Prober                                                   // of all schemes
	Route   func(ctx context.Context, addr string) (netguard.Route, error) // as netguard.Guard.Lookup; nil: hosts are told apart by name alone
	Exclude func(url string) bool                                          // links that are not probed; nil: none

	Workers     int           // at least 1
	PerHost     int           // connections to one host at a time; at least 1
	HostDelay   time.Duration // the gap between two probes of one host
	Timeout     time.Duration // of finding an address
	RetryDelay  time.Duration // before weak failures are tried once more
	NoRetry     bool
	MaxDuration time.Duration // of a run; 0: no limit
	Policy      judge.Policy
	Filter      store.Filter
	Fragments   bool   // links that differ in the fragment alone are probed one by one
	Version     string // of the program, kept with the run

	// Now is the time of what is recorded. Gaps, delays and limits go by the
	// system's monotonic clock instead: they pass whatever Now says.
	Now      func() time.Time
	Progress func(Progress)                   // called some times a second, from one goroutine; nil: not
	Kept     func(url string, r check.Result) // called with every result that is kept, from one goroutine; nil: not
}

// NewOptions asks by p with 16 workers, one connection a host at a time, 2 s between
// two probes of a host, 20 s for an address, and a retry after a minute.
func NewOptions(p check.Prober) Options {
	return Options{
		Prober: p, Workers: 16, PerHost: 1, HostDelay: 2 * time.Second,
		Timeout: 20 * time.Second, RetryDelay: time.Minute, Now: time.Now,
	}
}

// Progress says how far a run is.
type Progress struct {
	Planned  int // links to probe
	Done     int // of them probed
	UnderWay int // links that a worker is busy with: their names, too
	Retry    int // will be, or are being, tried again
	Hosts    int
}

// Summary says what a run did.
type Summary struct {
	Run       store.Run
	Last      map[check.Outcome]int // of all links: what they answered when they were last probed
	Planned   int
	Checked   int // results kept
	Retried   int
	BackedOff int // left for another night since their host asked for it
	Left      int // not reached
}
