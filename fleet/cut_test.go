package fleet_test

import (
	"context"
	"errors"
	"iter"
	"sync/atomic"
	"time"

	"linkcheck/fleet"
	"linkcheck/store"
)

// cut is an engine as one worker sees it: while Lost is set nothing comes through, and
// questions end after a while.
type cut struct {
	fleet.Engine
	Lost atomic.Bool
	Mute atomic.Bool // claims are heard, and not answered
	Dull atomic.Bool // renewals of who lives are so
	Late atomic.Bool // what is appended comes through after lateBy, whoever waits for it
}

const lateBy = time.Minute

var errLost = errors.New("no answer from the engine")

const patience = 5 * time.Second

func (c *cut) through(ctx context.Context) error {
	if !c.Lost.Load() {
		return nil
	}
	select {
	case <-ctx.Done():
	case <-time.After(patience):
	}
	return errLost
}

// asked asks, and loses what was answered meanwhile.
func asked[T any](ctx context.Context, c *cut, f func() (T, error)) (v T, err error) {
	if err := c.through(ctx); err != nil {
		return v, err
	}
	return f()
}

func (c *cut) Append(ctx context.Context, shard int, fence fleet.Fence, id string, change store.Change) (uint64, error) {
	if c.Late.Load() {
		go func() {
			time.Sleep(lateBy)
			_, _ = c.Engine.Append(context.WithoutCancel(ctx), shard, fence, id, change)
		}()
		<-ctx.Done()
		return 0, ctx.Err()
	}
	for {
		seq, err := asked(ctx, c, func() (uint64, error) { return c.Engine.Append(ctx, shard, fence, id, change) })
		if err == nil || !errors.Is(err, errLost) || ctx.Err() != nil {
			return seq, err
		}
	}
}

func (c *cut) Claim(ctx context.Context, shard int, last uint64, claim fleet.Claim) (uint64, error) {
	seq, err := asked(ctx, c, func() (uint64, error) { return c.Engine.Claim(ctx, shard, last, claim) })
	if err == nil && c.Mute.Load() {
		return 0, errLost
	}
	return seq, err
}

func (c *cut) LastClaim(ctx context.Context, shard int) (claim fleet.Claim, seq uint64, err error) {
	if err := c.through(ctx); err != nil {
		return claim, 0, err
	}
	return c.Engine.LastClaim(ctx, shard)
}

func (c *cut) Renew(ctx context.Context, s fleet.Session, last uint64) (uint64, error) {
	seq, err := asked(ctx, c, func() (uint64, error) { return c.Engine.Renew(ctx, s, last) })
	if err == nil && c.Dull.Load() && s.Incarnation != "" {
		return 0, errLost
	}
	return seq, err
}

func (c *cut) Living(ctx context.Context) (map[string]fleet.Life, error) {
	return asked(ctx, c, func() (map[string]fleet.Life, error) { return c.Engine.Living(ctx) })
}

func (c *cut) Purge(ctx context.Context, shard int, before uint64) error {
	if err := c.through(ctx); err != nil {
		return err
	}
	return c.Engine.Purge(ctx, shard, before)
}

func (c *cut) Read(ctx context.Context, shard int, after uint64) iter.Seq2[fleet.Entry, error] {
	return func(yield func(fleet.Entry, error) bool) {
		for e, err := range c.Engine.Read(ctx, shard, after) {
			for c.Lost.Load() && ctx.Err() == nil {
				_ = c.through(ctx)
			}
			if ctx.Err() != nil || !yield(e, err) {
				return
			}
		}
	}
}

func (c *cut) Send(name string, msg []byte) {
	if !c.Lost.Load() {
		c.Engine.Send(name, msg)
	}
}

func (c *cut) Hear(name string, f func([]byte)) (func(), error) {
	return c.Engine.Hear(name, func(msg []byte) {
		if !c.Lost.Load() {
			f(msg)
		}
	})
}
