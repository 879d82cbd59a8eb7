package crawl

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/uri"
)

func TestWhatCannotBeAskedHasAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, "http://[bad", "nosuch:thing", "http://no.test.net/x")
		w := &world{}
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w, Exclude: func(u string) bool { return strings.Contains(u, "/x") }})
		if err != nil || sum.Checked != 3 || len(w.visits) != 0 {
			t.Fatalf("%+v, %v, %v", sum, err, w.visits)
		}
		for url, state := range map[string]judge.State{"http://[bad": judge.Invalid, "nosuch:thing": judge.NotCheckable, "http://no.test.net/x": judge.NotCheckable} {
			if l := stateOf(t, st, url); l.State != state || l.Last.Outcome == check.Unknown {
				t.Errorf("%s: %s (%s)", url, l.State, l.Last.Outcome)
			}
		}
	})
}

func TestProbeAnswersInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := append([]string{"not a uri"}, urls(9, 3)...)
		w := &world{took: func(host string) time.Duration {
			return time.Duration(9-host[3]+'0') * time.Second
		}, answer: func(host, path string, _ int) check.Result {
			if host == "h004.test.net" {
				return check.New(check.Blocked, "http-429", "")
			}
			return check.New(check.OK, "http-200", "")
		}}
		i := 0
		for a, err := range Probe(t.Context(), list, CheckOptions{Prober: w}) {
			if err != nil || a.URI != list[i] || a.Result.Outcome == check.Unknown {
				t.Fatalf("%d: %+v, %v", i, a, err)
			}
			i++
		}
		if i != len(list) {
			t.Errorf("%d of %d answers", i, len(list))
		}
	})
}

func TestProbeAsksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{}
		list := []string{"http://h000.test.net/a", "http://h000.test.net/b", "HTTP://H000.test.net:80/a", "http://h000.test.net/a"}
		var got []string
		for a, err := range Probe(t.Context(), list, CheckOptions{Prober: w}) {
			if err != nil || a.Result.Outcome == check.Unknown {
				t.Fatalf("%+v, %v", a, err)
			}
			got = append(got, a.URI)
		}
		if !slices.Equal(got, list) || len(w.visits) != 2 {
			t.Errorf("%d probes, answers for %q", len(w.visits), got)
		}
	})
}

func TestProbeStopsWhenNobodyListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{took: func(string) time.Duration { return time.Second }}
		for range Probe(t.Context(), urls(3, 3), CheckOptions{Prober: w}) {
			break
		}
		if len(w.visits) > 6 {
			t.Errorf("%d probes", len(w.visits))
		}
	})
}

// engineOf is an engine with links, by their place in the list.
func engineOf(t *testing.T, w *world, list []string) *engine {
	e := newEngine(CheckOptions{Prober: w}.withDefaults())
	e.load = func(ids []uint64) (aims []aim) {
		for _, id := range ids {
			u, err := uri.Parse(list[id])
			if err != nil {
				t.Fatal(err)
			}
			aims = append(aims, aim{target: check.Target{URI: u}})
		}
		return aims
	}
	for id, text := range list {
		e.add(e.host(hostOf(text)), uint64(id))
	}
	return e
}

// An engine that has done its work holds nothing of it, whether links were asked
// about or left to a host that wants to be left alone.
func TestEngineHoldsNothingAfterwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tired = "h001.test.net"
		w := &world{answer: func(host, path string, _ int) check.Result {
			if host == tired && path == "/1" {
				return check.New(check.Blocked, "http-429", "")
			}
			return check.New(check.OK, "http-200", "")
		}}
		list := urls(3, 4)
		e := engineOf(t, w, list)
		loads, calls, emitted, left := map[uint64]int{}, 0, 0, 0
		load := e.load
		e.load = func(ids []uint64) []aim {
			calls++
			for _, id := range ids {
				loads[id]++
			}
			return load(ids)
		}
		e.emit = func(*host, uint64, check.Result) error { emitted++; return nil }
		e.rested = func(_ *host, links []uint64) error { left += len(links); return nil }
		if err := e.run(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if emitted != 10 || left != 2 || e.left != 0 || len(e.loaded) != 0 || len(e.legs) != 0 || e.inflight != 0 {
			t.Errorf("%d answers, %d left alone; %d wait, %d loaded, %d legs, %d under way", emitted, left, e.left, len(e.loaded), len(e.legs), e.inflight)
		}
		if calls != 3 {
			t.Errorf("the links of 3 hosts were loaded %d times", calls)
		}
		for id, n := range loads {
			if n != 1 {
				t.Errorf("%s was loaded %d times", list[id], n)
			}
		}
	})
}

// An answer that cannot be kept ends the run at once, whatever is under way.
func TestEngineEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{took: func(host string) time.Duration {
			if host == "h000.test.net" {
				return time.Second
			}
			return 10 * time.Hour
		}}
		full := errors.New("the disk is full")
		e := engineOf(t, w, urls(5, 2))
		e.emit = func(*host, uint64, check.Result) error { return full }
		begin := time.Now()
		if err := e.run(t.Context(), nil); !errors.Is(err, full) || time.Since(begin) > time.Minute {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}
