package fleet

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"
)

// place is the shard of a host or a gate.
func place(name string, shards int) int { return int(xxhash.Sum64String(name) % uint64(shards)) }

func shardName(shard int) string { return fmt.Sprintf("%03d", shard) }

// shares says which of the living workers is to serve each shard: the first who reads, if
// somebody does. The others each as many as another, give or take one, since who has more is
// through later; by rendezvous, so that few move when one comes or goes.
func shares(shards int, living map[string]Life) []string {
	type wish struct {
		worker string
		shard  int
		weight uint64
	}
	var wishes []wish
	workers, reader := 0, ""
	for name, l := range living {
		if l.Leaving {
			continue
		}
		if l.Reads {
			reader = name
			continue
		}
		workers++
		for n := range shards {
			wishes = append(wishes, wish{name, n, xxhash.Sum64String(name + "/" + shardName(n))})
		}
	}
	slices.SortFunc(wishes, func(a, b wish) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.worker, b.worker), cmp.Compare(a.shard, b.shard))
	})
	of, has, least := make([]string, shards), map[string]int{}, shards/max(workers, 1)
	more := shards - least*workers // workers that have one more
	for _, w := range wishes {
		if of[w.shard] != "" || has[w.worker] > least || has[w.worker] == least && more == 0 {
			continue
		}
		if of[w.shard] = w.worker; has[w.worker] == least {
			more--
		}
		has[w.worker]++
	}
	if reader != "" {
		of[0] = reader
	}
	return of
}

// pause waits; the error is that of ctx.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
