package crawl

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/uri"
)

const canaryEvery = 5 * time.Minute // in a run that goes on

// askCanaries asks about links that are known to be good, before any others, every five
// minutes, and before failures count. Where none of them is there, even after the wait
// of a retry, our own network is at fault. Nothing of them is kept in the store.
func (c *checkRun) askCanaries(ctx context.Context) error {
	if len(c.o.Canaries) == 0 {
		return nil
	}
	failed := c.failedCanaries(ctx)
	if len(failed) == len(c.o.Canaries) {
		select {
		case <-time.After(c.o.RetryDelay):
			failed = c.failedCanaries(ctx)
		case <-ctx.Done():
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.canariesAsked = time.Now()
	c.sum.Run.Canaries, c.sum.Run.FailedCanaries = len(c.o.Canaries), failed
	if len(failed) == len(c.o.Canaries) {
		return fmt.Errorf("%w: no canary is there: %s", ErrNetworkDown, strings.Join(failed, ", "))
	}
	c.network.hears(c.canariesAsked)
	return nil
}

// canariesDue says whether it is time to ask the canaries again.
func (c *checkRun) canariesDue(now time.Time) bool {
	return len(c.o.Canaries) > 0 && now.Sub(c.canariesAsked) >= canaryEvery
}

// failedCanaries asks all canaries, with the gap of a host between two of them, and says
// which are not there, and why.
func (c *checkRun) failedCanaries(ctx context.Context) (failed []string) {
	queues := c.dispatcher.queues
	for _, u := range c.o.Canaries {
		host := c.dispatcher.host(hostName(u))
		select {
		case <-time.After(time.Until(queues.Opens(host))):
		case <-ctx.Done():
		}
		r := c.o.Prober.Probe(ctx, check.Target{URI: u})
		if closeIdle := c.o.Prober.Hooks().CloseIdle; closeIdle != nil {
			closeIdle(host.Name)
		}
		queues.Delay(host, time.Now().Add(c.o.HostDelay))
		if why := canaryFault(u, &r); why != "" {
			failed = append(failed, u.String()+": "+why)
		}
	}
	return failed
}

// canaryFault says why the result of a canary is not that of a link that is there; "": it
// is. One that leads to another site may have met the page of a network that wants a login.
func canaryFault(u uri.URI, r *check.Result) string {
	switch r.Outcome {
	case check.OK, check.Moved, check.Reachable:
	default:
		return fmt.Sprintf("%s (%s)", r.Outcome, r.Reason)
	}
	site := func(u uri.URI) string { return strings.TrimPrefix(hostName(u), "www.") }
	final, err := uri.Parse(r.FinalURL)
	if err == nil && site(final) != site(u) && !slices.Contains(r.Flags, string(check.FlagPersistentID)) {
		return "it leads to " + hostName(final)
	}
	return ""
}
