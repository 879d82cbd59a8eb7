package memento

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/store"
	"linkcheck/uri"
)

// Looker says what stands at an address, as a run asks about a link.
type Looker func(ctx context.Context, u uri.URI) check.Result

// near is how far from when a text was seen its copy may have been made to be like it: pages
// change over the years.
const near = 2 * 365 * 24 * time.Hour

// good says whether a copy is one: the page is there, it is no error page and none of another
// site, and near the time at which we saw it, it is like what we saw. What has no address is
// taken for what its index says.
func (c *Campaign) good(ctx context.Context, copied Copy, l *store.Link) (bool, error) {
	if copied.Local || c.Look == nil {
		return true, nil
	}
	u, err := uri.Parse(copied.URL)
	if err != nil {
		return false, nil
	}
	if err := c.Client.Pause(ctx, copied.URL); err != nil {
		return false, err
	}
	r := c.Look(ctx, u)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case busy(&r):
		return false, &BusyError{Status: lastCode(&r), Until: until(&r, c.Now())}
	case r.Outcome != check.OK && r.Outcome != check.Moved:
		return false, nil
	case r.FinalURL != "" && hostOf(r.FinalURL) != hostOf(copied.URL):
		return false, nil // the living web
	}
	t := &l.Text
	return t.Looks == 0 || len(r.Look) == 0 || copied.Made.IsZero() || copied.Made.Sub(t.Seen).Abs() > near || t.Compare(r.Look, r.Title) != likeness.Other, nil
}

func busy(r *check.Result) bool {
	return r.Reason == check.ReasonHTTP(http.StatusServiceUnavailable) || r.Reason == check.ReasonHTTP(http.StatusTooManyRequests)
}

func lastCode(r *check.Result) int {
	if r.Reason == check.ReasonHTTP(http.StatusTooManyRequests) {
		return http.StatusTooManyRequests
	}
	return http.StatusServiceUnavailable
}

func until(r *check.Result, now time.Time) time.Time {
	if r.RetryAfter <= 0 {
		return time.Time{}
	}
	return now.Add(r.RetryAfter)
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}
