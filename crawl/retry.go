package crawl

import (
	"cmp"
	"context"
	"time"
)

// retry tries the weak failures once more, some time after the last of them. Hosts
// that back off are left alone; what is not reached keeps its first result.
func (c *checkRun) retry(ctx context.Context, stop <-chan struct{}) error {
	c.first = map[uint64]heldResult{}
	var again, leave []heldResult
	for _, h := range c.weak {
		if c.dispatcher.host(h.host).BackedOff() {
			leave = append(leave, h)
		} else {
			again = append(again, h)
		}
	}
	if len(again) == 0 || !c.pause(ctx, stop) {
		return ctx.Err()
	}
	c.weak = leave
	for _, h := range again {
		c.first[h.id] = h
		if !c.follows[h.id] {
			c.dispatcher.queues.Add(c.dispatcher.host(h.host), h.id)
		}
	}
	c.sum.Retried = len(again)
	err := c.pass(ctx, stop)
	for _, h := range again {
		if h, ok := c.first[h.id]; ok {
			c.weak = append(c.weak, h)
		}
	}
	return cmp.Or(err, ctx.Err())
}

// pause waits for the retry; false when the run ends before.
func (c *checkRun) pause(ctx context.Context, stop <-chan struct{}) bool {
	wait := time.NewTimer(c.o.RetryDelay)
	defer wait.Stop()
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-wait.C:
			return true
		case now := <-tick.C:
			c.progress(now)
		case <-stop:
			return false
		case <-ctx.Done():
			return false
		}
	}
}
