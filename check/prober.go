package check

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"slices"
	"time"

	"linkcheck/check/likeness"
	"linkcheck/check/netguard"
	"linkcheck/check/wire"
	"linkcheck/internal/fault"
	"linkcheck/uri"
)

// Target is one link to probe.
type Target struct {
	URI        uri.URI
	Prior      *Result // the last answer, for conditional requests; nil: none
	Redirected int     // redirects of other protocols that led here, which count as this one's

	// Settles says whether the link would count as dead by a result of this probe: then
	// a prober that can ask in another manner asks once more. nil: it would not.
	Settles func(*Result) bool

	// AsBrowsers says of which addresses, that of the URI and those to which it redirects, a
	// prober that can ask in another manner is to do so in the first place: the answers of
	// the nights before were those to the usual one (OUTCOMES 5.1.18). nil: of none.
	AsBrowsers func(address string) bool

	// Once has a server that ends the connection in place of an answer not asked again at
	// once: by its log it would have been asked twice.
	Once bool

	// Heard gives the answer that was had in this run at an address to which a redirect may
	// lead: it is not asked for again. One of outcome Unknown says by its redirects where the
	// address leads, be it that of the URI itself. nil: there is none.
	Heard func(address string) (Result, bool)

	Known *likeness.Memory // the text that it led to so far; nil: nothing is known
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

// Cache keeps from run to run what probers learn of servers beside their answers.
// What is not in it any more is asked again.
type Cache interface {
	CacheGet(key string) (value []byte, ok bool)
	CachePut(key string, value []byte, until time.Time)
}

// Amendment corrects the result that a prober gave for a URI earlier in a run.
type Amendment struct {
	URI      string // as Target.URI.String()
	Outcome  Outcome
	Reason   Reason
	Evidence Evidence
}

// Apply returns r with the corrected judgement; what was seen stays.
func (a Amendment) Apply(r Result) Result {
	r.Outcome, r.Reason, r.Evidence, r.SuggestedURL = a.Outcome, a.Reason, a.Evidence, ""
	return r
}

// Options is what every prober is made with. Protocols add their own beside it.
type Options struct {
	Dialer    netguard.Dialer  // required
	Now       func() time.Time // nil: time.Now
	Timeout   time.Duration    // of one probe as a whole; 0: 20 s
	MaxBytes  int64            // read from one answer; 0: 64 KiB
	UserAgent string           // "": linkcheck
	Roots     *x509.CertPool   // whose certificates are believed; nil: those of the system
	Contact   string           // mail address for FTP's anonymous password and HTTP's From; "": linkcheck@localhost.invalid
}

// ProberOf makes the Prober of the URIs of one type, where no sessions are kept: ask
// is one probe, run by [Options.Run]. A URI of another type is Internal.
func ProberOf[U uri.URI](o Options, ask func(context.Context, U) Result) ProbeFunc {
	o = o.WithDefaults()
	return func(ctx context.Context, t Target) Result {
		return o.Run(ctx, func(ctx context.Context) Result {
			if u, ok := t.URI.(U); ok {
				return ask(ctx, u)
			}
			return New(Internal, ReasonInternalError, fmt.Sprintf("a %T given to the wrong prober", t.URI))
		})
	}
}

// WithDefaults fills what is zero.
func (o Options) WithDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Timeout = cmp.Or(max(o.Timeout, 0), 20*time.Second)
	o.MaxBytes = cmp.Or(max(o.MaxBytes, 0), 64<<10)
	o.UserAgent = cmp.Or(o.UserAgent, "linkcheck")
	o.Contact = cmp.Or(o.Contact, "linkcheck@localhost.invalid")
	return o
}

// timeout is the key under which a context holds the time for a probe.
type timeout struct{}

// WithTimeout gives probes under the context this time as a whole, whatever their options
// say.
func WithTimeout(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, timeout{}, d)
}

// Run makes one probe of f: it sets the deadline, measures the time, turns a panic
// into a result, cleans the reply, cuts addresses and sorts the flags. o must have its defaults.
func (o Options) Run(ctx context.Context, f func(context.Context) Result) (r Result) {
	begin := o.Now()
	whole := o.Timeout
	if d, set := ctx.Value(timeout{}).(time.Duration); set {
		whole = d
	}
	ctx, cancel := context.WithTimeout(ctx, whole)
	defer cancel()
	defer func() {
		if caught := fault.Of(recover()); caught != nil {
			r = ofFault(caught)
		}
		r.At, r.Took = begin, o.Now().Sub(begin)
		r.Attempts = max(r.Attempts, 1)
		r.Reply = CleanReply(r.Reply)
		r.bound()
		slices.Sort(r.Flags)
		r.Flags = slices.Compact(r.Flags)
	}()
	if err := ctx.Err(); err != nil {
		return Classify(err)
	}
	return f(ctx)
}

// ofFault is the result of a probe that a fault of this program ended.
func ofFault(caught error) Result { return New(Internal, ReasonPanic, caught.Error()) }

// Converse connects to a server, has one conversation with it over that connection and
// closes it. At most budget octets are read.
func (o Options) Converse(ctx context.Context, server uri.Endpoint, budget int64, talk func(*wire.Conn) Result) Result {
	c, err := wire.Dial(ctx, o.Dialer, wire.Address(server), budget)
	if err != nil {
		return Classify(err)
	}
	defer c.Close()
	r := talk(c)
	r.Bytes = c.BytesRead()
	return r
}
