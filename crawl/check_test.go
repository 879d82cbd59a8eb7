package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
)

// world is a prober of a scripted internet: it notes who was asked when.
type world struct {
	answer func(host, path string, n int) check.Result // n: how many times the URI was asked before
	took   func(host string) time.Duration

	mu     sync.Mutex
	visits []call
	count  map[string]int
	busy   map[string]int
	most   map[string]int // at one time
	amend  []check.Amendment
}

type call struct {
	host, path string
	at         time.Time
}

func (w *world) Probe(ctx context.Context, t check.Target) check.Result {
	u := t.URI.(*uri.HTTP)
	host := u.At.Host
	begin := time.Now()
	w.mu.Lock()
	if w.count == nil {
		w.count, w.busy, w.most = map[string]int{}, map[string]int{}, map[string]int{}
	}
	n := w.count[u.String()]
	w.count[u.String()]++
	w.busy[host]++
	w.most[host] = max(w.most[host], w.busy[host])
	w.visits = append(w.visits, call{host, u.Path, begin})
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.busy[host]--
		w.mu.Unlock()
	}()
	if w.took != nil {
		select {
		case <-time.After(w.took(host)):
		case <-ctx.Done():
			return check.New(check.Internal, "cancelled", "")
		}
	}
	r := check.New(check.OK, "http-200", "HTTP/1.1 200 OK")
	if w.answer != nil {
		r = w.answer(host, u.Path, n)
	}
	if r.At, r.Attempts = begin, 1; t.AsBrowsers != nil && t.AsBrowsers(t.URI.String()) {
		r = r.WithFlags(check.FlagSecondOpinion)
	}
	return r
}

func (w *world) Close() error { return nil }

func (w *world) Hooks() check.Hooks {
	return check.Hooks{Amendments: func() []check.Amendment { return w.amend }}
}

var (
	refused = check.New(check.Temporary, "timeout", "no answer")
	busy503 = check.New(check.Temporary, "http-503", "busy")
)

// options are those of NewOptions, changed.
func options(p check.Prober, change func(*Options)) Options {
	o := NewOptions(p)
	change(&o)
	return o
}

// newStore makes a store with links.
func newStore(t testing.TB, urls ...string) *store.Store {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "s.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	addLinks(t, st, urls...)
	return st
}

func addLinks(t testing.TB, st *store.Store, urls ...string) {
	t.Helper()
	in, err := st.BeginIngest(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var list []store.Mention
	for i, u := range urls {
		list = append(list, store.Mention{Raw: u, URL: u, Line: i + 1})
	}
	if err := in.Add(store.Step{Whole: []store.Source{{Path: "list"}}, Batches: []*store.Batch{store.Prepare("list", list, nil)}}); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Finish(); err != nil {
		t.Fatal(err)
	}
}

func stateOf(t testing.TB, st *store.Store, url string) store.Link {
	t.Helper()
	l, found, err := st.Find(url)
	if err != nil || !found {
		t.Fatalf("%s: found %v, %v", url, found, err)
	}
	return l
}

func urls(hosts, each int) (list []string) {
	for h := range hosts {
		for i := range each {
			list = append(list, fmt.Sprintf("http://h%03d.test.net/%d", h, i))
		}
	}
	return list
}

func TestOneConnectionAndAGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(3, 5)...)
		w := &world{took: func(string) time.Duration { return 300 * time.Millisecond }}
		sum, err := Check(t.Context(), st, options(w, func(o *Options) { o.HostDelay = time.Second }))
		if err != nil || sum.Checked != 15 {
			t.Fatalf("%+v, %v", sum, err)
		}
		last := map[string]time.Time{}
		for _, c := range w.visits {
			if at, ok := last[c.host]; ok && c.at.Sub(at) < 1300*time.Millisecond {
				t.Errorf("%s asked again after %v", c.host, c.at.Sub(at))
			}
			last[c.host] = c.at
		}
		for h, n := range w.most {
			if n != 1 {
				t.Errorf("%s: %d at once", h, n)
			}
		}
		for i := range 3 { // breadth first: every host once before any twice
			if slices.ContainsFunc(w.visits[:i], func(c call) bool { return c.host == w.visits[i].host }) {
				t.Errorf("order of visits: %v", w.visits[:3])
			}
		}
	})
}

// Where several may be asked of a host at a time, they begin with its gap between
// them. To look for its address takes none.
func TestSeveralAtOnceKeepTheGap(t *testing.T) {
	route := func(context.Context, string) (netguard.Route, error) {
		return netguard.Route{Addrs: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:80")}}, nil
	}
	for _, perHost := range []int{2, 3} {
		synctest.Test(t, func(t *testing.T) {
			st := newStore(t, urls(1, 9)...)
			w := &world{took: func(string) time.Duration { return 5 * time.Second }}
			begin := time.Now()
			if _, err := Check(t.Context(), st, options(w, func(o *Options) { o.PerHost, o.HostDelay, o.Route = perHost, time.Second, route })); err != nil {
				t.Fatal(err)
			}
			if len(w.visits) != 9 || w.most["h000.test.net"] != perHost || !w.visits[0].at.Equal(begin) {
				t.Fatalf("%d probes from %v, %v at a time", len(w.visits), w.visits[0].at.Sub(begin), w.most)
			}
			for i := range w.visits[1:] {
				if gap := w.visits[i+1].at.Sub(w.visits[i].at); gap < time.Second {
					t.Errorf("probe %d began %v after the one before", i+1, gap)
				}
			}
		})
	}
}

func TestNamesOfOneAddressTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(4, 3)...)
		w := &world{took: func(string) time.Duration { return 100 * time.Millisecond }}
		route := func(_ context.Context, addr string) (netguard.Route, error) {
			ip := netip.MustParseAddrPort("192.0.2.1:80")
			if strings.HasPrefix(addr, "h003") {
				ip = netip.MustParseAddrPort("192.0.2.9:80")
			}
			return netguard.Route{Addrs: []netip.AddrPort{ip}}, nil
		}
		if _, err := Check(t.Context(), st, options(w, func(o *Options) { o.HostDelay, o.Route = time.Second, route })); err != nil {
			t.Fatal(err)
		}
		var last time.Time
		n := 0
		for _, c := range w.visits {
			if c.host == "h003.test.net" {
				continue
			}
			if n++; n > 1 && c.at.Sub(last) < 1100*time.Millisecond {
				t.Errorf("visit %d of the address after %v", n, c.at.Sub(last))
			}
			last = c.at
		}
		if n != 9 {
			t.Errorf("%d visits", n)
		}
	})
}

func TestWaitingHoldsNoWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(50, 3)...)
		w := &world{took: func(string) time.Duration { return 10 * time.Millisecond }}
		begin := time.Now()
		if _, err := Check(t.Context(), st, options(w, func(o *Options) { o.Workers, o.HostDelay = 2, 10*time.Second })); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took > 22*time.Second {
			t.Errorf("150 links took %v; two gaps of 10 s are the ideal", took)
		}
	})
}

func TestRetryOfWeakFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, "http://a.test.net/once", "http://a.test.net/always", "http://a.test.net/gone")
		w := &world{answer: func(_, path string, n int) check.Result {
			switch {
			case path == "/gone":
				return check.New(check.Gone, "http-404", "")
			case path == "/once" && n > 0:
				return check.New(check.OK, "http-200", "")
			}
			return busy503
		}}
		sum, err := Check(t.Context(), st, NewOptions(w))
		if err != nil || sum.Retried != 2 || sum.Checked != 3 {
			t.Fatalf("%+v, %v", sum, err)
		}
		if l := stateOf(t, st, "http://a.test.net/once"); l.State != judge.Alive || l.Last.Attempts != 2 {
			t.Errorf("once: %+v", l)
		}
		if l := stateOf(t, st, "http://a.test.net/always"); l.State != judge.Failing || l.Strikes != 1 || l.Last.Attempts != 2 {
			t.Errorf("always: %+v", l)
		}
		if w.count["http://a.test.net/gone"] != 1 {
			t.Error("a plain no was asked twice")
		}
		times := map[string][]time.Time{}
		for _, c := range w.visits {
			times[c.path] = append(times[c.path], c.at)
		}
		if d := times["/once"][1].Sub(times["/once"][0]); d < time.Minute {
			t.Errorf("tried again after %v", d)
		}
	})
}

func TestHostThatAsksToBeLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(2, 4)...)
		w := &world{answer: func(host, _ string, _ int) check.Result {
			r := check.New(check.OK, "http-200", "")
			if host == "h000.test.net" {
				r = check.New(check.Blocked, "http-429", "")
				r.RetryAfter = 36 * time.Hour
			}
			return r
		}}
		sum, err := Check(t.Context(), st, NewOptions(w))
		if err != nil || sum.Checked != 5 || sum.BackedOff != 3 || w.count["http://h000.test.net/1"] != 0 {
			t.Fatalf("%+v, %v", sum, err)
		}
		asked := len(w.visits)
		for _, wait := range []time.Duration{24 * time.Hour, 11 * time.Hour} { // 35 h in all
			time.Sleep(wait)
			if _, err := Check(t.Context(), st, options(w, func(o *Options) { o.Filter = store.Filter{All: true, Host: "h000.test.net"} })); err != nil {
				t.Fatal(err)
			}
		}
		if len(w.visits) != asked {
			t.Error("the host was asked before its time")
		}
		time.Sleep(2 * time.Hour)
		if sum, err = Check(t.Context(), st, NewOptions(w)); err != nil || sum.Checked != 1 {
			t.Errorf("after its time: %+v, %v", sum, err)
		}
	})
}

func TestTimeIsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(1, 100)...)
		w := &world{took: func(string) time.Duration { return 100 * time.Millisecond }}
		sum, err := Check(t.Context(), st, options(w, func(o *Options) { o.MaxDuration = time.Minute }))
		if !errors.Is(err, ErrUnfinished) || sum.Checked < 25 || sum.Checked > 32 || sum.Left != 100-sum.Checked {
			t.Fatalf("%+v, %v", sum, err)
		}
		if sum, err = Check(t.Context(), st, options(w, func(o *Options) { o.HostDelay = 0 })); err != nil || len(w.visits) != 100 {
			t.Errorf("the next run: %+v, %v, %d probes in all", sum, err, len(w.visits))
		}
	})
}

func TestInterruptKeepsWhatWasDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(1, 100)...)
		w := &world{took: func(string) time.Duration { return 100 * time.Millisecond }}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		sum, err := Check(ctx, st, NewOptions(w))
		if !errors.Is(err, context.DeadlineExceeded) || sum.Checked < 10 {
			t.Fatalf("%+v, %v", sum, err)
		}
		if n := sum.Run.States["alive"]; n != sum.Checked {
			t.Errorf("%d alive of %d", n, sum.Checked)
		}
	})
}

// What is interrupted in the middle of a probe has learned nothing.
func TestInterruptedProbeIsNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(3, 2)...)
		w := &world{took: func(string) time.Duration { return time.Hour }}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		sum, err := Check(ctx, st, NewOptions(w))
		if !errors.Is(err, context.DeadlineExceeded) || sum.Checked != 0 || len(w.visits) != 3 {
			t.Fatalf("%+v, %v after %d probes", sum, err, len(w.visits))
		}
		for e, err := range st.Scan(store.Pick{}) {
			l := e.Link
			if err != nil || l.Checks != 0 || l.State != judge.New {
				t.Errorf("%+v, %v", l, err)
			}
		}
	})
}

func TestAmendmentsReachTheFirstOnesToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, "http://a.test.net/1", "http://a.test.net/2", "http://a.test.net/3")
		w := &world{answer: func(_, path string, _ int) check.Result {
			r := check.New(check.OK, "http-200", "")
			r.FinalURL = "http://a.test.net/home"
			return r
		}}
		for i := range 3 {
			w.amend = append(w.amend, check.Amendment{URI: fmt.Sprintf("http://a.test.net/%d", i+1),
				Outcome: check.Suspect, Reason: "redirect-sink", Evidence: check.Weak})
		}
		if _, err := Check(t.Context(), st, NewOptions(w)); err != nil {
			t.Fatal(err)
		}
		if l := stateOf(t, st, "http://a.test.net/1"); l.State != judge.Suspect || l.Last.Reason != "redirect-sink" {
			t.Errorf("%+v", l)
		}
	})
}

// One fetch serves all fragments of a page, be they looked for or not.
func TestFragmentsShareAProbe(t *testing.T) {
	list := []string{"http://a.test.net/p#one", "http://a.test.net/p", "http://a.test.net/p#two", "http://a.test.net/q#x", "http://a.test.net/q#y"}
	for _, each := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			st := newStore(t, list...)
			links := 0
			for range st.Scan(store.Pick{}) {
				links++
			}
			w := &world{answer: func(string, string, int) check.Result {
				r := check.New(check.OK, "http-200", "")
				if each {
					r.Anchors = map[string]bool{"one": true, "x": true}
				}
				return r
			}}
			sum, err := Check(t.Context(), st, options(w, func(o *Options) { o.Fragments = each }))
			const want = 2
			if err != nil || sum.Checked != links || len(w.visits) != want {
				t.Errorf("fragments looked for %v: %d kept after %d probes, %v", each, sum.Checked, len(w.visits), err)
			}
			for _, u := range list {
				l := stateOf(t, st, u)
				lacks := slices.Contains(l.Last.Flags, string(check.FlagFragmentMissing))
				if want := each && (strings.HasSuffix(u, "#two") || strings.HasSuffix(u, "#y")); l.State != judge.Alive || lacks != want {
					t.Errorf("%s: %s, place missing %v, want %v", u, l.State, lacks, want)
				}
			}
		})
	}
}

// What is kept is reported with the link's own URL, whatever link was probed for it.
func TestKeptByURL(t *testing.T) {
	list := []string{"http://a.test.net/p", "http://a.test.net/p#one", "http://a.test.net/p#two", "http://a.test.net/q#x", "http://a.test.net/q#y", "http://a.test.net/weak", "http://a.test.net/moved"}
	synctest.Test(t, func(t *testing.T) {
		w := &world{answer: func(_, path string, _ int) check.Result {
			r := check.New(check.OK, "http-200", "")
			switch path {
			case "/weak":
				return busy503
			case "/moved":
				r.FinalURL = "http://a.test.net/home"
			}
			return r
		}}
		var kept []string
		sum, err := Check(t.Context(), newStore(t, list...), options(w, func(o *Options) {
			o.Kept = func(url string, _ check.Result) { kept = append(kept, url) }
		}))
		slices.Sort(kept)
		slices.Sort(list)
		if err != nil || sum.Checked != len(list) || !slices.Equal(kept, list) {
			t.Errorf("%d kept as %q, %v", sum.Checked, kept, err)
		}
	})
}
