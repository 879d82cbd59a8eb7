package web

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// DESIGN law 6: no more at a time than allowed, and nothing left behind.
func TestTurns(t *testing.T) {
	turns := newTurns(2, time.Hour)
	var now, most atomic.Int32
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			defer turns.take(t.Context(), "a.test")()
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			now.Add(-1)
		})
	}
	wg.Wait()
	if n := most.Load(); n < 1 || n > 2 || len(turns.by) != 0 {
		t.Errorf("%d at a time, %d hosts left behind", n, len(turns.by))
	}
}

// A request goes when its patience or its context ends, and gives back no place
// that it did not have.
func TestTurnsPatience(t *testing.T) {
	for name, patience := range map[string]time.Duration{"patience": 0, "context": time.Hour} {
		turns := newTurns(1, patience)
		first := turns.take(t.Context(), "a.test")
		ctx, cancel := context.WithCancel(t.Context())
		if patience > 0 {
			cancel()
		}
		turns.take(ctx, "a.test")()
		cancel()
		if len(turns.by["a.test"].room) != 1 {
			t.Errorf("%s: the place of the first is gone", name)
		}
		turns.take(t.Context(), "b.test")() // another host does not wait
		first()
		if len(turns.by) != 0 {
			t.Errorf("%s: %d hosts left behind", name, len(turns.by))
		}
	}
}
