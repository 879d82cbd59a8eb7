package wire

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// watched is a session that knows where it is, and complains when it is where it
// may not be.
type watched struct {
	t     *testing.T
	state atomic.Int32
	since time.Time     // waits in the pool
	slow  time.Duration // that Close takes
	over  *atomic.Int32 // sessions that were closed to the end
}

const (
	inUse int32 = iota // by whoever made it or took it
	waits
	closed
)

func (w *watched) Close() error {
	if !w.state.CompareAndSwap(waits, closed) {
		w.t.Errorf("closed where it was %d", w.state.Load())
	}
	if age := time.Since(w.since); age > idleTime {
		w.t.Errorf("closed after %v", age)
	}
	time.Sleep(w.slow)
	w.over.Add(1)
	return nil
}

// player puts and takes sessions of a few servers for a while.
type player struct {
	t     *testing.T
	p     *Sessions[int, *watched]
	r     *rand.Rand
	slow  time.Duration
	over  *atomic.Int32
	made  []*watched
	hands map[int][]*watched // by server
}

func (y *player) step() {
	switch k := y.r.IntN(5); y.r.IntN(12) {
	case 0, 1, 2, 3:
		w := &watched{t: y.t, slow: time.Duration(y.r.Int64N(int64(y.slow) + 1)), over: y.over}
		y.made = append(y.made, w)
		y.hands[k] = append(y.hands[k], w)
	case 4, 5, 6:
		for _, w := range y.hands[k] {
			w.since = time.Now()
			w.state.Store(waits)
			y.p.Put(k, w)
		}
		delete(y.hands, k)
	case 7, 8, 9:
		begin := time.Now()
		w, ok := y.p.Take(k)
		if !time.Now().Equal(begin) {
			y.t.Error("Take waited")
		}
		if ok {
			y.took(k, w)
		}
	case 10:
		time.Sleep(time.Duration(y.r.Int64N(int64(idleTime))))
	case 11:
		switch y.r.IntN(50) {
		case 0:
			y.p.Close()
		case 1, 2, 3:
			y.p.CloseWhere(func(server int) bool { return server == k })
		}
	}
}

func (y *player) took(k int, w *watched) {
	if !w.state.CompareAndSwap(waits, inUse) {
		y.t.Errorf("given where it was %d", w.state.Load())
	}
	if age := time.Since(w.since); age > idleTime {
		y.t.Errorf("given after %v", age)
	}
	y.hands[k] = append(y.hands[k], w)
}

// Whatever several probes do at a time: a session is with one of them, waits, or
// is closed, once; it waits for idleTime at most and with maxIdle at most, however
// long others take to close; nobody waits for that but who closes the pool.
func TestSessionsModel(t *testing.T) {
	const players, steps = 6, 400
	for seed := range uint64(20) {
		slow := []time.Duration{0, time.Second, 5 * idleTime}[seed%3]
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var p Sessions[int, *watched]
				var over atomic.Int32
				var wg sync.WaitGroup
				all := make([]*player, players)
				for i := range all {
					all[i] = &player{t: t, p: &p, r: rand.New(rand.NewPCG(seed, uint64(i))), slow: slow, over: &over, hands: map[int][]*watched{}}
					wg.Go(func() {
						for range steps {
							all[i].step()
						}
					})
				}
				wg.Wait()
				p.Close()
				ended := int(over.Load())
				made, inHand, gone := 0, 0, 0
				for _, y := range all {
					for _, list := range y.hands {
						inHand += len(list)
					}
					for _, w := range y.made {
						made++
						if w.state.Load() == closed {
							gone++
						}
					}
				}
				if gone == 0 || inHand+gone != made || ended != gone {
					t.Errorf("of %d sessions %d are in hand and %d closed, %d of these to the end when Close returned", made, inHand, gone, ended)
				}
				if _, ok := p.Take(0); ok || p.n != 0 || len(p.idle) != 0 {
					t.Errorf("%d sessions wait after Close, or its timer runs", p.n)
				}
			})
		})
	}
}

// A session that takes long to close keeps nobody waiting: neither those that use
// the pool nor those whose time is over meanwhile.
func TestSessionsSlowClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Sessions[string, *watched]
		var over atomic.Int32
		put := func(k string, slow time.Duration) *watched {
			w := &watched{t: t, slow: slow, over: &over, since: time.Now()}
			w.state.Store(waits)
			p.Put(k, w)
			return w
		}
		put("dead", time.Hour)
		time.Sleep(idleTime / 2)
		next := put("other", 0)
		time.Sleep(idleTime - time.Second)
		if _, ok := p.Take("dead"); ok {
			t.Error("given while it was closed")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if next.state.Load() != closed {
			t.Error("one session waits until the other is closed")
		}
		for range 2 * maxIdle {
			put("many", time.Hour)
		}
		synctest.Wait()
		waiting := 0
		for range 2 * maxIdle {
			if _, ok := p.Take("many"); ok {
				waiting++
			}
		}
		if waiting != maxIdle {
			t.Errorf("%d wait, want %d", waiting, maxIdle)
		}
		put("many", 0)
		if _, ok := p.Take("many"); !ok {
			t.Error("there is no room although none waits")
		}
		put("left", time.Hour)
		go p.CloseWhere(func(k string) bool { return k == "left" })
		synctest.Wait()
		begin := time.Now()
		if p.Close(); over.Load() != 3+maxIdle || time.Since(begin) > time.Hour {
			t.Errorf("Close returned after %v with %d closed", time.Since(begin), over.Load())
		}
	})
}
