// Package check holds the words of probing: outcomes, reasons, results, the
// Prober that every wire protocol implements, and the guarded dialer through
// which all of them reach the network. It knows no protocol.
package check

import (
	"context"
	"fmt"
	"time"

	"linkcheck/check/netguard"
	"linkcheck/uri"
)

// Outcome is a fact about one probe. It never says "dead": only states do.
// The values are stored: append only.
type Outcome uint8

const (
	Unknown            Outcome = iota
	OK                         // the protocol said that the object exists
	Moved                      // permanent redirect that ended well
	Reachable                  // the right protocol answered; the object was not verified
	Suspect                    // success with evidence against it
	Auth                       // credentials or a subscription required
	Blocked                    // a refusal aimed at the checker
	Undetermined               // answered, meaning unclear
	Temporary                  // transient
	Unreachable                // host level
	Gone                       // authoritative "no such object"
	Invalid                    // not a URI of its scheme
	NotDereferenceable         // names, does not locate
	Unsupported                // no client for it, or the client is off
	Skipped                    // policy
	Internal                   // our own fault
)

var outcomeWords = [...]string{"unknown", "ok", "moved", "reachable", "suspect", "auth", "blocked", "undetermined",
	"temporary", "unreachable", "gone", "invalid", "not-dereferenceable", "unsupported", "skipped", "internal"}

func (o Outcome) String() string { return outcomeWords[o] }

// Evidence says how much a result proves. The values are stored: append only.
type Evidence uint8

const (
	None Evidence = iota
	Weak
	Strong
)

func (e Evidence) String() string { return [...]string{"none", "weak", "strong"}[e] }

// Hop is one redirect.
type Hop struct {
	Code int    `json:"code"` // status that sent us on
	URL  string `json:"url"`  // where it sent us
}

// Result is what one probe learned.
type Result struct {
	Outcome      Outcome
	Reason       Reason
	Evidence     Evidence
	Reply        string        // the server's own words that decided: one line, cleaned, at most 512 bytes
	FinalURL     string        // where the probe ended, if elsewhere than it began
	SuggestedURL string        // the new address that the server named for good, or what an invalid one must have meant
	Hops         []Hop         // redirects in order
	Flags        []string      // sorted
	At           time.Time     // when the probe began
	Took         time.Duration // how long it took
	Bytes        int64         // octets received
	Attempts     int           // 1, or 2 after a retry
	RetryAfter   time.Duration // how long the server asked to be left alone; 0: it did not

	ContentType  string // for drift and conditional requests
	Title        string
	Digest       string
	ETag         string
	LastModified string
}

// Target is one link to probe.
type Target struct {
	URI   uri.URI
	Prior *Result // the last answer, for conditional requests; nil: none
}

// Prober asks a server about one URI. It is safe for concurrent use, ends with
// ctx, changes nothing on a server, and always returns a Result: an error of
// its own making is an outcome too.
type Prober interface {
	Probe(ctx context.Context, t Target) Result
	// Hooks is what the prober offers beside; the zero value if nothing.
	Hooks() Hooks
	// Close ends idle sessions. The prober stays usable.
	Close() error
}

// Hooks are what some probers offer to those that plan the probes of a run. A nil
// field is not offered.
type Hooks struct {
	// Start is Probe up to where it leads to another host; see the function [Start].
	Start func(ctx context.Context, t Target) (Result, *Continuation)
	// CloseIdle ends the idle sessions with a host, named as in uri.Endpoint, before
	// another server of it is asked: a host has one connection at a time
	// (OUTCOMES 5.1.15). None of the sessions may be in use.
	CloseIdle func(host string)
	// Gap is the least time between two probes of the host of u, where that of
	// other hosts is usual.
	Gap func(u uri.URI, usual time.Duration) time.Duration
	// Amendments corrects results at the end of a run: a page that many links of a
	// site redirect to is seen only then. They are sorted by URI, and forgotten.
	Amendments func() []Amendment
	// UseCache is called before the first probe. Without it a prober keeps what it
	// learned for the run.
	UseCache func(Cache)
}

// ProbeFunc is a Prober that keeps no sessions.
type ProbeFunc func(ctx context.Context, t Target) Result

// Probe calls f.
func (f ProbeFunc) Probe(ctx context.Context, t Target) Result { return f(ctx, t) }

// Hooks offers nothing.
func (f ProbeFunc) Hooks() Hooks { return Hooks{} }

// Close does nothing.
func (f ProbeFunc) Close() error { return nil }

// For makes the Prober of the URIs of one type, where no sessions are kept: ask
// is one probe, run as o says.
func ProberOf[U uri.URI](o Options, ask func(context.Context, U) Result) ProbeFunc {
	o = o.WithDefaults()
	return func(ctx context.Context, t Target) Result {
		return o.Run(ctx, func(ctx context.Context) Result {
			if u, ok := t.URI.(U); ok {
				return ask(ctx, u)
			}
			return New(Internal, "internal-error", fmt.Sprintf("a %T given to the wrong prober", t.URI))
		})
	}
}

// Amendment corrects the result that a prober gave for a URI earlier in a run.
type Amendment struct {
	URI      string // as Target.URI.String()
	Outcome  Outcome
	Reason   Reason
	Evidence Evidence
}

// Apply gives r its corrected judgement; what was seen stays.
func (a Amendment) Apply(r Result) Result {
	r.Outcome, r.Reason, r.Evidence, r.SuggestedURL = a.Outcome, a.Reason, a.Evidence, ""
	return r
}

// Cache keeps from run to run what probers learn of servers beside their answers.
// What is not in it any more is asked again.
type Cache interface {
	CacheGet(key string) (value []byte, ok bool)
	CachePut(key string, value []byte, until time.Time)
}

// Options is what every prober is made with. Protocols add their own beside it.
type Options struct {
	Dialer    netguard.Dialer  // required
	Now       func() time.Time // nil: time.Now
	Timeout   time.Duration    // of one probe as a whole; 0: 20 s
	MaxBytes  int64            // read from one answer; 0: 64 KiB
	UserAgent string           // "" : linkcheck/VERSION
	Contact   string           // mail address for FTP's anonymous password and HTTP's From; "" : linkcheck@localhost.invalid
}
