package fleet

import (
	"fmt"
	"testing"
)

// Each worker serves as many shards as another, and few move when one comes or goes.
func TestShares(t *testing.T) {
	const shards = 64
	living := map[string]Life{"old": {Session: Session{Leaving: true}}}
	var before []string
	for workers := 1; workers <= 80; workers++ {
		living[fmt.Sprint("w", workers)] = Life{}
		of, has, moved := shares(shards, living), map[string]int{}, 0
		for n, worker := range of {
			if has[worker]++; before != nil && before[n] != worker {
				moved++
			}
		}
		for name, l := range living {
			if least := shards / workers; !l.Leaving && has[name] != least && has[name] != least+1 || l.Leaving && has[name] > 0 {
				t.Errorf("%d workers: %s has %d", workers, name, has[name])
			}
		}
		if must := (shards + workers - 1) / workers; moved > must+shards/8 {
			t.Errorf("%d workers: %d shards move, %d must", workers, moved, must)
		}
		before = of
	}
	if of := shares(shards, map[string]Life{"old": living["old"]}); of[0] != "" {
		t.Errorf("%q serves", of[0])
	}
}
