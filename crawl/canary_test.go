package crawl

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/uri"
)

// withCanaries are the usual options with links known to be good.
func withCanaries(t *testing.T, p check.Prober, list ...string) Options {
	return options(p, func(o *Options) {
		for _, s := range list {
			u, err := uri.Parse(s)
			if err != nil {
				t.Fatal(err)
			}
			o.Canaries = append(o.Canaries, u)
		}
	})
}

const canary1, canary2 = "http://canary1.test.net/", "http://www.canary2.test.net/x"

// Canaries are asked before all others. Where none is there nothing is asked and nothing
// counts; where some are not it is told (OUTCOMES 5.1.6d).
func TestCanaries(t *testing.T) {
	gone := check.New(check.Gone, "http-404", "")
	led := func(to string) check.Result {
		r := found
		r.FinalURL = to
		return r
	}
	for _, tt := range []struct {
		name     string
		one, two check.Result
		failed   int
	}{
		{"both are there", found, found, 0},
		{"one has moved, and one leads to its site's other name", check.New(check.Moved, "http-301", ""), led("https://canary2.test.net/x"), 0},
		{"one is gone", gone, found, 1},
		{"one is not reached", found, tcpNo, 1},
		{"one leads elsewhere", led("http://portal.test.net/login"), found, 1},
		{"both lead elsewhere", led("http://portal.test.net/login"), led("http://portal.test.net/login"), 2},
		{"neither is there", tcpMute, nxdomain, 2},
		{"neither has its page", gone, check.New(check.Suspect, check.ReasonSoft404, ""), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStore(t, urls(4, 1)...)
				w := &world{answer: func(host, _ string, _ int) check.Result {
					switch host {
					case "canary1.test.net":
						return tt.one
					case "www.canary2.test.net":
						return tt.two
					}
					return tcpNo
				}}
				sum, err := Check(t.Context(), st, withCanaries(t, w, canary1, canary2))
				if down := tt.failed == 2; errors.Is(err, ErrNetworkDown) != down || sum.Run.Distrusted != down || down != (sum.Checked == 0) {
					t.Errorf("%v, %d checked", err, sum.Checked)
				}
				if len(sum.Run.FailedCanaries) != tt.failed || sum.Run.Canaries != 2 {
					t.Errorf("%d canaries, failed: %q", sum.Run.Canaries, sum.Run.FailedCanaries)
				}
				if !strings.HasPrefix(w.visits[0].host, "canary1") || !strings.HasPrefix(w.visits[1].host, "www.canary2") {
					t.Errorf("asked first: %v", w.visits[:2])
				}
				if _, found, err := st.Find(canary1); found || err != nil {
					t.Errorf("a canary in the store: %v", err)
				}
			})
		})
	}
}

// Four hosts are too few to tell by themselves that our network is down. Their failures
// count only where a canary is there at the end too.
func TestCanariesTellOfFewHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := livedOnce(t, urls(4, 1))
		down, asked := true, 0
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if strings.HasPrefix(host, "canary") {
				if asked++; down && asked > 1 {
					return tcpMute
				}
				return found
			}
			return tcpMute
		}}
		sum, err := Check(t.Context(), st, withCanaries(t, w, canary1))
		if !errors.Is(err, ErrNetworkDown) || sum.Run.Outcomes["internal"] != 4 || strikes(t, st) != 0 {
			t.Errorf("the network goes: %v, %v", err, sum.Run.Outcomes)
		}
		down = false
		sleepNight()
		if sum, err = Check(t.Context(), st, withCanaries(t, w, canary1)); err != nil || strikes(t, st) != 4 {
			t.Errorf("the network is there: %v, %v", err, sum.Run.Outcomes)
		}
	})
}

// A run that goes on asks them every five minutes, while nothing else is under way, and
// ends where none is there any more.
func TestCanariesInALongRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(1, 1000)...)
		begin := time.Now()
		w := &world{took: func(string) time.Duration { return time.Second }, answer: func(host, _ string, _ int) check.Result {
			if strings.HasPrefix(host, "canary") && time.Since(begin) > 18*time.Minute {
				return tcpMute
			}
			return found
		}}
		sum, err := Check(t.Context(), st, withCanaries(t, w, canary1))
		if !errors.Is(err, ErrNetworkDown) || sum.Checked < 250 || sum.Checked > 450 || sum.Left != 1000-sum.Checked {
			t.Errorf("%v, %d checked, %d left", err, sum.Checked, sum.Left)
		}
		var at []time.Duration
		for i, v := range w.visits {
			if strings.HasPrefix(v.host, "canary") {
				at = append(at, v.at.Sub(begin).Round(time.Minute))
				if i > 0 && v.at.Sub(w.visits[i-1].at) < time.Second {
					t.Errorf("canary asked %v after the probe before began", v.at.Sub(w.visits[i-1].at))
				}
			}
		}
		if want := []time.Duration{0, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 20 * time.Minute, 21 * time.Minute}; !slices.Equal(at, want) {
			t.Errorf("asked at %v", at)
		}
	})
}

// A run that is interrupted while it asks them says so.
func TestCanariesInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(1, 1)...)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		w := &world{took: func(string) time.Duration { return time.Minute }}
		if sum, err := Check(ctx, st, withCanaries(t, w, canary1)); !errors.Is(err, context.DeadlineExceeded) || sum.Checked != 0 {
			t.Errorf("%v, %+v", err, sum)
		}
	})
}

// Checks that share a vantage ask the canaries once, in the turns of their gates; what one
// hears of them counts for all (OUTCOMES 5.1.6d).
func TestCanariesShared(t *testing.T) {
	for _, there := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			gate, slots, v := &oneGate{}, make(chan struct{}, 4), &Vantage{}
			w := &world{took: func(string) time.Duration { return 300 * time.Millisecond }, answer: func(host, _ string, _ int) check.Result {
				if host == "canary1.test.net" && there {
					return found
				}
				return tcpNo
			}}
			var both sync.WaitGroup
			for _, host := range []string{"a.test", "b.test"} {
				both.Go(func() {
					o := withCanaries(t, w, canary1)
					o.Gates, o.Slots, o.Vantage = gate, slots, v
					sum, err := Check(t.Context(), linksOf(t, host, 2), o)
					if errors.Is(err, ErrNetworkDown) == there || sum.Run.Distrusted == there || sum.Run.Canaries != 1 || len(sum.Run.FailedCanaries) == 0 != there {
						t.Errorf("there %v: %+v, %v", there, sum.Run, err)
					}
					if there && sum.Run.Outcomes["unreachable"] != 2 || !there && sum.Checked != 0 {
						t.Errorf("there %v: %d checked, %v", there, sum.Checked, sum.Run.Outcomes)
					}
				})
			}
			both.Wait()
			canaries := 0
			for i, visit := range w.visits {
				if visit.host == "canary1.test.net" {
					canaries++
				}
				if i > 0 && visit.at.Sub(w.visits[i-1].at) < 2*time.Second {
					t.Errorf("%s was asked %v after %s", visit.host, visit.at.Sub(w.visits[i-1].at), w.visits[i-1].host)
				}
			}
			if canaries != 2 || there != (len(w.visits) > 2) { // at first and before failures count, or at first and once more
				t.Errorf("there %v: canaries were asked %d times of %d", there, canaries, len(w.visits))
			}
		})
	}
}

// twoNames is a world in which the first canary leads to another name of its site.
type twoNames struct {
	*world
	closed []string
}

func (w *twoNames) Hooks() check.Hooks {
	return check.Hooks{Start: w.start, CloseIdle: func(host string) { w.closed = append(w.closed, host) }}
}

func (w *twoNames) start(ctx context.Context, t check.Target) (check.Result, *check.Continuation) {
	r := w.Probe(ctx, t)
	if t.URI.String() != canary1 {
		return r, nil
	}
	next, err := uri.Parse("http://www.canary1.test.net/")
	if err != nil {
		panic(err)
	}
	return check.Result{}, &check.Continuation{URI: next, Run: func(ctx context.Context) (check.Result, *check.Continuation) {
		r := w.Probe(ctx, check.Target{URI: next})
		r.FinalURL = next.String()
		return r, nil
	}}
}

// A canary that leads to another name of its site is asked there in a visit of its own, and
// no session with either is kept.
func TestCanaryRedirected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &twoNames{world: &world{}}
		sum, err := Check(t.Context(), newStore(t), withCanaries(t, w, canary1))
		if err != nil || sum.Run.Canaries != 1 || len(sum.Run.FailedCanaries) > 0 {
			t.Errorf("%v, %+v", err, sum.Run)
		}
		if want := []string{"canary1.test.net", "www.canary1.test.net"}; !slices.Equal(w.closed, want) || len(w.visits) != 2 {
			t.Errorf("closed %q after %v, want %q", w.closed, w.visits, want)
		}
	})
}
