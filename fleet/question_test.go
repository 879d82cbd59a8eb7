package fleet_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/fleet"
	"linkcheck/judge"
	"linkcheck/store"
)

// What other shards know is known to a reading in the first: which addresses links lead to, and
// of which links one more failure decides, also while a shard changes hands.
func TestQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const links, day = 8000, 24 * time.Hour
		w := newWorld(t, fleet.NewMemory(fleet.SessionTTL), fleet.UsualTimes())
		url := func(n int) string { return fmt.Sprintf("http://h%d.example.net/%d", n%97, n) }
		var mu sync.Mutex
		failing, asks := map[int]bool{}, make(chan *fleet.Shard, 1)
		by := map[int]string{}
		w.night.other = func(ctx context.Context, worker string, sh *fleet.Shard) error {
			mu.Lock()
			by[sh.Number] = worker
			done := failing[sh.Number]
			mu.Unlock()
			if sh.Number == 0 && !done {
				if err := readAddresses(sh.Store, url, links); err != nil {
					return err
				}
			}
			var batch []store.Checked
			for e, err := range sh.Store.Scan(store.Pick{}) {
				if err != nil {
					return err
				}
				batch = append(batch, store.Checked{ID: e.Link.ID})
			}
			for night := 0; !done && night < 6; night++ {
				for i := range batch {
					r := check.New(check.Gone, check.ReasonHTTP(404), "")
					r.Evidence, r.At = check.Strong, epoch.Add(time.Duration(night)*day)
					batch[i].Result = r
				}
				if err := sh.Store.Record(1, judge.Policy{}, batch); err != nil {
					return err
				}
			}
			mu.Lock()
			failing[sh.Number] = done || len(batch) > 0
			mu.Unlock()
			if sh.Number == 0 {
				asks <- sh
				<-ctx.Done()
			}
			return nil
		}
		workers := map[string]*worker{"a": w.start("a", "a"), "b": w.start("b", "b")}
		sh := <-asks
		time.Sleep(20 * time.Second)
		mu.Lock()
		first := by[0]
		mu.Unlock()
		other := workers[map[string]string{"a": "b", "b": "a"}[first]]
		go func() {
			time.Sleep(time.Millisecond)
			other.Kill()
		}()
		for n := range links + 10 {
			if is, err := sh.Linked(t.Context(), url(n)); is != (n < links) || err != nil {
				t.Fatalf("%s: %v, %v", url(n), is, err)
			}
			if n == links/2 {
				time.Sleep(time.Second) // the other is gone
			}
		}
		dying, err := sh.Dying(t.Context(), epoch.Add(6*day))
		if slices.Sort(dying); err != nil || len(slices.Compact(dying)) != links {
			t.Errorf("%d of %d links are dying, %v", len(dying), links, err)
		}
		if err := workers[first].Leave(); err != nil {
			t.Error(err)
		}
	})
}

// readAddresses has the first shard of a fleet read a document of many links, and begins run 1.
func readAddresses(st *store.Store, url func(int) string, links int) error {
	var list []store.Mention
	for n := range links {
		list = append(list, store.Mention{Collection: "c", Line: n + 1, Raw: url(n), URL: url(n)})
	}
	in, err := st.BeginIngest(epoch)
	if err == nil {
		err = in.Add(store.Step{Batches: []*store.Batch{store.Prepare("a", list, nil)}, Whole: []store.Source{{Path: "a"}}})
	}
	if err == nil {
		_, err = in.Finish()
	}
	if err == nil {
		_, err = st.StartRun(store.Run{Started: epoch})
	}
	return err
}
