package crawl

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
)

// livedOnce makes a store with links that all lived a week ago, and are due.
func livedOnce(t *testing.T, urls []string) *store.Store {
	t.Helper()
	st := newStore(t, urls...)
	if _, err := Check(t.Context(), st, NewOptions(&world{})); err != nil {
		t.Fatal(err)
	}
	time.Sleep(8 * 24 * time.Hour)
	return st
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
				st := livedOnce(t, urls(tt.hosts, 2))
				w := &world{answer: func(host, _ string, _ int) check.Result {
					if host < fmt.Sprintf("h%03d", tt.down) {
						return refused
					}
					return check.New(check.OK, "http-200", "")
				}}
				sum, err := Check(t.Context(), st, NewOptions(w))
				if !errors.Is(err, tt.want) {
					t.Fatalf("got %v, want %v", err, tt.want)
				}
				for e, err := range st.Scan(store.Pick{}) {
					l := e.Link
					if err != nil {
						t.Fatal(err)
					}
					if tt.want != nil && (l.Strikes != 0 || l.State != judge.Alive) {
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
		st := livedOnce(t, urls(24, 1))
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
		sum, err := Check(t.Context(), st, NewOptions(w))
		if err != nil || sum.Run.Outcomes["temporary"] != 11 || sum.Run.Outcomes["ok"] != 13 {
			t.Errorf("%v, %v", sum.Run.Outcomes, err)
		}
	})
}

// TestHostsKnownToBeDown: forty hosts that failed before fail again, beside twenty
// that answer. Only those that lived tell of our network (OUTCOMES 5.1.6).
func TestHostsKnownToBeDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(60, 1)...)
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if host < "h040" {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}}
		for night := range 2 {
			sum, err := Check(t.Context(), st, NewOptions(w))
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
		st := newStore(t, urls(8, 1)...)
		alive := "h003"
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if host < alive {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}}
		if _, err := Check(t.Context(), st, NewOptions(w)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(8 * 24 * time.Hour)
		alive = "i"
		sum, err := Check(t.Context(), st, NewOptions(w))
		if !errors.Is(err, ErrNetworkDown) || sum.Run.Outcomes["internal"] != 8 {
			t.Errorf("%v, %v", sum.Run.Outcomes, err)
		}
	})
}

// TestHostsThatFallSilent: twenty hosts in a row that fail, and nobody answered since,
// end the run; nineteen do not (OUTCOMES 5.1.6). A resolver that knows no name is
// no host that answered.
func TestHostsThatFallSilent(t *testing.T) {
	for silent, want := range map[int]error{manyHosts - 1: nil, manyHosts: ErrNetworkDown} {
		synctest.Test(t, func(t *testing.T) {
			st := livedOnce(t, urls(100, 1))
			lost := func(host string) bool { return host >= fmt.Sprintf("h%03d", 100-silent) }
			nameless := func(host string) bool { return host < "h030" }
			w := &world{answer: func(host, _ string, _ int) check.Result {
				switch {
				case lost(host):
					return refused
				case nameless(host):
					return check.New(check.Unreachable, "dns-nxdomain", "no such host").WithEvidence(check.Strong)
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
			sum, err := Check(t.Context(), st, options(w, func(o *Options) { o.Workers, o.NoRetry = 100, true }))
			if !errors.Is(err, want) || sum.Run.Outcomes["ok"] != 70-silent {
				t.Errorf("%d hosts: %v, %v", silent, sum.Run.Outcomes, err)
			}
		})
	}
}

// TestFailuresAmongAnswers: every third of a hundred hosts fails, and others are
// answer all the time: our network is there, however many fail in all.
func TestFailuresAmongAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := livedOnce(t, urls(100, 1))
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if host[3]%3 == 0 {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}, took: func(string) time.Duration { return 10 * time.Second }}
		sum, err := Check(t.Context(), st, options(w, func(o *Options) { o.Workers = 2 }))
		if err != nil || sum.Run.Outcomes["temporary"] < manyHosts {
			t.Errorf("%v, %v", sum.Run.Outcomes, err)
		}
	})
}

// TestQuietEndIsTriedAgain: the last quarter of a hundred hosts fails at the very
// end. That nobody answered while the retry waited says nothing of our network.
func TestQuietEndIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := livedOnce(t, urls(100, 1))
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
		sum, err := Check(t.Context(), st, NewOptions(w))
		if err != nil || sum.Retried != 25 || sum.Run.Outcomes["temporary"] != 25 || sum.Run.Outcomes["ok"] != 75 {
			t.Errorf("%d tried again, %v, %v", sum.Retried, sum.Run.Outcomes, err)
		}
	})
}

// TestNetworkCutInTheRun: the network goes when three quarters of the hosts have
// answered; those that failed since take no strike (OUTCOMES section 6, story 9).
func TestNetworkCutInTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := livedOnce(t, urls(200, 1))
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
		sum, err := Check(t.Context(), st, NewOptions(w))
		if !errors.Is(err, ErrNetworkDown) || sum.Run.Outcomes["ok"] != 150 || sum.Run.Outcomes["temporary"] != 0 || sum.Run.Outcomes["internal"] < manyHosts {
			t.Errorf("%v, %v", sum.Run.Outcomes, err)
		}
	})
}

func TestHostOutageIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, append(urls(2, 3), "http://two.test.net/1", "http://two.test.net/2")...) // two links are too few
		w := &world{answer: func(host, path string, _ int) check.Result {
			if host != "h001.test.net" || path == "/0" {
				return refused
			}
			return check.New(check.OK, "http-200", "")
		}}
		sum, err := Check(t.Context(), st, NewOptions(w))
		if err != nil || !slices.Equal(sum.Run.Outages, []string{"h000.test.net"}) {
			t.Errorf("outages %v, %v", sum.Run.Outages, err)
		}
	})
}

func TestAVanishedHostCostsThreeProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(1, 40)...)
		w := &world{answer: func(string, string, int) check.Result {
			return check.New(check.Unreachable, "tcp-refused", "connection refused")
		}}
		begin := time.Now()
		sum, err := Check(t.Context(), st, options(w, func(o *Options) { o.HostDelay, o.RetryDelay = time.Minute, time.Minute }))
		if took := time.Since(begin); took > 8*time.Minute {
			t.Errorf("what is not asked waits for no gap, and the run took %v", took)
		}
		if err != nil || sum.Checked != 40 || len(w.visits) != 6 {
			t.Errorf("%d kept after %d probes, %v", sum.Checked, len(w.visits), err)
		}
		if l := stateOf(t, st, "http://h000.test.net/39"); l.State != judge.Failing || l.Last.Reason != "tcp-refused" {
			t.Errorf("%+v", l)
		}
	})
}
