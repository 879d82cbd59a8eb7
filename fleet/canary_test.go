package fleet_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/crawl"
	"linkcheck/fleet"
	"linkcheck/store"
	"linkcheck/uri"
)

// Each worker asks the canaries itself, once for all its shards: what one that meets none of
// them hears counts for nothing, and what the others hear counts.
func TestCanariesOfWorkers(t *testing.T) {
	const canary = "http://canary.example.org/"
	at, err := uri.Parse(canary)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, fleet.NewMemory(fleet.SessionTTL), fleet.UsualTimes())
		w.links = 400
		var mu sync.Mutex
		asked, sums := map[string]int{}, map[string][]crawl.Summary{}
		nights := map[string]*fleet.Night{}
		for _, name := range []string{"a", "b"} {
			prober := check.ProbeFunc(func(ctx context.Context, target check.Target) check.Result {
				r := answer(target.URI.String())
				if target.URI.String() == canary {
					mu.Lock()
					asked[name]++
					mu.Unlock()
					r.Outcome = check.OK
					if name == "b" {
						return check.New(check.Temporary, check.ReasonTimeout, "")
					}
				}
				time.Sleep(300 * time.Millisecond)
				return r
			})
			nights[name] = &fleet.Night{Slots: make(chan struct{}, 100), Open: func(context.Context, store.Run, fleet.Order) (crawl.Options, func() error, error) {
				o := crawl.NewOptions(prober)
				o.Now, o.NoRetry, o.Canaries = frozen, true, []uri.URI{at}
				return o, func() error { return nil }, nil
			}}
		}
		w.night.other = func(ctx context.Context, worker string, sh *fleet.Shard) error {
			sum, err := nights[worker].Make(ctx, sh)
			if err == nil && sum.Planned > 0 { // else it was made by another
				mu.Lock()
				sums[worker] = append(sums[worker], sum)
				mu.Unlock()
				w.night.isDone(sh.Number)
			}
			return err
		}
		a, b := w.start("a", "a"), w.start("b", "b")
		w.begin(a, b)
		w.untilDone()
		for _, worker := range []*worker{a, b} {
			if err := worker.Leave(); err != nil {
				t.Error(err)
			}
		}
		for name, list := range sums {
			for _, sum := range list {
				r := sum.Run
				if blind := name == "b"; r.Distrusted != blind || blind != (len(r.FailedCanaries) > 0) || blind != (r.Checked == 0) {
					t.Errorf("%s: %+v of %d links", name, r, sum.Planned)
				}
			}
		}
		if len(sums["a"])+len(sums["b"]) != shards || asked["a"] != 2 || asked["b"] != 2 { // a: at first, and before failures count
			t.Errorf("%d and %d shards, canaries asked %v", len(sums["a"]), len(sums["b"]), asked)
		}
	})
}
