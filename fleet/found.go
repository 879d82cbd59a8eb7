package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"linkcheck/store"
	"linkcheck/store/setfile"
	"linkcheck/uri/equal"
)

// Make makes a set on an engine: an empty one, or one of a store. It refuses where there is one
// of the name (ErrStands), but for one that was not filled to its end, and with Again one that
// nobody serves.
func Make(ctx context.Context, at Access, set Set) (*NATS, error) {
	if !setName.MatchString(set.Name) {
		return nil, fmt.Errorf("%q is no name of a set: letters, digits and hyphens", set.Name)
	}
	if set.From != "" && setfile.Stands(string(set.Copies)) {
		return nil, fmt.Errorf("%w: %s holds those of another set", ErrOtherSet, set.Copies)
	}
	return connect(at.URL, at.options(), func(n *NATS) error {
		n.Set, n.TTL = set.Name, set.TTL
		if err := n.giveWay(ctx, &set); err != nil {
			return err
		}
		n.Of = setfile.NewFleet(set.Shards, equal.Edition)
		n.Of.Filling = set.From != ""
		if err := n.streams(ctx, set); err != nil {
			return err
		}
		if err := n.try(ctx); err != nil || set.From == "" {
			return err
		}
		return n.fill(ctx, &set)
	})
}

// giveWay removes the set that stands, if it may be removed.
func (n *NATS) giveWay(ctx context.Context, set *Set) (err error) {
	upper := strings.ToUpper(n.Set)
	n.logs, err = n.js.Stream(ctx, "LC_"+upper+"_LOG")
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	is, err := setfile.Parse([]byte(n.logs.CachedInfo().Config.Metadata[about]))
	if filling := err == nil && is.Filling; !filling && !set.Again {
		return fmt.Errorf("%w: %q", ErrStands, n.Set)
	}
	n.live, err = n.js.Stream(ctx, "LC_"+upper+"_ALIVE")
	if err == nil {
		if err = n.mayGo(ctx, set); err == nil {
			err = n.js.DeleteStream(ctx, "LC_"+upper+"_ALIVE")
		}
	}
	if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	set.Above = max(set.Above, n.logs.CachedInfo().State.LastSeq)
	return n.js.DeleteStream(ctx, "LC_"+upper+"_LOG")
}

// mayGo refuses to remove a set that somebody serves, or whose log holds what no copy has.
func (n *NATS) mayGo(ctx context.Context, set *Set) error {
	living, err := n.Living(ctx)
	if err != nil {
		return err
	}
	for name, l := range living {
		if l.Incarnation != "" {
			return fmt.Errorf("%w: %q, which worker %q serves", ErrStands, n.Set, name)
		}
	}
	for shard, whole := range set.Whole {
		for _, kind := range []string{"in", "log"} {
			m, err := n.logs.GetLastMsgForSubject(ctx, n.subject(kind, shardName(shard)))
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			if m.Sequence > whole {
				return fmt.Errorf("%w: %q, and its log has what is in no copy of shard %s: have a worker of the program that made it serve it, and end that", ErrStands, n.Set, shardName(shard))
			}
		}
	}
	return nil
}

// fill gives each shard a change that changes nothing, so that its log begins behind a copy of
// the store: who has no copy must not take the log for all there is.
func (n *NATS) fill(ctx context.Context, set *Set) error {
	if err := set.Copies.Begin(ctx, n.Of); err != nil {
		return err
	}
	for shard := range set.Shards {
		if err := n.fillShard(ctx, set, shard); err != nil {
			return fmt.Errorf("shard %s: %w", shardName(shard), err)
		}
	}
	n.Of.Filling = false
	said, err := json.Marshal(n.Of)
	if err != nil {
		return err
	}
	copies := *n.Of
	if copies.Copies = true; copies.Write(string(set.Copies)) != nil {
		return fmt.Errorf("the folder of copies %s cannot be written", set.Copies)
	}
	c := n.logs.CachedInfo().Config
	c.Metadata[about] = string(said)
	_, err = n.js.UpdateStream(ctx, c)
	return err
}

func (n *NATS) fillShard(ctx context.Context, set *Set, shard int) (err error) {
	var s *store.Store
	s, err = store.Open(setfile.File(set.From, shard), &store.Options{Context: ctx, Fleet: set.Shards, Shard: shard, Emit: func(c store.Change) error {
		at, err := n.Append(ctx, shard, Fence{}, fmt.Sprintf("first/%d", shard), c)
		if err != nil {
			return err
		}
		return s.Apply(at, c)
	}})
	if err != nil {
		return err
	}
	var cursor uint64
	if err = s.Tell(shard, nil); err == nil {
		cursor, err = set.Copies.keep(ctx, shard, s)
	}
	if err == nil {
		err = n.Purge(ctx, shard, cursor)
	}
	return errors.Join(err, s.Close())
}
