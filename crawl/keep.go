package crawl

import (
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/store"
)

// Bounds of the results that wait for the end of the run; others are kept as they came.
const (
	maxPending = 100000
	maxHeld    = 64 << 20 // octets of their text
)

// accept takes the result of a link, for the links that share its probe too. The error
// is ErrNetworkDown when the run is to end.
func (c *checkRun) accept(r linkResult, at time.Time) error {
	c.o.Turns.hearsLink(&r)
	if err := c.acceptOne(r, at); err != nil {
		return err
	}
	for _, f := range c.followers[r.id] {
		result := r.result
		if _, fragment, _ := strings.Cut(f.asked, "#"); c.o.Fragments {
			result = result.AtFragment(fragment)
		}
		if err := c.acceptOne(linkResult{f.id, r.host, f.url, f.asked, result, nil}, at); err != nil {
			return err
		}
	}
	if c.network.mostDown(c.first != nil, at) {
		return ErrNetworkDown
	}
	return nil
}

// acceptOne keeps a result, or holds it until the end of the run.
func (c *checkRun) acceptOne(r linkResult, at time.Time) error {
	if r.slip != nil { // its answer is of another address: nothing is learned from it but whether that is there
		answer := r.result
		r.result = *r.slip
		if (answer.Outcome == check.OK || answer.Outcome == check.Moved) && !mayAmend(c.o.Prober, r.result.SuggestedURL, &answer) {
			r.result = r.result.WithFlags(check.FlagRepairLives)
		}
		r.result.At = answer.At
		return c.keep(r)
	}
	var first *check.Result
	if before, again := c.first[r.id]; again {
		first = &before.result
		delete(c.first, r.id)
	}
	if r.asked != r.url {
		r.result = r.result.WithFlags(check.FlagProxied)
	}
	if c.network.count(r.host, first, &r.result, at); first != nil {
		r.result.Attempts = 2
	}
	switch {
	case c.witnesses[r.id]:
		return nil
	case isWeak(&r.result) && len(c.weak) < maxPending && c.hold(&r):
		c.weak = append(c.weak, r)
		return nil
	case provesNoDeath(&r.result) && !isWeak(&r.result) && len(c.nameless) < maxPending && c.hold(&r):
		c.nameless = append(c.nameless, r)
		return nil
	case len(c.redirected) < maxPending && mayAmend(c.o.Prober, r.asked, &r.result) && c.hold(&r):
		c.redirected = append(c.redirected, r)
		return nil
	}
	return c.keep(r)
}

// hold says whether there is room for the text of a result until the end of the run, and
// takes it.
func (c *checkRun) hold(r *linkResult) bool {
	size := len(r.url) + r.result.Size()
	if c.held+size > maxHeld {
		return false
	}
	c.held += size
	return true
}

// keep hands a result to the writer.
func (c *checkRun) keep(r linkResult) error {
	c.sum.Checked++
	if c.o.Kept != nil {
		c.o.Kept(r.url, r.result)
	}
	r.result.Anchors = nil // often larger than all else, and nothing that is kept
	return c.writer.add(store.Checked{ID: r.id, Result: r.result})
}

// keepPending keeps the results that were held back, with the amendments of the prober.
// Failures count for nothing if our own network was down.
func (c *checkRun) keepPending(networkDown bool) error {
	amended := amendments(c.o.Prober)
	for _, r := range c.redirected {
		if a, ok := amended[withoutFragment(r.asked)]; ok {
			r.result = a.Apply(r.result)
		}
		if err := c.keep(r); err != nil {
			return err
		}
	}
	for _, r := range slices.Concat(c.weak, c.nameless) {
		if networkDown {
			r.result.Outcome, r.result.Reason, r.result.Evidence = check.Internal, check.ReasonOwnNetwork, check.None
		}
		if err := c.keep(r); err != nil {
			return err
		}
	}
	c.redirected, c.weak, c.nameless, c.held = nil, nil, nil, 0
	return nil
}
