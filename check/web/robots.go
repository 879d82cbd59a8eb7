package web

import (
	"context"
	"net/http"
	"time"

	"linkcheck/check"
	"linkcheck/internal/robots"
	"linkcheck/uri"
)

const (
	maxCrawlDelay = 30 * time.Second // longest Crawl-delay that is obeyed
	robotName     = "linkcheck"
	robotsPath    = "/robots.txt" // RFC 9309 section 2.3

	usualGap    = 2 * time.Second // between probes of a host, unless the operator says otherwise
	resolverGap = time.Second     // of a resolver of persistent identifiers
)

// rules are those of a host's robots.txt for linkcheck. The zero value allows all.
type rules struct {
	robots.Rules
	fail   *check.Result // the host could not be reached, or wants to be left alone: that is the answer to the probe, too
	silent *check.Result // there is no telling what the file says, RFC 9309 section 2.3.1.4; nil: there is
	asked  *chain        // how it was asked for, with what came, where that was a reader; nil: it was a prober
}

// weigh says how much of a memo the rules of a host take.
func (r rules) weigh() int {
	n := r.Size()
	if r.asked != nil {
		n += maxHeader/16 + len(r.asked.end.body)
	}
	return n
}

// forbidden says whether a resource must not be asked, and the result for it: robots.txt
// forbids it, or asking for robots.txt already failed before any HTTP was spoken. For a
// reader that is strict it fails also where there is no telling what the file says.
func (p *Prober) forbidden(ctx context.Context, at resource, reader *reading) (check.Result, bool) {
	if !p.heedsRobots(at, reader) {
		return check.Result{}, false
	}
	r := p.robots.get(ctx, at.origin(), func() (rules, bool) {
		ctx, cancel := context.WithTimeout(ctx, p.timeout(at.origin()))
		defer cancel()
		c := newChain(resource{scheme: at.scheme, host: at.host, path: robotsPath})
		r, keep := p.readRobots(ctx, c)
		if reader != nil {
			r.asked = c
		}
		return r, keep
	})
	switch {
	case r.fail != nil:
		return *r.fail, true
	case r.silent != nil && reader != nil && reader.Strict:
		return *r.silent, true
	case !r.Allow(at.path + at.query):
		return check.New(check.Blocked, check.ReasonRobots, "robots.txt disallows "+at.path), true
	}
	return check.Result{}, false
}

// heedsRobots says whether robots.txt is asked for before a resource.
func (p *Prober) heedsRobots(at resource, reader *reading) bool {
	return !p.opt.IgnoreRobots && !p.settings(at.origin()).IgnoresRobots() && (reader == nil || !reader.NoRobots)
}

// readRobots asks for robots.txt, RFC 9309: 4xx allows all, and so do for us 5xx
// and silence (OUTCOMES 5.1, 14), but for a host that asks to be left alone for a while
// (RFC 9110 section 10.2.3): the page waits as well. The second result says whether it holds for
// the rest of the run.
func (p *Prober) readRobots(ctx context.Context, c *chain) (rules, bool) {
	c.limit = robots.MaxFile + 1 // by which it is seen that there is more
	for {
		a, err := p.fetch(ctx, c, http.MethodGet, p.header(nil, c))
		if err != nil {
			r := classify(err)
			if notConnected(r) && len(c.hops) == 0 { // what lies behind a redirect says nothing of this host
				return rules{fail: &r}, false
			}
			c.end = answer{}
			return rules{silent: noRobots(r)}, r.Outcome != check.Internal
		}
		if c.end = a; !redirects(a) || len(c.hops) == 5 { // RFC 9309 section 2.3.1.2
			break
		}
		next, _, why := c.at.redirectTo(a.header.Get("Location"))
		if why != "" {
			return rules{}, true
		}
		c.advance(next)
	}
	if wait := check.RetryAfter(c.end.header, p.opt.Now, maxRetryAfter); wait > 0 && len(c.hops) == 0 &&
		(c.end.status == http.StatusTooManyRequests || c.end.status == http.StatusServiceUnavailable) {
		r := check.New(check.Blocked, check.ReasonHTTP(c.end.status), "robots.txt: "+c.end.line) // and no strike against the page
		r.RetryAfter = wait
		return rules{fail: &r}, false
	}
	switch status := c.end.status; {
	case status/100 == 5:
		return rules{silent: noRobots(check.New(check.Temporary, check.ReasonHTTP(status), c.end.line))}, true
	case status != http.StatusOK:
		return rules{}, true
	}
	r := rules{Rules: robots.Parse(c.end.body, robotName)}
	if r.Sitemaps = nil; c.end.broken != nil {
		r.silent = noRobots(classify(c.end.broken))
	}
	return r, true
}

// noRobots is a result that says that it is about robots.txt.
func noRobots(r check.Result) *check.Result {
	r.Reply = check.CleanReply("robots.txt: " + words(&r))
	return &r
}

// robotsRead is the end of a chain to robots.txt where a reader has asked for it in this
// run; false where none has.
func (p *Prober) robotsRead(c *chain) bool {
	if c.reading == nil || c.start.path != robotsPath || c.start.query != "" || !p.heedsRobots(c.start, c.reading) {
		return false
	}
	r, known := p.robots.peek(c.start.origin())
	if !known || r.asked == nil {
		return false
	}
	then := r.asked
	c.at, c.hops, c.moved, c.lasting, c.bytes, c.end, c.flags = then.at, then.hops, then.moved, then.lasting, then.bytes, then.end, then.flags
	if c.end.status == 0 {
		c.stop = r.silent
		return true
	}
	whole := c.end.body
	c.end.body = whole[:min(int64(len(whole)), p.opt.MaxBytes)]
	c.end.cut = c.end.cut || len(c.end.body) < len(whole)
	c.reading.take(whole[:min(len(whole), robots.MaxFile)], c.end.broken)
	return true
}

// Gap implements check.Hooks: by the Crawl-delay of a host already asked, and
// once a second for resolvers of persistent identifiers, to which a library has
// more links than to any other host (OUTCOMES section 5, politeness). An operator
// who wants a longer gap than the usual one has it there too, and none where he
// said none.
func (p *Prober) Gap(u uri.URI, usual time.Duration) time.Duration {
	h, ok := u.(*uri.HTTP)
	if !ok {
		return usual
	}
	at, gap := originOf(h), usual
	if s := p.settings(at); s != nil && s.Gap != nil {
		gap = *s.Gap
	} else if 0 < usual && usual <= usualGap && p.hosts.resolver(resource{host: at.host}) {
		gap = resolverGap
	}
	r, _ := p.robots.peek(at)
	return max(gap, min(r.Delay, maxCrawlDelay))
}
