package fleet_test

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/crawl"
	"linkcheck/fleet"
	"linkcheck/store"
)

// The links of a front are asked by ten at a time over all workers, and those of a site one at a
// time and with the gap between them (OUTCOMES 5.1.15).
func TestFrontInFleet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const sites, each, workers = 600, 2, 2 // a hundred sites share the first part, and by chance a tenth of the others
		times := fleet.UsualTimes()
		w := newWorld(t, fleet.NewMemory(fleet.SessionTTL), times)
		var mu sync.Mutex
		in, last, now, most, bad, asked := map[string]int{}, map[string]time.Time{}, 0, 0, 0, 0
		prober := check.ProbeFunc(func(_ context.Context, target check.Target) check.Result {
			at, _ := target.URI.Endpoint()
			_, site, _ := strings.Cut(at.Host, ".")
			mu.Lock()
			asked, now, most = asked+1, now+1, max(most, now+1)
			if in[site] > 0 || !last[site].IsZero() && time.Since(last[site]) < times.Gap {
				bad++
			}
			in[site]++
			mu.Unlock()
			time.Sleep(500 * time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			in[site]--
			now, last[site] = now-1, time.Now()
			return check.Result{Outcome: check.OK, Evidence: check.Strong, Reason: "http-200", At: epoch, Attempts: 1}
		})
		for n := range shards {
			var list []store.Mention
			for i := range sites * each {
				host := fmt.Sprintf("h%d.site%d.example", i%each, i/each)
				if fleet.Place(host, shards) == n {
					list = append(list, store.Mention{Line: i, Raw: "http://" + host + "/", URL: "http://" + host + "/"})
				}
			}
			for i, c := range changes(t, list) {
				mustAppend(t, w.engine, n, 0, fmt.Sprintf("load/%d/%d", n, i), c)
			}
		}
		begun := time.Now()
		w.night.other = func(ctx context.Context, _ string, sh *fleet.Shard) error {
			o := crawl.NewOptions(prober)
			o.Now, o.Run, o.Gates, o.Slots = frozen, store.Run{ID: 1, Started: epoch}, sh.Turns, make(chan struct{}, 100)
			o.Route = func(context.Context, string) (netguard.Route, error) {
				return netguard.Route{Addrs: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:80")}}, nil
			}
			_, err := crawl.Check(ctx, sh.Store, o)
			if err == nil {
				w.night.isDone(sh.Number)
			}
			return err
		}
		var all []*worker
		for n := range workers {
			all = append(all, w.start(fmt.Sprint("w", n), fmt.Sprint("w", n)))
		}
		w.untilDone()
		took := time.Since(begun)
		for _, worker := range all {
			if err := worker.Leave(); err != nil {
				t.Error(err)
			}
		}
		t.Logf("%d links in %v, %d at a time", asked, took, most)
		if alone := sites * each * (times.Gap + 500*time.Millisecond); asked != sites*each || bad > 0 || most < 5 || most > 10 || took > alone/2 {
			t.Errorf("%d of %d links in %v, %d at a time, %d beside or too soon after another of the site; one at a time takes %v", asked, sites*each, took, most, bad, alone)
		}
	})
}
