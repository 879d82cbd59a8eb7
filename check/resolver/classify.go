package resolver

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"linkcheck/check"
	"linkcheck/uri"
)

// registered says what an answer of the REST interface means for the name: gone, where it
// says that there is no such handle. Other results do not decide, but for that of a
// resolver that asks to be left alone or has a bad day.
func (q *question) registered(a *reply) check.Result {
	line := fmt.Sprintf("HTTP status %d, responseCode %d", a.status, a.Code)
	switch {
	case a.clear && a.Code == codeNotFound:
		r := check.New(check.Gone, check.ReasonNotRegistered, line+": handle not found")
		if a.unverified {
			r.Evidence = check.Weak
		}
		return r
	case a.status == http.StatusTooManyRequests:
		r := check.New(check.Blocked, check.ReasonHTTP(a.status), line)
		r.RetryAfter = a.retryAfter
		return r
	case a.status >= http.StatusInternalServerError:
		r := check.New(check.Temporary, check.ReasonHTTP(a.status), line)
		r.RetryAfter = a.retryAfter
		return r
	}
	if a.clear && a.Code != codeSuccess && a.Code != codeNoValues { // 2, 301 ...: an error of the server
		a.clear = false
	}
	return check.New(check.Undetermined, check.ReasonProtocolMismatch, line)
}

// plain judges the answer of a resolver that redirects from the names that it knows and
// answers 404 for those that it does not.
func (q *question) plain(r check.Result) check.Result {
	away := slices.ContainsFunc(r.Hops, func(h check.Hop) bool { return hostOf(h.URL) != q.address.At.Host })
	if q.s.API != "" && !away || !away && r.Reason != check.ReasonHTTP(http.StatusNotFound) {
		return q.last(r) // a resolver of handles without its interface: as any page
	}
	if !away {
		r.Outcome, r.Reason, r.Evidence = check.Gone, check.ReasonNotRegistered, check.Strong
		return q.last(r)
	}
	return q.behind(r)
}

// behind judges what a registered name leads to. That a publisher turns programs away says
// nothing against the name, and its redirects are not those of the name.
func (q *question) behind(r check.Result) check.Result {
	if q.target != "" {
		r.Hops = append([]check.Hop{{Code: http.StatusFound, URL: check.CutURL(q.target)}}, r.Hops...)
		if r.FinalURL == "" {
			r.FinalURL = check.CutURL(q.target)
		}
	}
	turnedAway := []check.Reason{check.ReasonHTTP(http.StatusForbidden), check.ReasonHTTP(http.StatusTooManyRequests), check.ReasonHTTP(999), check.ReasonChallenge, check.ReasonRobots}
	switch {
	case r.Outcome == check.Moved:
		r.Outcome, r.SuggestedURL = check.OK, ""
	case r.Outcome == check.Blocked && slices.Contains(turnedAway, r.Reason):
		if r.Reason == check.ReasonHTTP(http.StatusTooManyRequests) && r.RetryAfter == 0 {
			r.RetryAfter = leftAlone
		}
		r.Outcome, r.Reason, r.Evidence = check.Reachable, check.ReasonRegistered, check.Strong
	}
	return q.last(r)
}

// leftAlone is for how long a publisher is left alone that answers 429 without saying so.
const leftAlone = 24 * time.Hour

// last is the result of a probe. Of a name that stands for no address, the resolver's own
// trouble says nothing.
func (q *question) last(r check.Result) check.Result {
	r = r.WithFlags(check.FlagPersistentID)
	slices.Sort(r.Flags)
	r.Flags = slices.Compact(r.Flags)
	_, isWeb := q.t.URI.(*uri.HTTP)
	_, isInfo := q.t.URI.(*uri.Info)
	trouble := len(r.Hops) == 0 && r.Outcome != check.Gone && r.Outcome != check.OK && r.Outcome != check.Reachable && r.Reason != check.ReasonCancelled
	switch {
	case isWeb || r.Outcome == check.Internal:
	case isInfo && r.Reason == check.ReasonNotRegistered: // no locator: the resolver's word is additional
		r.Outcome, r.Evidence = check.Suspect, check.Weak
	case isInfo:
		r.Outcome, r.Reason, r.Evidence = check.NotDereferenceable, check.ReasonNamesOnly, check.None
		if !trouble {
			r.Reply = "the resolver knows it: " + r.Reply
		}
	case trouble && (r.RetryAfter > 0 || r.Reason == check.ReasonHTTP(http.StatusTooManyRequests)): // heeded for all names
		r.Outcome, r.Evidence = check.Blocked, check.None
	case trouble:
		r.Bytes = max(r.Bytes, 1) // it was asked: its gap is kept
		r.Reply = string(r.Reason) + ": " + r.Reply
		r.Outcome, r.Reason, r.Evidence = check.Skipped, check.ReasonNoResolver, check.None
	}
	return r
}

func hostOf(address string) string {
	u, err := uri.Parse(address)
	if err != nil {
		return ""
	}
	at, _ := u.Endpoint()
	return at.Host
}
