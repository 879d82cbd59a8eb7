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
	r.At, r.Attempts = begin, 1
	return r
}

func (w *world) Close() error { return nil }

func (w *world) Finish() []check.Amendment { return w.amend }

var (
	refused = check.New(check.Temporary, "timeout", "no answer")
	busy503 = check.New(check.Temporary, "http-503", "busy")
)

// shelf makes a store with links.
func shelf(t testing.TB, urls ...string) *store.Store {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "s.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	put(t, st, urls...)
	return st
}

func put(t testing.TB, st *store.Store, urls ...string) {
	t.Helper()
	in, err := st.BeginIngest(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var list []store.Mention
	for i, u := range urls {
		list = append(list, store.Mention{Raw: u, URL: u, Line: i + 1})
	}
	if err := in.Add([]store.Source{{Path: "list"}}, store.Prepare("list", list)); err != nil {
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
		st := shelf(t, urls(3, 5)...)
		w := &world{took: func(string) time.Duration { return 300 * time.Millisecond }}
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w, HostDelay: time.Second})
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
	route := func(context.Context, string) (check.Route, error) {
		return check.Route{Addrs: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:80")}}, nil
	}
	for _, perHost := range []int{2, 3} {
		synctest.Test(t, func(t *testing.T) {
			st := shelf(t, urls(1, 9)...)
			w := &world{took: func(string) time.Duration { return 5 * time.Second }}
			begin := time.Now()
			if _, err := Check(t.Context(), st, CheckOptions{Prober: w, PerHost: perHost, HostDelay: time.Second, Route: route}); err != nil {
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
		st := shelf(t, urls(4, 3)...)
		w := &world{took: func(string) time.Duration { return 100 * time.Millisecond }}
		route := func(_ context.Context, addr string) (check.Route, error) {
			ip := netip.MustParseAddrPort("192.0.2.1:80")
			if strings.HasPrefix(addr, "h003") {
				ip = netip.MustParseAddrPort("192.0.2.9:80")
			}
			return check.Route{Addrs: []netip.AddrPort{ip}}, nil
		}
		if _, err := Check(t.Context(), st, CheckOptions{Prober: w, HostDelay: time.Second, Route: route}); err != nil {
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
		st := shelf(t, urls(50, 3)...)
		w := &world{took: func(string) time.Duration { return 10 * time.Millisecond }}
		begin := time.Now()
		if _, err := Check(t.Context(), st, CheckOptions{Prober: w, Workers: 2, HostDelay: 10 * time.Second}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took > 22*time.Second {
			t.Errorf("150 links took %v; two gaps of 10 s are the ideal", took)
		}
	})
}

func TestRetryOfWeakFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, "http://a.test.net/once", "http://a.test.net/always", "http://a.test.net/gone")
		w := &world{answer: func(_, path string, n int) check.Result {
			switch {
			case path == "/gone":
				return check.New(check.Gone, "http-404", "")
			case path == "/once" && n > 0:
				return check.New(check.OK, "http-200", "")
			}
			return busy503
		}}
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w})
		if err != nil || sum.Retried != 2 || sum.Checked != 3 {
			t.Fatalf("%+v, %v", sum, err)
		}
		if l := stateOf(t, st, "http://a.test.net/once"); l.State != store.Alive || l.Last.Attempts != 2 {
			t.Errorf("once: %+v", l)
		}
		if l := stateOf(t, st, "http://a.test.net/always"); l.State != store.Failing || l.Strikes != 1 || l.Last.Attempts != 2 {
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

func TestOwnNetworkDown(t *testing.T) {
	tests := []struct {
		name        string
		hosts, down int
		want        error
	}{
		{"20 hosts, half of them down", 20, 10, ErrNetworkDown},
		{"20 hosts, nine down", 20, 9, nil},
		{"5 hosts, all down", 5, 5, ErrNetworkDown},
		{"5 hosts, four down", 5, 4, nil},
		{"4 hosts, all down", 4, 4, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := shelf(t, urls(tt.hosts, 2)...)
				if _, err := Check(t.Context(), st, CheckOptions{Prober: &world{}}); err != nil {
					t.Fatal(err)
				}
				w := &world{answer: func(host, _ string, _ int) check.Result {
					if host < fmt.Sprintf("h%03d", tt.down) {
						return refused
					}
					return check.New(check.OK, "http-200", "")
				}}
				time.Sleep(8 * 24 * time.Hour)
				sum, err := Check(t.Context(), st, CheckOptions{Prober: w})
				if !errors.Is(err, tt.want) {
					t.Fatalf("got %v, want %v", err, tt.want)
				}
				for l, err := range st.Links() {
					if err != nil {
						t.Fatal(err)
					}
					if tt.want != nil && (l.Strikes != 0 || l.State != store.Alive) {
						t.Errorf("%s: %s with %d strikes", l.URL, l.State, l.Strikes)
					}
				}
				if tt.want != nil && sum.Run.Outcomes["internal"] == 0 {
					t.Errorf("outcomes %v", sum.Run.Outcomes)
				}
			})
		})
	}
}

// TestSomeHostsDownAtFirst: eleven of 24 hosts refuse, and refusals come before
// all else. That is not half of the hosts (OUTCOMES 5.1.6).
func TestSomeHostsDownAtFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, urls(24, 1)...)
		if _, err := Check(t.Context(), st, CheckOptions{Prober: &world{}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(8 * 24 * time.Hour)
		refuses := func(host string) bool { return host < "h011" }
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if refuses(host) {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}, took: func(host string) time.Duration {
			if refuses(host) {
				return 0
			}
			return time.Second
		}}
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w})
		if err != nil || sum.Run.Outcomes["temporary"] != 11 || sum.Run.Outcomes["ok"] != 13 {
			t.Errorf("%v, %v", sum.Run.Outcomes, err)
		}
	})
}

// TestHostsKnownToBeDown: forty hosts that failed before fail again, beside twenty
// that answer. Only those that lived tell of our network (OUTCOMES 5.1.6).
func TestHostsKnownToBeDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, urls(60, 1)...)
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if host < "h040" {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}}
		for night := range 2 {
			sum, err := Check(t.Context(), st, CheckOptions{Prober: w})
			if err != nil || sum.Run.Outcomes["temporary"] != 40 || sum.Run.Outcomes["ok"] != 20 {
				t.Errorf("night %d: %v, %v", night, sum.Run.Outcomes, err)
			}
			time.Sleep(8 * 24 * time.Hour)
		}
	})
}

// TestFewHostsDown: all of five hosts that lived fail, beside three that failed
// before: our network is down, whatever those say (OUTCOMES 5.1.6).
func TestFewHostsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, urls(8, 1)...)
		alive := "h003"
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if host < alive {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}}
		if _, err := Check(t.Context(), st, CheckOptions{Prober: w}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(8 * 24 * time.Hour)
		alive = "i"
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w})
		if !errors.Is(err, ErrNetworkDown) || sum.Run.Outcomes["internal"] != 8 {
			t.Errorf("%v, %v", sum.Run.Outcomes, err)
		}
	})
}

// TestHostsThatFallSilent: twenty hosts in a row that fail, and nobody heard since,
// end the run; nineteen do not (OUTCOMES 5.1.6). A resolver that knows no name is
// no host that was heard.
func TestHostsThatFallSilent(t *testing.T) {
	for silent, want := range map[int]error{manyHosts - 1: nil, manyHosts: ErrNetworkDown} {
		synctest.Test(t, func(t *testing.T) {
			st := shelf(t, urls(100, 1)...)
			if _, err := Check(t.Context(), st, CheckOptions{Prober: &world{}}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(8 * 24 * time.Hour)
			lost := func(host string) bool { return host >= fmt.Sprintf("h%03d", 100-silent) }
			nameless := func(host string) bool { return host < "h030" }
			w := &world{answer: func(host, _ string, _ int) check.Result {
				switch {
				case lost(host):
					return refused
				case nameless(host):
					return check.New(check.Unreachable, "dns-nxdomain", "no such host").With(check.Strong)
				}
				return check.New(check.OK, "http-200", "")
			}, took: func(host string) time.Duration {
				switch {
				case lost(host):
					return time.Minute
				case nameless(host):
					return time.Minute - time.Second
				}
				return time.Second
			}}
			sum, err := Check(t.Context(), st, CheckOptions{Prober: w, Workers: 100, NoRetry: true})
			if !errors.Is(err, want) || sum.Run.Outcomes["ok"] != 70-silent {
				t.Errorf("%d hosts: %v, %v", silent, sum.Run.Outcomes, err)
			}
		})
	}
}

// TestFailuresAmongAnswers: every third of a hundred hosts fails, and others are
// heard all the time: our network is there, however many fail in all.
func TestFailuresAmongAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, urls(100, 1)...)
		if _, err := Check(t.Context(), st, CheckOptions{Prober: &world{}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(8 * 24 * time.Hour)
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if host[3]%3 == 0 {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}, took: func(string) time.Duration { return 10 * time.Second }}
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w, Workers: 2})
		if err != nil || sum.Run.Outcomes["temporary"] < manyHosts {
			t.Errorf("%v, %v", sum.Run.Outcomes, err)
		}
	})
}

// TestQuietEndIsTriedAgain: the last quarter of a hundred hosts fails at the very
// end. That nobody was heard while the retry waited says nothing of our network.
func TestQuietEndIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, urls(100, 1)...)
		if _, err := Check(t.Context(), st, CheckOptions{Prober: &world{}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(8 * 24 * time.Hour)
		late := func(host string) bool { return host >= "h075" }
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if late(host) {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}, took: func(host string) time.Duration {
			if late(host) {
				return 2 * time.Second
			}
			return 0
		}}
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w})
		if err != nil || sum.Retried != 25 || sum.Run.Outcomes["temporary"] != 25 || sum.Run.Outcomes["ok"] != 75 {
			t.Errorf("%d tried again, %v, %v", sum.Retried, sum.Run.Outcomes, err)
		}
	})
}

// TestNetworkCutInTheRun: the network goes when three quarters of the hosts have
// answered; those that failed since take no strike (OUTCOMES section 6, story 9).
func TestNetworkCutInTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, urls(200, 1)...)
		if _, err := Check(t.Context(), st, CheckOptions{Prober: &world{}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(8 * 24 * time.Hour)
		cut := func(host string) bool { return host >= "h150" }
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if cut(host) {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}, took: func(host string) time.Duration {
			if cut(host) {
				return 20 * time.Second
			}
			return time.Second
		}}
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w})
		if !errors.Is(err, ErrNetworkDown) || sum.Run.Outcomes["ok"] != 150 || sum.Run.Outcomes["temporary"] != 0 || sum.Run.Outcomes["internal"] < manyHosts {
			t.Errorf("%v, %v", sum.Run.Outcomes, err)
		}
	})
}

func TestHostOutageIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, append(urls(2, 3), "http://two.test.net/1", "http://two.test.net/2")...) // two links are too few
		w := &world{answer: func(host, path string, _ int) check.Result {
			if host != "h001.test.net" || path == "/0" {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}}
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w})
		if err != nil || !slices.Equal(sum.Run.Outages, []string{"h000.test.net"}) {
			t.Errorf("outages %v, %v", sum.Run.Outages, err)
		}
	})
}

func TestAVanishedHostCostsThreeProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, urls(1, 40)...)
		w := &world{answer: func(string, string, int) check.Result {
			return check.New(check.Unreachable, "tcp-refused", "connection refused")
		}}
		begin := time.Now()
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w, HostDelay: time.Minute, RetryDelay: time.Minute})
		if took := time.Since(begin); took > 8*time.Minute {
			t.Errorf("what is not asked waits for no gap, and the run took %v", took)
		}
		if err != nil || sum.Checked != 40 || len(w.visits) != 6 {
			t.Errorf("%d kept after %d probes, %v", sum.Checked, len(w.visits), err)
		}
		if l := stateOf(t, st, "http://h000.test.net/39"); l.State != store.Failing || l.Last.Reason != "tcp-refused" {
			t.Errorf("%+v", l)
		}
	})
}

func TestHostThatAsksToBeLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, urls(2, 4)...)
		w := &world{answer: func(host, _ string, _ int) check.Result {
			r := check.New(check.OK, "http-200", "")
			if host == "h000.test.net" {
				r = check.New(check.Blocked, "http-429", "")
				r.RetryAfter = 36 * time.Hour
			}
			return r
		}}
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w})
		if err != nil || sum.Checked != 5 || sum.Resting != 3 || w.count["http://h000.test.net/1"] != 0 {
			t.Fatalf("%+v, %v", sum, err)
		}
		asked := len(w.visits)
		for _, wait := range []time.Duration{24 * time.Hour, 11 * time.Hour} { // 35 h in all
			time.Sleep(wait)
			if _, err := Check(t.Context(), st, CheckOptions{Prober: w, Filter: store.Filter{All: true, Host: "h000.test.net"}}); err != nil {
				t.Fatal(err)
			}
		}
		if len(w.visits) != asked {
			t.Error("the host was asked before its time")
		}
		time.Sleep(2 * time.Hour)
		if sum, err = Check(t.Context(), st, CheckOptions{Prober: w}); err != nil || sum.Checked != 1 {
			t.Errorf("after its time: %+v, %v", sum, err)
		}
	})
}

func TestTimeIsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, urls(1, 100)...)
		w := &world{took: func(string) time.Duration { return 100 * time.Millisecond }}
		sum, err := Check(t.Context(), st, CheckOptions{Prober: w, MaxDuration: time.Minute})
		if !errors.Is(err, ErrUnfinished) || sum.Checked < 25 || sum.Checked > 32 || sum.Left != 100-sum.Checked {
			t.Fatalf("%+v, %v", sum, err)
		}
		if sum, err = Check(t.Context(), st, CheckOptions{Prober: w, HostDelay: -1}); err != nil || len(w.visits) != 100 {
			t.Errorf("the next run: %+v, %v, %d probes in all", sum, err, len(w.visits))
		}
	})
}

func TestInterruptKeepsWhatWasDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, urls(1, 100)...)
		w := &world{took: func(string) time.Duration { return 100 * time.Millisecond }}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		sum, err := Check(ctx, st, CheckOptions{Prober: w})
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
		st := shelf(t, urls(3, 2)...)
		w := &world{took: func(string) time.Duration { return time.Hour }}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		sum, err := Check(ctx, st, CheckOptions{Prober: w})
		if !errors.Is(err, context.DeadlineExceeded) || sum.Checked != 0 || len(w.visits) != 3 {
			t.Fatalf("%+v, %v after %d probes", sum, err, len(w.visits))
		}
		for l, err := range st.Links() {
			if err != nil || l.Checks != 0 || l.State != store.New {
				t.Errorf("%+v, %v", l, err)
			}
		}
	})
}

func TestAmendmentsReachTheFirstOnesToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := shelf(t, "http://a.test.net/1", "http://a.test.net/2", "http://a.test.net/3")
		w := &world{answer: func(_, path string, _ int) check.Result {
			r := check.New(check.OK, "http-200", "")
			r.FinalURL = "http://a.test.net/home"
			return r
		}}
		for i := range 3 {
			w.amend = append(w.amend, check.Amendment{URI: fmt.Sprintf("http://a.test.net/%d", i+1),
				Outcome: check.Suspect, Reason: "redirect-sink", Evidence: check.Weak})
		}
		if _, err := Check(t.Context(), st, CheckOptions{Prober: w}); err != nil {
			t.Fatal(err)
		}
		if l := stateOf(t, st, "http://a.test.net/1"); l.State != store.SuspectState || l.Last.Reason != "redirect-sink" {
			t.Errorf("%+v", l)
		}
	})
}

func TestFragmentsShareAProbe(t *testing.T) {
	list := []string{"http://a.test.net/p#one", "http://a.test.net/p", "http://a.test.net/p#two", "http://a.test.net/q#x", "http://a.test.net/q#y"}
	for _, each := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			st := shelf(t, list...)
			links := 0
			for range st.Links() {
				links++
			}
			w := &world{}
			sum, err := Check(t.Context(), st, CheckOptions{Prober: w, Fragments: each})
			want := 2
			if each {
				want = links
			}
			if err != nil || sum.Checked != links || len(w.visits) != want {
				t.Errorf("fragments one by one %v: %d kept after %d probes, %v", each, sum.Checked, len(w.visits), err)
			}
			for _, u := range list {
				if l := stateOf(t, st, u); l.State != store.Alive {
					t.Errorf("%s: %s", u, l.State)
				}
			}
		})
	}
}

// Koha's old bug, OUTCOMES section 4: a link that comes twice is asked about once
// and answered for twice.
