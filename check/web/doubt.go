package web

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"linkcheck/check"
	"linkcheck/uri"
)

// judge says what the end of a chain means.
func (p *Prober) judge(ctx context.Context, u *uri.HTTP, c *chain, prior *check.Result) check.Result {
	if c.heard != nil {
		return p.judgeHeard(u, c)
	}
	r := p.classifyAnswer(c, prior)
	if c.manner == byBrowser {
		return p.doubtBrowser(c, r)
	}
	if c.manner == asBrowsers || p.login(c, &r) { // any good answer to the second question differs from the first
		return r
	}
	if r.Outcome == check.OK || r.Outcome == check.Moved {
		p.doubt(ctx, c, &r)
	}
	if r.Outcome == check.OK || r.Outcome == check.Moved {
		if len(c.hops) > 0 {
			p.sinks.add(u.String(), c)
		}
		p.remark(c, &r)
	} else {
		r.Look = nil
	}
	return r
}

// judgeHeard is judge where redirects led to what was heard in this run.
func (p *Prober) judgeHeard(u *uri.HTTP, c *chain) check.Result {
	r := *c.heard
	r.Hops, r.FinalURL, r.SuggestedURL, r.Bytes = slices.Concat(c.hops, r.Hops), cmp.Or(r.FinalURL, c.at.String()), "", c.bytes
	if r.Outcome != check.OK && r.Outcome != check.Moved {
		return r
	}
	if u, err := uri.Parse(c.heard.SuggestedURL); err == nil && c.lasting == len(c.hops) { // it moved on from there, for good as well
		if to, web := u.(*uri.HTTP); web {
			c.moved = resourceOf(to)
		}
	}
	r.Outcome = check.OK
	p.permanent(c, &r)
	if !p.doubtWhere(c, &r) {
		p.sinks.add(u.String(), c)
		p.remark(c, &r)
	}
	return r
}

// doubtWhere says whether where redirects led is evidence against a success.
func (p *Prober) doubtWhere(c *chain, r *check.Result) bool {
	switch {
	case len(c.hops) > 0 && !root(c.start) && root(c.at):
		suspect(r, check.ReasonRedirectToRoot)
	case len(c.hops) > 0 && errorPage.MatchString(c.at.path) && !errorPage.MatchString(c.start.path):
		suspect(r, check.ReasonRedirectToError)
	default:
		return false
	}
	return true
}

// remark says of a good answer that its page is perhaps not the one that was linked.
func (p *Prober) remark(c *chain, r *check.Result) {
	if r.Outcome == check.OK && c.lasting > 0 && !oneSite(c.moved, c.start) && !p.hosts.persistent(c.start) {
		*r = r.WithFlags(check.FlagOtherSite)
	}
	if script := c.end.sentByScript(); script != "" {
		*r = r.WithFlags(check.FlagScriptRedirect)
		r.Reply = check.CleanReply(r.Reply + ", " + script)
	}
}

// doubt looks for evidence against a success. OUTCOMES section 1.3.
func (p *Prober) doubt(ctx context.Context, c *chain, r *check.Result) {
	switch {
	case p.parked(c):
		suspect(r, check.ReasonParked)
	case p.doubtWhere(c, r):
	case c.head || c.end.status != 200 && c.end.status != 203:
	case len(c.end.body) == 0 && c.end.broken != nil:
		broken := classify(c.end.broken)
		broken.Hops, broken.FinalURL, broken.Bytes, broken.RetryAfter = r.Hops, r.FinalURL, r.Bytes, r.RetryAfter
		*r = broken
	case len(c.end.body) == 0:
		suspect(r, check.ReasonEmpty)
	case !c.end.html() || p.noAccess(c, r):
	default:
		p.doubtPage(ctx, c, r)
	}
}

// doubtPage looks for evidence in a whole HTML page, and in one beside it.
func (p *Prober) doubtPage(ctx context.Context, c *chain, r *check.Result) {
	front := c.at.path == "/" && c.at.query == "" || c.start.path == "/" && c.start.query == ""
	asks := !p.opt.NoSoft404 && (c.reading == nil || !c.reading.AnyStatus && !c.reading.NoRobots)
	switch same := !front && asks && p.soft404(ctx, c); {
	case (same || !front && !asks) && p.wall(&c.end).Shell():
		r.Outcome, r.Reason, r.SuggestedURL = check.Reachable, check.ReasonMadeByScript, ""
		*r = r.WithFlags(check.FlagMadeByScript)
		return
	case same:
		suspect(r, check.ReasonSoft404)
		return
	}
	title, page := p.wall(&c.end).Error()
	if title {
		*r = r.WithFlags(check.FlagErrorTitle)
	}
	if page && !root(c.start) {
		r.Reply = titled(&c.end)
		suspect(r, check.ReasonErrorText)
	}
}

// suspect takes from a success what it proves.
func suspect(r *check.Result, why check.Reason) {
	r.Outcome, r.Reason, r.Evidence, r.SuggestedURL = check.Suspect, why, check.Weak, ""
}

// errorPage matches paths that say themselves that the page is none.
var errorPage = regexp.MustCompile(`(?i)/(404|(error|err)[-_]?404|404[-_]?(error|page|notfound)?|(page|file)?[-_]?not[-_]?found|error)(\.[a-z]{2,5})?/?$`)

const (
	sinkFrom = 3        // different paths of a host that end on one page
	maxSinks = 200_000  // redirected links remembered in a run
	maxSunk  = 64 << 20 // octets of them
)

// sinks remembers where the redirects of a run ended.
type sinks struct {
	mu   sync.Mutex
	all  []redirected
	size int // octets of all
}

// redirected is a link, the path that it names, and its host with the page it ended on.
type redirected struct{ link, path, end string }

// add remembers a chain that ended well elsewhere than it began.
func (s *sinks) add(raw string, c *chain) {
	from, to := pathKey(c.start), pathKey(c.at)
	if from == to && c.start.bareHost() == c.at.bareHost() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := redirected{raw, from, c.start.bareHost() + " " + c.at.String()}
	if s.size += len(r.link) + len(r.path) + len(r.end); len(s.all) < maxSinks && s.size <= maxSunk {
		s.all = append(s.all, r)
	}
}

// finish lists the links of all sinks and begins anew.
func (s *sinks) finish() []check.Amendment {
	s.mu.Lock()
	all := s.all
	s.all, s.size = nil, 0
	s.mu.Unlock()
	seen, paths := map[redirected]bool{}, map[string]int{} // paths: how many, by end
	for _, r := range all {
		if r.link = ""; !seen[r] {
			seen[r] = true
			paths[r.end]++
		}
	}
	var found []string
	for _, r := range all {
		if paths[r.end] >= sinkFrom {
			found = append(found, r.link)
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	out := make([]check.Amendment, len(found))
	for i, u := range found {
		out[i] = check.Amendment{URI: u, Outcome: check.Suspect, Reason: check.ReasonRedirectSink, Evidence: check.Weak}
	}
	return out
}

// pathKey makes one of the spellings of a path that servers redirect among.
func pathKey(p resource) string {
	path := strings.TrimSuffix(p.path, "/")
	if i := strings.LastIndexByte(path, '/'); i >= 0 && indexName.MatchString(path[i+1:]) {
		path = path[:i]
	}
	return strings.ToLower(path)
}
