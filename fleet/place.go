package fleet

import (
	"fmt"
	"time"

	"context"

	"github.com/cespare/xxhash/v2"
)

// place is the shard of a host or a gate.
func place(name string, shards int) int { return int(xxhash.Sum64String(name) % uint64(shards)) }

func shardName(shard int) string { return fmt.Sprintf("%03d", shard) }

// wants says which of the living workers is to serve a shard, by rendezvous: when one comes
// or goes, only its own shards move.
func wants(shard int, living map[string]Life) (worker string) {
	var most uint64
	for name, l := range living {
		weight := xxhash.Sum64String(name + "/" + shardName(shard))
		if !l.Leaving && (worker == "" || weight > most || weight == most && name < worker) {
			worker, most = name, weight
		}
	}
	return worker
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
