// Package web probes http and https: one bounded GET, redirects by hand so that
// every hop passes the guard, and a second look at answers that claim success.
// It keeps no cookies beyond one probe, sends no credentials, runs no script.
// RFC 9110; OUTCOMES sections 1.3 and 1.4.
package web

import (
	"context"
	"net/http"
	"slices"
	"time"

	"linkcheck/check"
	"linkcheck/uri"
)

const (
	maxHops  = 10              // redirects of one probe
	slowFrom = 5 * time.Second // a probe that takes longer gets the flag "slow"
)

// Options is what the operator decided about web links.
type Options struct {
	check.Options
	NoSoft404       bool     // never ask for a page that cannot exist
	IgnoreRobots    bool     // never ask for robots.txt
	Fragments       bool     // look for the fragment in the page
	ParkedHosts     []string // more hosts that parked domains redirect to
	ParkedMarkers   []string // more texts that only parked pages hold, in either case
	PersistentHosts []string // more hosts whose redirects are their service
}

// Prober asks web servers. It offers all of [check.Hooks].
type Prober struct {
	opt      Options
	strict   *client // verifies certificates
	lax      *client // does not, and speaks what old servers speak
	robots   memo[site, rules]
	siblings memo[string, sibling]
	memory   check.Cache            // of siblings; nil: none beyond the run
	flawed   memo[site, check.Flag] // sites that TLS failed with, and the flag for it
	sinks    sinks
	hosts    hosts
	fields   http.Header // of every request
	hooks    check.Hooks
}

// New makes a Prober; o.Dialer is required.
func New(o Options) *Prober {
	o.Options = o.Options.WithDefaults()
	p := &Prober{opt: o, strict: newClient(o.Options, false), lax: newClient(o.Options, true), hosts: newHosts(o), fields: fieldsOf(o.Options)}
	p.hooks = check.Hooks{Start: p.Start, CloseIdle: p.CloseIdle, Gap: p.Gap, Amendments: p.Amendments, UseCache: p.UseCache}
	return p
}

// Close drops idle connections.
func (p *Prober) Close() error {
	p.strict.idle.Close()
	p.lax.idle.Close()
	return nil
}

// Hooks implements check.Prober.
func (p *Prober) Hooks() check.Hooks { return p.hooks }

// CloseIdle implements check.Hooks.
func (p *Prober) CloseIdle(host string) {
	p.strict.closeIdle(host)
	p.lax.closeIdle(host)
}

// Amendments implements check.Hooks.
func (p *Prober) Amendments() []check.Amendment { return p.sinks.finish() }

// UseCache implements check.Hooks.
func (p *Prober) UseCache(m check.Cache) { p.memory = m }

// Probe implements check.Prober: Start, and all continuations.
func (p *Prober) Probe(ctx context.Context, t check.Target) check.Result {
	r, next := p.Start(ctx, t)
	return check.Complete(ctx, r, next)
}

// Start implements check.Hooks:
//  1. robots.txt of the host, once; what it forbids is not asked.
//  2. HEAD, if the path names a large binary; a clean 200 ends the probe.
//  3. GET, up to ten redirects, at most MaxBytes of the body. One to another
//     host ends the visit: the rest begins there with step 1.
//  4. The status decides; a success is doubted by where the redirects led, by
//     what the page says, and by a page beside it that cannot exist.
//
// In each visit, step 1 and the rest have Options.Timeout each.
func (p *Prober) Start(ctx context.Context, t check.Target) (check.Result, *check.Continuation) {
	u, ok := t.URI.(*uri.HTTP)
	if !ok {
		return check.New(check.Internal, check.ReasonInternalError, "not a web URI"), nil
	}
	start := pageOf(u)
	v := &visit{p: p, uri: u, prior: t.Prior, walk: &walk{start: start, at: start}}
	return v.make(ctx)
}

// visit is one part of a probe, and what is known from those before.
type visit struct {
	p     *Prober
	uri   *uri.HTTP
	prior *check.Result
	walk  *walk
	begin time.Time     // of the first visit
	took  time.Duration // by the visits before
}

// make asks the host at hand.
func (v *visit) make(ctx context.Context) (check.Result, *check.Continuation) {
	whole := v.p.opt.Options
	_, met := v.p.robots.peek(v.walk.at.site())
	if !met {
		whole.Timeout *= 2
	}
	r := whole.Run(ctx, func(ctx context.Context) check.Result {
		if r, no := v.p.forbidden(ctx, v.walk.at); no {
			v.walk.halt(r)
		}
		if !met {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, v.p.opt.Timeout)
			defer cancel()
		}
		return v.p.probe(ctx, v.uri, v.walk, v.prior)
	})
	if v.begin.IsZero() {
		v.begin = r.At
	}
	v.took += r.Took
	r.At, r.Took = v.begin, v.took
	if onward := v.walk.onward; onward != nil && r.Reason != check.ReasonPanic {
		v.walk.onward = nil
		return r, &check.Continuation{URI: onward, Run: v.make}
	}
	if r.Took > slowFrom {
		r = r.WithFlags(check.FlagSlow)
		slices.Sort(r.Flags)
	}
	return r, nil
}

// probe walks on, and judges where the walk has ended.
func (p *Prober) probe(ctx context.Context, u *uri.HTTP, w *walk, prior *check.Result) check.Result {
	if w.stop == nil {
		p.walk(ctx, w, prior)
	}
	if w.onward != nil {
		return check.Result{Bytes: w.bytes, Hops: w.hops}
	}
	r := p.judge(w, prior)
	if r.Outcome == check.OK || r.Outcome == check.Moved {
		r = p.doubt(ctx, w, r)
	}
	if r.Outcome == check.OK || r.Outcome == check.Moved {
		p.sinks.add(u.String(), w)
	}
	return p.decorate(u, w, r)
}

// decorate adds the flags that change no judgement.
func (p *Prober) decorate(u *uri.HTTP, w *walk, r check.Result) check.Result {
	r = r.WithFlags(w.flags...)
	if f, ok := u.Fragment(); ok && r.SuggestedURL != "" {
		r.SuggestedURL += "#" + f
	}
	if u.User != nil {
		r = r.WithFlags(check.FlagCredentialsInURL)
	}
	if p.hosts.persistent(w.start) {
		r = r.WithFlags(check.FlagPersistentID)
	}
	if proxied(w.start) {
		r = r.WithFlags(check.FlagProxied)
	}
	if p.opt.Fragments && r.Outcome == check.OK && w.end.missingFragment(u) {
		r = r.WithFlags(check.FlagFragmentMissing)
	}
	return r
}
