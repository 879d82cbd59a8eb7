package web

import (
	"context"
	"regexp"

	"linkcheck/check"
)

// doubt looks for evidence against a success. OUTCOMES section 1.3.
func (p *Prober) doubt(ctx context.Context, c *chain, r check.Result) check.Result {
	suspect := func(why check.Reason) check.Result {
		r.Outcome, r.Reason, r.Evidence, r.SuggestedURL = check.Suspect, why, check.Weak, ""
		return r
	}
	switch {
	case p.parked(c):
		return suspect(check.ReasonParked)
	case len(c.hops) > 0 && !root(c.start) && root(c.at):
		return suspect(check.ReasonRedirectToRoot)
	case len(c.hops) > 0 && errorPage.MatchString(c.at.path) && !errorPage.MatchString(c.start.path):
		return suspect(check.ReasonRedirectToError)
	case c.head || c.end.status != 200 && c.end.status != 203:
		return r
	case len(c.end.body) == 0 && c.end.broken != nil:
		broken := classify(c.end.broken)
		broken.Hops, broken.FinalURL, broken.Bytes, broken.RetryAfter = r.Hops, r.FinalURL, r.Bytes, r.RetryAfter
		return broken
	case len(c.end.body) == 0:
		return suspect(check.ReasonEmpty)
	case !c.end.html():
		return r
	case p.noAccess(c, &r):
		return r
	}
	front := c.at.path == "/" && c.at.query == "" || c.start.path == "/" && c.start.query == ""
	switch same := !front && !p.opt.NoSoft404 && p.soft404(ctx, c); {
	case (same || !front && p.opt.NoSoft404) && p.wall(&c.end).Shell():
		r.Outcome, r.Reason, r.SuggestedURL = check.Reachable, check.ReasonMadeByScript, ""
		return r.WithFlags(check.FlagMadeByScript)
	case same:
		return suspect(check.ReasonSoft404)
	}
	title, page := p.wall(&c.end).Error()
	if title {
		r = r.WithFlags(check.FlagErrorTitle)
	}
	if page && !root(c.start) {
		r.Reply = titled(&c.end)
		return suspect(check.ReasonErrorText)
	}
	return r
}

// errorPage matches paths that say themselves that the page is none.
var errorPage = regexp.MustCompile(`(?i)/(404|(error|err)[-_]?404|404[-_]?(error|page|notfound)?|(page|file)?[-_]?not[-_]?found|error)(\.[a-z]{2,5})?/?$`)
