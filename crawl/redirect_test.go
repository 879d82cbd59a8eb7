package crawl

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/uri"
)

// redirecting is a world in which the pages of one kind of host lead to a hub.
type redirecting struct {
	*world
	pace time.Duration // that the hub asks for
}

const hub = "hub.test.net"

func (w *redirecting) Hooks() check.Hooks {
	hooks := w.world.Hooks()
	hooks.Start, hooks.Gap = w.start, w.gap
	return hooks
}

func (w *redirecting) start(ctx context.Context, t check.Target) (check.Result, *check.Continuation) {
	r := w.Probe(ctx, t)
	u := t.URI.(*uri.HTTP)
	if !strings.HasPrefix(u.At.Host, "h") || u.At.Host == hub {
		return r, nil
	}
	next, err := uri.Parse("http://" + hub + "/from/" + u.At.Host + u.Path)
	if err != nil {
		panic(err)
	}
	hops := []check.Hop{{Code: 302, URL: next.String()}}
	return check.Result{Hops: hops}, &check.Continuation{URI: next, Run: func(ctx context.Context) (check.Result, *check.Continuation) {
		r := w.Probe(ctx, check.Target{URI: next})
		r.Hops, r.FinalURL = hops, next.String()
		return r, nil
	}}
}

func (w *redirecting) gap(u uri.URI, usual time.Duration) time.Duration {
	if u.(*uri.HTTP).At.Host == hub {
		return max(w.pace, usual)
	}
	return usual
}

// gapsAtHub gives the times between the ends and beginnings of visits to the hub.
func (w *redirecting) gapsAtHub(took time.Duration) (gaps []time.Duration) {
	var last time.Time
	for _, c := range w.visits {
		if c.host != hub {
			continue
		}
		if !last.IsZero() {
			gaps = append(gaps, c.at.Sub(last)-took)
		}
		last = c.at
	}
	return gaps
}

// The host to which redirects lead is asked as slowly as if the links were its
// own: one at a time, with its gap, in turn with its own links. OUTCOMES section
// 5, politeness. Whoever waits for it holds no worker.
func TestRedirectsKeepTheGapOfTheirTarget(t *testing.T) {
	const took = 100 * time.Millisecond
	for name, tc := range map[string]struct{ delay, pace, want time.Duration }{
		"host delay":  {2 * time.Second, 0, 2 * time.Second},
		"crawl delay": {2 * time.Second, 7 * time.Second, 7 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				list := append(urls(10, 2), "http://"+hub+"/a", "http://"+hub+"/b")
				for i := range 30 {
					list = append(list, fmt.Sprintf("http://s%d.test.net/", i))
				}
				w := &redirecting{&world{took: func(string) time.Duration { return took }}, tc.pace}
				begin := time.Now()
				sum, err := Check(t.Context(), newStore(t, list...), options(w, func(o *Options) { o.Workers, o.HostDelay = 2, tc.delay }))
				if err != nil || sum.Checked != len(list) {
					t.Fatalf("%+v, %v", sum, err)
				}
				gaps := w.gapsAtHub(took)
				if len(gaps) != 21 || w.most[hub] != 1 {
					t.Fatalf("%d visits to the hub, %d at a time", len(gaps)+1, w.most[hub])
				}
				for i, g := range gaps {
					if g < tc.want {
						t.Errorf("visit %d after a gap of %v", i+2, g)
					}
				}
				for _, c := range w.visits {
					if strings.HasPrefix(c.host, "s") && c.at.Sub(begin) > 4*time.Second {
						t.Errorf("%s had to wait %v for a worker", c.host, c.at.Sub(begin))
					}
				}
			})
		})
	}
}

// What the target asks for holds for the links of its own and for those led to it.
func TestRedirectTargetThatBacksOff(t *testing.T) {
	list := append(urls(5, 1), "http://"+hub+"/a")
	limited := check.New(check.Blocked, "http-429", "")
	soon, late := limited, limited
	soon.RetryAfter, late.RetryAfter = 90*time.Second, time.Hour
	for name, tc := range map[string]struct {
		first     check.Result
		gap       time.Duration
		visits    int // of the hub
		backedOff int
	}{
		"Retry-After of a minute and a half": {soon, 90 * time.Second, 6, 0},
		"Retry-After of an hour":             {late, 0, 1, 5},
		"429 without a time":                 {limited, 0, 1, 5},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				w := &redirecting{world: &world{answer: func(host, _ string, _ int) check.Result {
					if host == hub {
						if asked++; asked == 1 {
							return tc.first
						}
					}
					return check.New(check.OK, "http-200", "")
				}}}
				sum, err := Check(t.Context(), newStore(t, list...), options(w, func(o *Options) { o.Workers = 1 }))
				gaps := w.gapsAtHub(0)
				if err != nil || sum.BackedOff != tc.backedOff || sum.Left != 0 || len(gaps) != tc.visits-1 {
					t.Fatalf("%+v, %v, %d visits", sum, err, len(gaps)+1)
				}
				if len(gaps) > 0 && gaps[0] < tc.gap {
					t.Errorf("asked again after %v", gaps[0])
				}
			})
		})
	}
}

// A host that asked in an earlier night to be left alone is not asked by a detour.
func TestRedirectToAHostThatBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, "http://"+hub+"/a")
		limited := check.New(check.Blocked, "http-429", "")
		limited.RetryAfter = 30 * time.Hour
		w := &redirecting{world: &world{answer: func(string, string, int) check.Result { return limited }}}
		if _, err := Check(t.Context(), st, NewOptions(w)); err != nil {
			t.Fatal(err)
		}
		addLinks(t, st, append(urls(3, 1), "http://"+hub+"/a")...)
		w = &redirecting{world: &world{}}
		sum, err := Check(t.Context(), st, NewOptions(w))
		if err != nil || len(w.visits) != 3 || w.most[hub] != 0 || sum.BackedOff != 3 {
			t.Errorf("%+v, %v, visits %v", sum, err, w.visits)
		}
	})
}

// In later nights, too, it is the target that is left alone, not the host that
// sent us there.
func TestRedirectTargetBacksOffForNights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(2, 1)...)
		limited := check.New(check.Blocked, "http-429", "")
		limited.RetryAfter = 30 * time.Hour
		w := &redirecting{world: &world{answer: func(host, _ string, _ int) check.Result {
			if host == hub {
				return limited
			}
			return check.New(check.OK, "http-200", "")
		}}}
		if _, err := Check(t.Context(), st, NewOptions(w)); err != nil {
			t.Fatal(err)
		}
		for host, want := range map[string]bool{hub: true, "h000.test.net": false, "h001.test.net": false} {
			if got := leftAlone(st, host).After(time.Now()); got != want {
				t.Errorf("%s backs off: %v, want %v", host, got, want)
			}
		}
	})
}

// Names that share an address share its turns, those that are reached by a
// redirect too; and what fails behind a redirect says nothing about the host that
// sent us there.
func TestRedirectTargetSharesItsAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := append(urls(4, 4), "http://same.test.net/a", "http://same.test.net/b")
		w := &redirecting{world: &world{answer: func(host, _ string, _ int) check.Result {
			if host == hub {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}}}
		route := func(_ context.Context, addr string) (netguard.Route, error) {
			ip := "192.0.2.9:80"
			if strings.HasPrefix(addr, "h0") {
				ip = "192.0.2." + addr[3:4] + ":80"
			}
			return netguard.Route{Addrs: []netip.AddrPort{netip.MustParseAddrPort(ip)}}, nil
		}
		sum, err := Check(t.Context(), newStore(t, list...), options(w, func(o *Options) { o.Route, o.NoRetry = route, true }))
		if err != nil || sum.Checked != len(list) || len(sum.Run.Outages) != 0 {
			t.Fatalf("%+v, %v", sum, err)
		}
		var last time.Time
		for _, c := range w.visits {
			if c.host != hub && c.host != "same.test.net" {
				continue
			}
			if !last.IsZero() && c.at.Sub(last) < 2*time.Second {
				t.Errorf("%s asked %v after the other name of its address", c.host, c.at.Sub(last))
			}
			last = c.at
		}
	})
}

// Probe without a store keeps turns as well, and answers in order.
func TestProbeFollowsRedirectsInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &redirecting{world: &world{}}
		list := append(urls(6, 1), "http://"+hub+"/a", "http://s.test.net/")
		i := 0
		for a, err := range Probe(t.Context(), list, options(w, func(o *Options) { o.HostDelay = time.Second })) {
			if err != nil || a.URI != list[i] || a.Result.Outcome != check.OK {
				t.Errorf("%d: %+v, %v", i, a, err)
			}
			i++
		}
		gaps := w.gapsAtHub(0)
		if i != len(list) || len(gaps) != 6 {
			t.Fatalf("%d answers, %d gaps", i, len(gaps))
		}
		for _, g := range gaps {
			if g < time.Second {
				t.Errorf("a gap of %v", g)
			}
		}
	})
}

// A sink shows at the end of the run, to those who ask without a store too; what
// cannot be one is yielded at once. OUTCOMES section 1.4, http.
func TestProbeSeesSinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := []string{"http://first.test.net/", "http://a.test.net/1", "http://lone.test.net/x", "http://a.test.net/2", "http://a.test.net/3"}
		w := &world{answer: func(host, path string, _ int) check.Result {
			r := check.New(check.OK, "http-200", "")
			if path != "/" {
				r.FinalURL = "http://" + host + "/home"
			}
			return r
		}, took: func(string) time.Duration { return time.Second }}
		for i := range 3 {
			w.amend = append(w.amend, check.Amendment{URI: fmt.Sprintf("http://a.test.net/%d", i+1),
				Outcome: check.Suspect, Reason: "redirect-sink", Evidence: check.Weak})
		}
		begin, i := time.Now(), 0
		for a, err := range Probe(t.Context(), list, options(w, func(o *Options) { o.HostDelay = 0 })) {
			sink := strings.HasPrefix(a.URI, "http://a.")
			if err != nil || a.URI != list[i] || (a.Result.Reason == "redirect-sink") != sink {
				t.Errorf("%d: %+v, %v", i, a, err)
			}
			if took := time.Since(begin); (i == 0) != (took < 2*time.Second) {
				t.Errorf("%s came after %v", a.URI, took)
			}
			i++
		}
		if i != len(list) {
			t.Errorf("%d of %d answers", i, len(list))
		}
	})
}
