package web

import (
	"context"
	"path"
	"regexp"
	"strings"

	"linkcheck/check"
)

// doubt looks for evidence against a success. OUTCOMES section 1.3.
func (p *Prober) doubt(ctx context.Context, w *walk, r check.Result) check.Result {
	suspect := func(why check.Reason) check.Result {
		r.Outcome, r.Reason, r.Evidence, r.SuggestedURL = check.Suspect, why, check.Weak, ""
		return r
	}
	switch {
	case p.hosts.sold(w):
		return suspect(check.ReasonParked)
	case len(w.hops) > 0 && deep(w.start) && root(w.at):
		return suspect(check.ReasonRedirectToRoot)
	case len(w.hops) > 0 && errorPage.MatchString(w.at.path) && !errorPage.MatchString(w.start.path):
		return suspect(check.ReasonRedirectToError)
	case w.head || w.end.status != 200 && w.end.status != 203:
		return r
	case len(w.end.body) == 0 && w.end.broken != nil:
		return carry(classify(w.end.broken), r)
	case len(w.end.body) == 0:
		return suspect(check.ReasonEmpty)
	case !p.opt.NoSoft404 && w.end.html() && w.start.path != "/" && w.at.path != "/" && p.soft404(ctx, w):
		return suspect(check.ReasonSoft404)
	}
	return r
}

// carry gives a result that came later the road that led to it.
func carry(r, road check.Result) check.Result {
	r.Hops, r.FinalURL, r.Bytes, r.RetryAfter = road.Hops, road.FinalURL, road.Bytes, road.RetryAfter
	return r
}

// errorPage matches paths that say themselves that the page is none.
var errorPage = regexp.MustCompile(`(?i)/(404|(error|err)[-_]?404|404[-_]?(error|page|notfound)?|(page|file)?[-_]?not[-_]?found|error)(\.[a-z]{2,5})?/?$`)

// indexName matches the names under which servers keep the page of a directory.
var indexName = regexp.MustCompile(`(?i)^(index|default|home|welcome)\.[a-z]{2,5}$`)

// root says whether the place is the front page of its host.
func root(p place) bool {
	return p.query == "" && (p.path == "/" || strings.Count(p.path, "/") == 1 && indexName.MatchString(path.Base(p.path)))
}

// deep says whether the place is more than a front page: its loss would show
// by a redirect to one.
func deep(p place) bool { return !root(place{path: p.path}) || p.query != "" }

// trivial says whether two places differ only by scheme or final slash, and in which.
func trivial(from, to place) (flags []check.Flag, same bool) {
	if from.scheme == "http" && to.scheme == "https" {
		flags = append(flags, check.FlagSchemeUpgrade)
	} else if from.scheme != to.scheme {
		return nil, false
	}
	if strings.TrimSuffix(from.path, "/") == strings.TrimSuffix(to.path, "/") && from.path != to.path {
		flags = append(flags, check.FlagTrailingSlash)
	} else if from.path != to.path {
		return nil, false
	}
	return flags, from.query == to.query && from.bareHost() == to.bareHost()
}
