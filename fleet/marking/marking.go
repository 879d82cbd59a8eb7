// Package marking puts decisions of people about the links of a set into its logs.
package marking

import (
	"context"
	"crypto/rand"
	"fmt"

	"linkcheck/fleet"
	"linkcheck/store"
	"linkcheck/store/setfile"
)

// Marks are the copies of a set, to decide about its links.
type Marks struct {
	*store.Store
	to []int // shards that are to know of the decision at hand
}

// Open opens the copies of a set, only read, for SetPin.
func Open(ctx context.Context, copies string, e fleet.Engine, shards int, o store.Options) (m *Marks, err error) {
	m = &Marks{}
	o.Context, o.ReadOnly, o.Emit = ctx, true, func(change store.Change) error {
		id := rand.Text()
		for _, shard := range m.to {
			if _, err := e.Append(ctx, shard, fleet.Fence{}, fmt.Sprintf("%s/%d", id, shard), change); err != nil {
				return err
			}
		}
		return nil
	}
	m.Store, err = store.Open(copies, &o)
	for shard := range shards {
		m.to = append(m.to, shard)
	}
	return m, err
}

// SetPin is that of a store. The decision stands in the logs of the shards that it is for:
// copies that are made later have it.
func (m *Marks) SetPin(p store.Pin) error {
	all := m.to
	if p.Link != 0 {
		shard := setfile.OfNumber(p.Link)
		m.to = all[shard : shard+1]
	}
	defer func() { m.to = all }()
	return m.Store.SetPin(p)
}
