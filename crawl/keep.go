package crawl

import (
	"linkcheck/check"
	"linkcheck/store"
)

// maxPending bounds the results that wait for the end of the run; beyond it they are
// kept as they came.
const maxPending = 100000

// accept takes the result of a link, and gives it to the links that share its probe.
func (c *checkRun) accept(e event) error {
	if err := c.acceptOne(pendingResult{e.host, e.id, e.url, e.result}, e); err != nil {
		return err
	}
	for _, f := range c.followers[e.id] {
		if err := c.acceptOne(pendingResult{e.host, f.id, withoutFragment(e.url) + f.fragment, e.result}, e); err != nil {
			return err
		}
	}
	if c.network.mostDown(c.first != nil, e.at) {
		return ErrNetworkDown
	}
	return nil
}

// acceptOne keeps a result, or holds it until the end of the run.
func (c *checkRun) acceptOne(h pendingResult, e event) error {
	var first *check.Result
	if before, again := c.first[h.id]; again {
		first = &before.result
	}
	c.network.count(h.host, first, &h.result, e.at)
	if first != nil {
		delete(c.first, h.id)
		h.result.Attempts = 2
	}
	switch {
	case isWeak(&h.result) && len(c.weak) < maxPending:
		c.weak = append(c.weak, h)
		return nil
	case len(c.redirected) < maxPending && mayAmend(c.o.Prober, h.url, &h.result):
		c.redirected = append(c.redirected, h)
		return nil
	}
	return c.keep(h)
}

func (c *checkRun) keep(h pendingResult) error {
	c.sum.Checked++
	if c.o.Kept != nil {
		c.o.Kept(h.url, h.result)
	}
	return c.writer.add(store.Checked{ID: h.id, Result: h.result})
}

// keepPending keeps what was held back: amended where the prober knows better now,
// and without weight where our own network was down.
func (c *checkRun) keepPending(networkDown bool) error {
	amended := amendments(c.o.Prober)
	for _, h := range c.redirected {
		if a, ok := amended[withoutFragment(h.url)]; ok {
			h.result = a.Apply(h.result)
		}
		if err := c.keep(h); err != nil {
			return err
		}
	}
	for _, h := range c.weak {
		if networkDown {
			h.result.Outcome, h.result.Reason, h.result.Evidence = check.Internal, check.ReasonOwnNetwork, check.None
		}
		if err := c.keep(h); err != nil {
			return err
		}
	}
	c.redirected, c.weak = nil, nil
	return nil
}
