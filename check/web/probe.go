package web

import (
	"cmp"
	"context"
	"hash/maphash"
	"net/http"
	"slices"
	"time"

	"golang.org/x/net/publicsuffix"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/internal/hostsettings"
	"linkcheck/internal/walls"
	"linkcheck/uri"
)

const (
	maxHops  = 10              // redirects of one probe, where the person says nothing else
	slowFrom = 5 * time.Second // a probe that takes longer gets the flag "slow"
)

// Options is what the operator decided about web links.
type Options struct {
	check.Options
	NoSoft404       bool           // never ask for a page that cannot exist
	IgnoreRobots    bool           // never ask for robots.txt
	Fragments       bool           // look for the fragment in the page
	Walls           walls.Lists    // more of what stands before a page or in its place
	Access          []walls.Access // more rules by which the text behind a page is not open
	Hosts           *hostsettings.Table
	MaxRedirects    int      // of one probe; 0: ten, less: none
	MinTLS          uint16   // an older version is spoken, and told by a flag; 0: 1.2
	PersistentHosts []string // more hosts whose redirects are their service

	// Pages counts the pages of a PDF, for Fragments. Without it they are not known.
	Pages func(file []byte) (n int, known bool)

	// Browser asks by a real browser, last of all. Without it only our own GET does.
	Browser Browser

	// Elsewhere probes what redirects out of the web lead to, where its scheme is
	// one that Follows says yes to. Without it they are undetermined.
	Elsewhere check.Prober
	Follows   func(scheme string) bool
}

// Prober asks web servers. It offers all of [check.Hooks].
type Prober struct {
	opt      Options
	strict   *client // verifies certificates
	lax      *client // does not, and speaks what old servers speak
	robots   memo[origin, rules]
	siblings memo[string, sibling]
	kin      kin
	cache    check.Cache              // of siblings; nil: none beyond the run
	flawed   memo[origin, check.Flag] // where TLS failed, and the flag for it
	sinks    sinks
	hosts    knownHosts
	walls    *walls.Rules
	fields   http.Header // of every request
	browser  http.Header // of one in the manner of a browser
	hooks    check.Hooks
	seed     maphash.Seed // of the hashes of requests
}

// New makes a Prober; o.Dialer is required.
func New(o Options) *Prober {
	o.Options = o.Options.WithDefaults()
	o.MaxRedirects = max(cmp.Or(o.MaxRedirects, maxHops), 0)
	p := &Prober{opt: o, strict: newClient(o, false), lax: newClient(o, true), hosts: newKnownHosts(o), walls: walls.New(o.Walls, o.Access), fields: fieldsOf(o.Options), browser: browserFields(o.Options), seed: maphash.MakeSeed()}
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
func (p *Prober) UseCache(m check.Cache) { p.cache = m }

// Probe implements check.Prober: Start, and all continuations.
func (p *Prober) Probe(ctx context.Context, t check.Target) check.Result {
	r, next := p.Start(ctx, t)
	return check.Complete(ctx, r, next)
}

// Start implements check.Hooks:
//
//  1. robots.txt of the host, once; what it forbids is not asked.
//
//  2. HEAD, if the path names a large binary; a clean 200 ends the probe.
//
//  3. GET, up to ten redirects, at most MaxBytes of the body. One to another
//     host ends the visit: the rest begins there with step 1.
//
//  4. The status decides; a success is doubted by where the redirects led, by
//     what the page says, and by a page beside it that cannot exist.
//
//  5. Where the result would settle that the link is dead, the question is asked
//     once more in the manner of a browser, in a visit of its own; where that would
//     settle it too and there is a browser, by it.
//
// In each visit, step 1 and the rest have Options.Timeout each.
func (p *Prober) Start(ctx context.Context, t check.Target) (check.Result, *check.Continuation) {
	u, ok := t.URI.(*uri.HTTP)
	if !ok {
		return check.New(check.Internal, check.ReasonInternalError, "not a web URI"), nil
	}
	v := &visit{p: p, uri: u, prior: t.Prior, settles: t.Settles, once: t.Once, chain: newChain(resourceOf(u))}
	v.chain.before, v.chain.asBrowsers, v.chain.earlier = t.Redirected, t.AsBrowsers, t.Heard
	if t.Known != nil {
		v.chain.known, v.chain.afresh = t.Known, t.Known.Looks == 0 || t.Known.Others > 0
	}
	return v.ask(ctx)
}

// visit is the part of a probe that asks one host, and what is known from those before.
type visit struct {
	p       *Prober
	uri     *uri.HTTP
	prior   *check.Result
	settles func(*check.Result) bool
	once    bool          // as check.Target.Once
	first   *check.Result // the answer to the question before, where this one is in another manner
	chain   *chain
	begin   time.Time     // of the first visit
	spent   time.Duration // by the visits before
}

// ask asks the host at hand. Where it was not asked yet, robots.txt has a time of its own.
func (v *visit) ask(ctx context.Context) (r check.Result, next *check.Continuation) {
	whole, at := v.p.opt.Options, v.chain.at.origin()
	whole.Timeout = v.p.timeout(at)
	usual := whole.Timeout
	if v.chain.manner == byBrowser {
		turn, release, err := v.p.opt.Browser.Turn(ctx)
		if err != nil { // nobody waits any more, or the turn at the host is over: it is asked another night
			return check.New(check.Internal, check.ReasonCancelled, ""), nil
		}
		defer release()
		ctx, whole.Timeout = turn, BrowserTime
	}
	ctx = context.WithValue(ctx, askedOnce{}, v.once)
	_, known := v.p.robots.peek(at)
	switch {
	case v.chain.reading != nil:
		whole.Timeout = wire.ReadTime
	case !known:
		whole.Timeout *= 2
	}
	r = whole.Run(ctx, func(ctx context.Context) check.Result {
		if r, skipped := SkippedBy(v.p.settings(at)); skipped {
			v.chain.stop = new(r)
		} else if r, no := v.p.forbidden(ctx, v.chain.at, v.chain.reading); no {
			v.chain.stop = new(r)
		}
		if !known && v.chain.manner != byBrowser && v.chain.reading == nil {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, usual)
			defer cancel()
		}
		return v.p.probe(ctx, v.uri, v.chain, v.prior)
	})
	v.chain.hide(&r)
	if v.begin.IsZero() {
		v.begin = r.At
	}
	if v.chain.manner != byBrowser { // most of that time is ours
		v.spent += r.Took
	}
	r.At, r.Took = v.begin, v.spent
	if next := v.chain.elsewhere; next != nil && r.Reason != check.ReasonPanic {
		v.chain.elsewhere = nil
		if _, web := next.(*uri.HTTP); !web {
			return v.leave(r, next)
		}
		return r, &check.Continuation{URI: next, Run: v.ask}
	}
	if v.first != nil {
		r = v.compare(*v.first, r)
	}
	if next := v.secondOpinion(r); next != nil {
		return r, next
	}
	if r.Took > slowFrom {
		r = r.WithFlags(check.FlagSlow)
	}
	slices.Sort(r.Flags)
	return r, nil
}

// leave goes on by another protocol, to which a redirect led: its answer is that of the
// link. Where every redirect is permanent and stays with the site, the address moved.
func (v *visit) leave(so check.Result, to uri.URI) (check.Result, *check.Continuation) {
	c := v.chain
	lasting := c.lasting == len(c.hops) && sameSite(c.start.hostname(), to)
	_, next := check.Delegate(v.p.opt.Elsewhere, check.Target{URI: to, Redirected: c.before + len(c.hops)}, func(r check.Result) check.Result {
		r.At, r.Took, r.Bytes = so.At, so.Took+r.Took, so.Bytes+r.Bytes
		r.FinalURL = cmp.Or(r.FinalURL, check.CutURL(to.String()))
		r.Hops = append(c.hops, r.Hops...)
		if r.Outcome == check.OK && lasting && r.FinalURL == to.String() {
			r.Outcome, r.SuggestedURL = check.Moved, r.FinalURL
		}
		if v.first != nil {
			r = v.compare(*v.first, r)
		}
		v.p.addFlags(v.uri, c, &r)
		return r
	})
	return so, next
}

// sameSite says whether a URI names a host of the same registrable domain.
func sameSite(host string, to uri.URI) bool {
	at, ok := to.Endpoint()
	one, err := publicsuffix.EffectiveTLDPlusOne(host)
	other, err2 := publicsuffix.EffectiveTLDPlusOne(at.Host)
	return ok && (host == at.Host || err == nil && err2 == nil && one == other)
}

// probe follows the chain to its end at this host, and says what that means.
func (p *Prober) probe(ctx context.Context, u *uri.HTTP, c *chain, prior *check.Result) check.Result {
	if c.stop == nil && !p.robotsRead(c) {
		p.follow(ctx, c, prior)
	}
	if c.elsewhere != nil {
		return check.Result{Bytes: c.bytes, Hops: c.hops}
	}
	if c.reading != nil { // the questions of doubt have the time of a probe
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.timeout(c.at.origin()))
		defer cancel()
	}
	r, decided := p.decided(c)
	if !decided {
		r = p.judge(ctx, u, c, prior)
	}
	p.addFlags(u, c, &r)
	return r
}

// addFlags adds the flags that change no outcome.
func (p *Prober) addFlags(u *uri.HTTP, c *chain, r *check.Result) {
	if len(c.flags) > 0 {
		*r = r.WithFlags(c.flags...)
	}
	if c.mannered && c.heard == nil && manneredFailure(r) {
		*r = r.WithFlags(check.FlagSecondOpinion)
	}
	if f, ok := u.Fragment(); ok && r.SuggestedURL != "" {
		r.SuggestedURL += "#" + f
	}
	if u.User != nil {
		*r = r.WithFlags(check.FlagCredentialsInURL)
	}
	if p.hosts.persistent(c.start) {
		*r = r.WithFlags(check.FlagPersistentID)
	}
	if proxied(c.start) {
		*r = r.WithFlags(check.FlagProxied)
	}
	if p.opt.Fragments && r.Outcome == check.OK {
		f, _ := u.Fragment()
		r.Anchors, r.Pages = c.end.anchors(), p.pages(&c.end)
		*r = r.AtFragment(f)
	}
}
