package crawl

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
)

// sleepNight waits for the next night.
func sleepNight() { time.Sleep(24 * time.Hour) }

// strikes counts the links that have any.
func strikes(t *testing.T, st *store.Store) (n int) {
	t.Helper()
	for e, err := range st.Scan(store.Pick{}) {
		l := e.Link
		if err != nil {
			t.Fatal(err)
		}
		if l.Strikes > 0 {
			n++
		}
	}
	return n
}

// A name server that knows no name, for seven nights, then does (OUTCOMES 5.1.6a).
func TestNoNameExists(t *testing.T) {
	for _, lie := range []check.Result{nxdomain, noAddress} {
		synctest.Test(t, func(t *testing.T) {
			lost := false
			st := newStore(t, urls(40, 2)...)
			w := &world{answer: func(string, string, int) check.Result {
				if lost {
					return lie
				}
				return found
			}}
			ask := func() (Summary, error) { return Check(t.Context(), st, NewOptions(w)) }
			if _, err := ask(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(8 * 24 * time.Hour)
			lost = true
			for night := range 7 {
				sum, err := ask()
				if !errors.Is(err, ErrNetworkDown) || lie.Evidence == check.Strong && !strings.Contains(err.Error(), "no address for 40 of 40 hosts that lived") ||
					sum.Run.Outcomes["internal"] != sum.Checked || sum.Checked < 20 || !sum.Run.Distrusted || len(sum.Run.Changes) > 0 || strikes(t, st) > 0 {
					t.Errorf("night %d: %v, %+v, %d links with strikes", night, err, sum.Run, strikes(t, st))
				}
				sleepNight()
			}
			lost = false
			sum, err := ask()
			if err != nil || sum.Run.Outcomes["ok"] != 80 || len(sum.Run.Changes) > 0 || sum.Run.Distrusted {
				t.Errorf("the night after: %v, %+v", err, sum.Run)
			}
		})
	}
}

// Half of the hosts that lived, and five at least, must lose their names in one night.
func TestNamesLost(t *testing.T) {
	for _, tt := range []struct {
		name         string
		hosts, lost  int
		want         error
		wantTomorrow error
	}{
		{"all of five", 5, 5, ErrNetworkDown, ErrNetworkDown},
		{"half of ten", 10, 5, ErrNetworkDown, ErrNetworkDown},
		{"all of four", 4, 4, nil, nil},
		{"four of eight", 8, 4, nil, nil},
		{"five of eleven", 11, 5, nil, nil},
		{"19 of 40", 40, 19, nil, nil},
		{"20 of 40", 40, 20, ErrNetworkDown, ErrNetworkDown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := livedOnce(t, urls(tt.hosts, 1))
				w := &world{answer: func(host, _ string, _ int) check.Result {
					if host < fmt.Sprintf("h%03d", tt.lost) {
						return nxdomain
					}
					return found
				}}
				for night, want := range []error{tt.want, tt.wantTomorrow} {
					sum, err := Check(t.Context(), st, NewOptions(w))
					if !errors.Is(err, want) || want == nil && sum.Run.Outcomes["unreachable"] != tt.lost {
						t.Errorf("night %d: %v, %v, want %v", night, err, sum.Run.Outcomes, want)
					}
					if struck := strikes(t, st); want != nil && struck > 0 || want == nil && struck != tt.lost {
						t.Errorf("night %d: %d links with strikes", night, struck)
					}
					sleepNight()
				}
			})
		})
	}
}

// A provider with 25 hosts is gone for good. On the first night most of what is asked is
// its; on the nights that follow others are heard, and its hosts take their strikes.
func TestAProviderIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(40, 1)...)
		theirs := func(host string) bool { return host < "h025" }
		gone := false
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if gone && theirs(host) {
				return nxdomain
			}
			return found
		}}
		if _, err := Check(t.Context(), st, NewOptions(w)); err != nil {
			t.Fatal(err)
		}
		for day := 1; day < 7; day++ { // others, a few each night
			sleepNight()
			list := urls(40+6*day, 1)
			addLinks(t, st, list...)
			if _, err := Check(t.Context(), st, NewOptions(w)); err != nil {
				t.Fatal(err)
			}
		}
		gone = true
		var told []bool
		for range 25 {
			sleepNight()
			_, err := Check(t.Context(), st, NewOptions(w))
			told = append(told, err != nil)
		}
		if !told[0] || told[len(told)-1] {
			t.Errorf("distrusted: %v", told)
		}
		if l := stateOf(t, st, "http://h000.test.net/0"); l.State != judge.Dead {
			t.Errorf("%s with %d strikes, distrusted: %v", l.State, l.Strikes, told)
		}
	})
}

// Nobody was heard: five hosts or more were asked, of links that are not dead yet
// (OUTCOMES 5.1.6b).
func TestNobodyHeard(t *testing.T) {
	for _, tt := range []struct {
		name  string
		hosts int
		says  check.Result // each host
		also  check.Result // one more
		want  error
	}{
		{"refused", 5, tcpNo, check.Result{}, ErrNetworkDown},
		{"no answer", 5, tcpMute, check.Result{}, ErrNetworkDown},
		{"no name", 5, nxdomain, check.Result{}, ErrNetworkDown},
		{"cut", 5, check.New(check.Temporary, check.ReasonTCPReset, "connection reset"), check.Result{}, ErrNetworkDown},
		{"no way out", 5, check.New(check.Internal, check.ReasonLocalResources, "no route"), check.Result{}, ErrNetworkDown},
		{"no datagram came back", 5, check.New(check.Undetermined, check.ReasonNoUDPReply, ""), check.Result{}, ErrNetworkDown},
		{"four hosts", 4, tcpNo, check.Result{}, nil},
		{"four hosts and one that is not asked", 4, tcpNo, check.New(check.Skipped, check.ReasonExcluded, ""), nil},
		{"one is busy", 5, tcpNo, busy503, nil},
		{"one says no", 5, tcpNo, check.New(check.Gone, "http-404", ""), nil},
		{"one turns us away", 5, nxdomain, check.New(check.Blocked, "http-403", ""), nil},
		{"one leads to another that is dead", 5, tcpNo, check.Result{Outcome: check.Unreachable, Reason: check.ReasonTCPRefused, Evidence: check.Weak, Hops: []check.Hop{{Code: 301}}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				list := urls(tt.hosts, 1)
				if tt.also.Outcome != check.Unknown {
					list = append(list, "http://one.test.net/")
				}
				st := newStore(t, list...)
				w := &world{answer: func(host, _ string, _ int) check.Result {
					if host == "one.test.net" {
						return tt.also
					}
					return tt.says
				}}
				for range 15 {
					sum, err := Check(t.Context(), st, NewOptions(w))
					if sum.Checked == 0 {
						continue // not due again
					}
					if !errors.Is(err, tt.want) || tt.want != nil && (!strings.Contains(err.Error(), "nobody answered: is this machine online? a proxy?") || strikes(t, st) > 0) {
						t.Fatalf("%v, %v, %d with strikes", err, sum.Run.Outcomes, strikes(t, st))
					}
					sleepNight()
				}
			})
		})
	}
}

// A night that asks only what is dead, or new and dead, beside a store in which others
// live: those that are dead say nothing of our network, and for those that are new some
// that live are asked, which is not kept.
func TestNobodyHeardButOthersLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(16, 1)...)
		down := func(host string) bool { return host < "h006" || host >= "h016" }
		allDown := false
		w := &world{answer: func(host, _ string, _ int) check.Result {
			if allDown || down(host) {
				return tcpNo
			}
			return found
		}}
		for range 20 {
			if _, err := Check(t.Context(), st, options(w, func(o *Options) { o.Filter.All = true })); err != nil {
				t.Fatal(err)
			}
			sleepNight()
		}
		sum, err := Check(t.Context(), st, options(w, func(o *Options) { o.Filter.States = []judge.State{judge.Dead} }))
		if err != nil || sum.Checked != 6 || sum.Run.Outcomes["unreachable"] != 6 {
			t.Errorf("dead ones alone: %v, %+v", err, sum)
		}
		allDown = true
		sum, err = Check(t.Context(), st, options(w, func(o *Options) { o.Filter.States = []judge.State{judge.Dead} }))
		if err != nil || sum.Checked != 6 {
			t.Errorf("dead ones alone, in a dead network: %v, %+v", err, sum)
		}
		allDown = false
		addLinks(t, st, urls(22, 1)...) // six more that are down
		before := len(w.visits)
		sum, err = Check(t.Context(), st, options(w, func(o *Options) { o.Filter.States = []judge.State{judge.New} }))
		if err != nil || sum.Checked != 6 || strikes(t, st) != 12 {
			t.Errorf("new and dead: %v, %+v, %d with strikes", err, sum, strikes(t, st))
		}
		if asked := len(w.visits) - before; asked != 2*6+witnesses {
			t.Errorf("%d probes", asked)
		}
		for e, err := range st.Scan(store.Pick{}) {
			l := e.Link
			if err != nil || l.LastRun == sum.Run.ID && l.Host < "h016" {
				t.Errorf("%s was kept, %v", l.URL, err)
			}
		}
		allDown = true
		sleepNight()
		sum, err = Check(t.Context(), st, options(w, func(o *Options) { o.Filter.States = []judge.State{judge.Failing} }))
		if !errors.Is(err, ErrNetworkDown) || sum.Run.Outcomes["internal"] != 6 {
			t.Errorf("new and dead, in a dead network: %v, %+v", err, sum.Run)
		}
	})
}

// Results that are our own fault are told where they are many; the others count, with
// their strikes (OUTCOMES 5.1.6c).
func TestManyOwnFaults(t *testing.T) {
	for _, tt := range []struct {
		hosts, internal int
		want            error
	}{{100, 5, ErrOwnFaults}, {100, 4, nil}, {499, 5, ErrOwnFaults}, {500, 5, nil}, {600, 7, ErrOwnFaults}} {
		synctest.Test(t, func(t *testing.T) {
			st := newStore(t, urls(tt.hosts, 1)...)
			w := &world{answer: func(host, _ string, _ int) check.Result {
				switch {
				case host < fmt.Sprintf("h%03d", tt.internal):
					return check.New(check.Internal, check.ReasonLocalResources, "too many open files")
				case host < "h050":
					return nxdomain
				}
				return found
			}}
			sum, err := Check(t.Context(), st, options(w, func(o *Options) { o.Workers = 100 }))
			if !errors.Is(err, tt.want) || sum.Run.Distrusted || strikes(t, st) != 50-tt.internal {
				t.Errorf("%d of %d: %v, %v, %d with strikes", tt.internal, tt.hosts, err, sum.Run.Outcomes, strikes(t, st))
			}
			sleepNight()
			if sum, err = Check(t.Context(), st, NewOptions(w)); sum.Run.Outcomes["internal"] != tt.internal {
				t.Errorf("%d of %d, the next night: %v, %v", tt.internal, tt.hosts, err, sum.Run.Outcomes)
			}
		})
	}
}

// The links of a host that is gone die in one night, however splay spread the nights on
// which they were asked; those of a host that answers stay apart (OUTCOMES 5.1.6e).
func TestOneDeathOneNight(t *testing.T) {
	for says, together := range map[*check.Result]bool{&tcpNo: true, &nxdomain: true, new(check.New(check.Gone, "http-404", "")): false} {
		synctest.Test(t, func(t *testing.T) {
			list := append(urls(1, 60), "http://lives.test.net/")
			st := newStore(t, list...)
			w := &world{answer: func(host, _ string, _ int) check.Result {
				if host == "lives.test.net" {
					return found
				}
				return *says
			}}
			died := map[int]int{}
			for night := range 22 {
				sum, err := Check(t.Context(), st, options(w, func(o *Options) { o.Policy.Splay = 0.2 }))
				if n := sum.Run.Changes[string(judge.NewlyDead)]; n > 0 {
					died[night] = n
				}
				if err != nil {
					t.Fatal(err)
				}
				sleepNight()
			}
			if len(died) == 0 || (len(died) == 1) != together {
				t.Errorf("%s: died by night: %v", says.Reason, died)
			}
		})
	}
}

// Of a host that may be found dead the links are asked that have failed; those that lived
// when they were last asked wait for their day.
func TestEarlyAreThoseThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStore(t, urls(1, 2)...)
		down := false
		w := &world{answer: func(host, path string, _ int) check.Result {
			if path == "/0" || down {
				return tcpNo
			}
			return found
		}}
		for night := range 18 {
			down = night > 8
			if _, err := Check(t.Context(), st, NewOptions(w)); err != nil {
				t.Fatal(err)
			}
			sleepNight()
		}
		if l := stateOf(t, st, "http://h000.test.net/0"); l.State != judge.Dead {
			t.Errorf("/0 is %s with %d strikes", l.State, l.Strikes)
		}
		if l := stateOf(t, st, "http://h000.test.net/1"); l.Checks != 2 {
			t.Errorf("/1 is %s after %d checks", l.State, l.Checks)
		}
	})
}
