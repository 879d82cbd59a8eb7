package wire

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

type closer struct{ closed atomic.Int32 }

func (c *closer) Close() error {
	c.closed.Add(1)
	return nil
}

func TestSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Sessions[string, *closer]
		if _, ok := p.Take("a"); ok {
			t.Error("an empty pool gave a session")
		}
		one, two, other := &closer{}, &closer{}, &closer{}
		p.Put("a", one)
		p.Put("a", two)
		p.Put("b", other)
		if s, ok := p.Take("a"); !ok || s != two {
			t.Error("not the latest of its key")
		}
		time.Sleep(2 * idleTime)
		if one.closed.Load() != 1 || other.closed.Load() != 1 || two.closed.Load() != 0 {
			t.Error("those that wait are closed in time, those that were taken are not")
		}
		if _, ok := p.Take("a"); ok {
			t.Error("a closed session was given")
		}
		p.Put("a", two)
		kept := &closer{}
		p.Put("b", kept)
		p.CloseWhere(func(k string) bool { return k == "b" })
		if _, ok := p.Take("b"); ok || kept.closed.Load() != 1 || two.closed.Load() != 0 {
			t.Error("Leave closes those of its keys and no others")
		}
		p.Close()
		if two.closed.Load() != 1 {
			t.Error("Close left a session open")
		}
		list := make([]closer, maxIdle+1)
		for i := range list {
			p.Put("c", &list[i])
		}
		synctest.Wait()
		if list[maxIdle].closed.Load() != 1 || list[0].closed.Load() != 0 {
			t.Error("too many wait")
		}
		p.Close()
		for i := range list {
			if list[i].closed.Load() != 1 {
				t.Fatalf("session %d was closed %d times", i, list[i].closed.Load())
			}
		}
	})
}

// Idle sessions leave files for workers.
func TestMostIdle(t *testing.T) {
	for files, want := range map[int]int{0: maxIdle, 1 << 20: maxIdle, 1024: maxIdle, 256: 15, 64: 2, 32: 1, 8: 1} {
		if got := mostIdle(files); got != want {
			t.Errorf("%d files: %d, want %d", files, got, want)
		}
	}
}
