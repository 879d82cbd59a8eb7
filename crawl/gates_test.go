package crawl

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/store"
)

// oneGate lets one in at a time, with a gap, over all who ask.
type oneGate struct {
	mu      sync.Mutex
	queue   []func(time.Time)
	in      bool
	granted int
}

func (g *oneGate) Ask(_, _ string, granted func(time.Time)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.queue = append(g.queue, granted)
	g.next()
}

func (g *oneGate) Done(_, _ string, gap time.Duration, _ func()) {
	time.AfterFunc(gap, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.in = false
		g.next()
	})
}

func (g *oneGate) next() {
	if g.in || len(g.queue) == 0 {
		return
	}
	first := g.queue[0]
	g.in, g.queue, g.granted = true, g.queue[1:], g.granted+1
	go first(time.Now().Add(time.Minute))
}

// linksOf is a store with links to a host.
func linksOf(t *testing.T, host string, n int) *store.Store {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "s.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	var list []store.Mention
	for i := range n {
		u := fmt.Sprintf("http://%s/%d", host, i)
		list = append(list, store.Mention{Raw: u, URL: u, Line: i + 1})
	}
	in, err := st.BeginIngest(time.Now())
	if err == nil {
		err = in.Add(store.Step{Whole: []store.Source{{Path: "a.txt", Mentions: n}}, Batches: []*store.Batch{store.Prepare("a.txt", list, nil)}})
	}
	if err == nil {
		_, err = in.Finish()
	}
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// Two checks take turns at a gate; what is interrupted while it waits there stays due, and
// its run goes on.
func TestGates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate, slots := &oneGate{}, make(chan struct{}, 1)
		var mu sync.Mutex
		var last time.Time
		asked, in, early := 0, 0, 0
		prober := check.ProbeFunc(func(context.Context, check.Target) check.Result {
			mu.Lock()
			if asked, in = asked+1, in+1; in > 1 || !last.IsZero() && time.Since(last) < 2*time.Second {
				early++
			}
			mu.Unlock()
			time.Sleep(300 * time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			in, last = in-1, time.Now()
			return check.Result{Outcome: check.OK, Reason: "http-200", At: time.Now()}
		})
		const links = 10
		night := func(ctx context.Context, st *store.Store, run store.Run) (Summary, error) {
			o := NewOptions(prober)
			o.Gates, o.Slots, o.Run = gate, slots, run
			return Check(ctx, st, o)
		}
		stores := []*store.Store{linksOf(t, "a.test", links), linksOf(t, "b.test", links)}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(15*time.Second, cancel)
		var both sync.WaitGroup
		for _, st := range stores {
			both.Go(func() {
				sum, err := night(ctx, st, store.Run{})
				if err == nil {
					t.Error("the night was not cut short")
				}
				if sum, err = night(t.Context(), st, sum.Run); err != nil || sum.Run.Checked != links || sum.Run.Ended.IsZero() {
					t.Errorf("%+v, %v", sum.Run, err)
				}
			})
		}
		both.Wait()
		if early > 0 || asked < 2*links || asked > 2*links+2 {
			t.Errorf("%d of %d came too early", early, asked)
		}
	})
}

// What one check hears, the others hear: alone they would hold the network for down.
func TestVantage(t *testing.T) {
	for _, together := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			prober := check.ProbeFunc(func(_ context.Context, target check.Target) check.Result {
				if at, _ := target.URI.Endpoint(); at.Host == "there.test" {
					time.Sleep(20 * time.Second)
					return check.Result{Outcome: check.OK, Reason: "http-200", At: time.Now()}
				}
				return check.New(check.Unreachable, check.ReasonTCPRefused, "")
			})
			var v *Vantage
			if together {
				v = &Vantage{}
			}
			dead := linksOf(t, "gone1.test", 1)
			in, err := dead.BeginIngest(time.Now())
			var list []store.Mention
			for i := range 9 {
				u := fmt.Sprintf("http://gone%d.test/", i)
				list = append(list, store.Mention{Raw: u, URL: u, Line: i + 1})
			}
			if err == nil {
				err = in.Add(store.Step{Whole: []store.Source{{Path: "b.txt", Mentions: 9}}, Batches: []*store.Batch{store.Prepare("b.txt", list, nil)}})
			}
			if err == nil {
				_, err = in.Finish()
			}
			if err != nil {
				t.Fatal(err)
			}
			var both sync.WaitGroup
			for _, st := range []*store.Store{dead, linksOf(t, "there.test", 1)} {
				both.Go(func() {
					o := NewOptions(prober)
					o.Vantage = v
					sum, err := Check(t.Context(), st, o)
					if down := st == dead && !together; sum.Run.Distrusted != down || (err != nil) != down {
						t.Errorf("together %v, distrusted %v: %v", together, sum.Run.Distrusted, err)
					}
				})
			}
			both.Wait()
		})
	}
}
