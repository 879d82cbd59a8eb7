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
// of a retry, our own network is at fault. Nothing of them is kept in the store. What a Check
// beside this one has heard of them counts, if it asked since then.
func (c *checkRun) askCanaries(ctx context.Context, since time.Time) error {
	all := len(c.o.Canaries)
	if all == 0 {
		return nil
	}
	asked, failed := c.network.vantage.canariesSince(ctx, since, func() []string {
		failed := c.failedCanaries(ctx)
		if len(failed) == all {
			select {
			case <-time.After(c.o.RetryDelay):
				failed = c.failedCanaries(ctx)
			case <-ctx.Done():
			}
		}
		if len(failed) < all {
			c.network.hears(time.Now())
		}
		return failed
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	c.canariesAsked = asked
	c.sum.Run.Canaries, c.sum.Run.FailedCanaries = all, failed
	if len(failed) == all {
		return fmt.Errorf("%w: no canary is there: %s", ErrNetworkDown, strings.Join(failed, ", "))
	}
	return nil
}

// canariesDue says whether it is time to ask the canaries again.
func (c *checkRun) canariesDue(now time.Time) bool {
	return len(c.o.Canaries) > 0 && now.Sub(c.canariesAsked) >= canaryEvery
}

// failedCanaries asks all canaries, one after the other and each in its turn, and says which
// are not there, and why.
func (c *checkRun) failedCanaries(ctx context.Context) (failed []string) {
	o := c.o
	o.Turns, o.Exclude, o.Progress, o.Workers, o.leaves = nil, nil, nil, 1, true
	d, queues := newDispatcher(o, canaryList(o.Canaries)), c.dispatcher.queues
	for i, u := range o.Canaries {
		select {
		case <-time.After(time.Until(queues.Opens(c.dispatcher.host(hostName(u))))):
		case <-ctx.Done():
		}
		d.queues.Add(d.host(hostName(u)), uint64(i))
	}
	results := make([]check.Result, len(o.Canaries))
	for e := range d.events(ctx, nil) {
		if results[e.id] = e.result; e.kind == backedOff {
			results[e.id] = check.New(check.Skipped, check.ReasonHostBackoff, "")
		}
	}
	for i, u := range o.Canaries {
		queues.Delay(c.dispatcher.host(hostName(u)), time.Now().Add(o.HostDelay))
		if why := canaryFault(u, &results[i]); why != "" {
			failed = append(failed, u.String()+": "+why)
		}
	}
	return failed
}

// canaryList are canaries as the links of a dispatcher, numbered from 0.
type canaryList []uri.URI

// load implements linkSource.
func (l canaryList) load(ids []uint64) (list []assignment) {
	for _, id := range ids {
		list = append(list, assignment{url: l[id].String(), asked: l[id].String(), target: check.Target{URI: l[id]}})
	}
	return list
}

// heard implements linkSource: a canary is asked itself.
func (l canaryList) heard(*assignment) {}

// backsOff implements linkSource.
func (l canaryList) backsOff(string) bool { return false }

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
