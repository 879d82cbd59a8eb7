package crawl

import (
	"context"
	"errors"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/proxied"
)

var (
	// ErrNetworkDown says that our own network looks down; failures of the run count for
	// nothing. Exit code 4.
	ErrNetworkDown = errors.New("the network of this machine looks down")
	// ErrOwnFaults says that many results are internal, which tell of this machine and
	// not of links; the others count. Exit code 4.
	ErrOwnFaults = errors.New("results are faults of this machine or of linkcheck itself")
	// ErrUnfinished says that MaxDuration was not enough; the other links stay due.
	// Exit code 3.
	ErrUnfinished = errors.New("not all links could be checked in the time given")
)

// Options are those of Check and Probe. NewOptions gives the usual ones; a zero field
// means zero, not a default.
type Options struct {
	Prober  check.Prober                                                   // of all schemes
	Route   func(ctx context.Context, addr string) (netguard.Route, error) // as netguard.Guard.Lookup; nil: hosts that share an address are not recognized
	Exclude func(url string) bool                                          // links that are not probed; nil: none
	NameOf  func(url string) string                                        // by which the sources hold what a link leads to, "": it leads elsewhere; nil: as extract.NameOf
	Proxies proxied.Rules                                                  // of libraries' proxies, for Probe; a store has its own

	// Turns are those of the readings before a Check, nil if there were none. Gaps, hosts
	// that share an address and hosts that rest are as they left them.
	// What those readings heard of an address is the answer for a link to it.
	Turns *Turns

	// Checks that go on side by side, each of a store of its own, share these; nil: this one
	// is alone. Gates and Slots come together; of Turns there is then what was heard.
	Gates   Gates
	Slots   chan struct{} // as many probes at a time as it has room
	Vantage *Vantage

	// HeldBack says why a link is not asked about that leads into an archive where its
	// addresses have no end (HARVEST section 6); "": it is. nil: all are.
	HeldBack func(id uint64, address string) (why string)

	// Canaries are links known to be good, and of no redirect to another site. Check asks
	// about them first, and now and then: where none is there, no failure counts. Checks that
	// share a Vantage have the same, and ask about them once.
	Canaries []uri.URI

	Workers     int                   // at least 1; with Gates, they wait there too
	PerHost     int                   // connections to one host at a time; at least 1
	PerHostOf   func(host string) int // the same for one host; 0: as PerHost. nil: so for all
	HostDelay   time.Duration         // the gap between two probes of one host
	Timeout     time.Duration         // of the search for an address
	RetryDelay  time.Duration         // before weak failures are tried once more
	NoRetry     bool
	MaxDuration time.Duration // of a run; 0: no limit, less: no link is asked
	Policy      judge.Policy
	Filter      store.Filter
	Fragments   bool   // a page is looked through for the places that fragments name: what was heard without them is asked again
	Version     string // of the program, kept with the run

	// Now is the clock of what is recorded. Gaps, delays and limits use the system's
	// monotonic clock instead, whatever Now returns.
	Now      func() time.Time
	Progress func(Progress)                   // called up to five times a second, from one goroutine; nil: not
	Run      store.Run                        // one that has begun; zero: Check begins it
	Began    func(run uint64)                 // called with the number of the run; nil: not
	Kept     func(url string, r check.Result) // called with every result that is kept, from one goroutine; nil: not

	leaves bool // no session is kept for the next probe
}

// NewOptions are the usual options with p as prober: 16 workers, one connection to a
// host at a time, 2 s between two probes of a host, 20 s for an address, and a retry
// after a minute.
func NewOptions(p check.Prober) Options {
	return Options{
		Prober: p, Workers: 16, PerHost: 1, HostDelay: 2 * time.Second,
		Timeout: 20 * time.Second, RetryDelay: time.Minute, Now: time.Now,
	}
}

// Progress says how far a run is.
type Progress struct {
	Planned  int // links to probe
	Done     int // links with a result
	UnderWay int // workers: some look for the address of a host
	Retry    int // links that are tried again, now or later
	Hosts    int
}

// Summary says what a run did.
type Summary struct {
	Run       store.Run
	Last      map[check.Outcome]int // number of links by the outcome of their last probe, of all in the store
	Planned   int
	Checked   int // results kept
	Retried   int
	BackedOff int // left for another night, since their host asked for it
	Left      int // still in a queue at the end
}
