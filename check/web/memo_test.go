package web

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// Those who wait get the answer of who asked first, ask for themselves where it
// was not worth keeping or was none, and do not wait longer than they may.
func TestMemo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m memo[string, int]
		asked := 0
		answer := func(value int, keep bool) func() (int, bool) {
			return func() (int, bool) {
				asked++
				time.Sleep(time.Second)
				if value < 0 {
					panic("no answer")
				}
				return value, keep
			}
		}
		get := func(ctx context.Context, ask func() (int, bool)) <-chan int {
			got := make(chan int, 1)
			go func() {
				defer func() {
					if recover() != nil {
						got <- -1
					}
				}()
				got <- m.get(ctx, "key", ask)
			}()
			synctest.Wait()
			return got
		}
		hasty, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		panics := get(t.Context(), answer(-1, true))
		gone := get(hasty, answer(1, true))
		own := get(t.Context(), answer(2, false))
		begin := time.Now()
		if got := <-gone; got != 0 || time.Since(begin) != time.Second/2 {
			t.Errorf("one that may not wait got %d after %v", got, time.Since(begin))
		}
		if got := <-panics; got != -1 {
			t.Errorf("a panic gave %d", got)
		}
		synctest.Wait()
		last := get(t.Context(), answer(3, true))
		if got := <-own; got != 2 {
			t.Errorf("after a panic: %d", got)
		}
		if _, known := m.peek("key"); known {
			t.Error("kept what was not worth it")
		}
		if got := <-last; got != 3 {
			t.Errorf("after what was not worth keeping: %d", got)
		}
		if value, known := m.peek("key"); value != 3 || !known || m.get(t.Context(), "key", answer(4, true)) != 3 || asked != 3 {
			t.Errorf("%d, known %v, asked %d times", value, known, asked)
		}
	})
}
