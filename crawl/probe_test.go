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
		st := newStore(t, "http://[bad", "nosuch:thing", "http://no.test.net/x")
		w := &world{}
		sum, err := Check(t.Context(), st, options(w, func(o *Options) { o.Exclude = func(u string) bool { return strings.Contains(u, "/x") } }))
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
		for a, err := range Probe(t.Context(), list, NewOptions(w)) {
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
		for a, err := range Probe(t.Context(), list, NewOptions(w)) {
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
		for range Probe(t.Context(), urls(3, 3), NewOptions(w)) {
			break
		}
		if len(w.visits) > 6 {
			t.Errorf("%d probes", len(w.visits))
		}
	})
}

// listed is a linkSource of URIs by their place in a list.
type listed struct {
	t     *testing.T
	list  []string
	loads map[uint64]int
	calls int
}

func (l *listed) load(ids []uint64) (list []assignment) {
	l.calls++
	for _, id := range ids {
		l.loads[id]++
		list = append(list, assign(l.list[id], "", false, nil))
	}
	return list
}

func (l *listed) backsOff(string) bool { return false }
func (*listed) heard(*assignment)      {}

// dispatcherOf is a dispatcher of URIs, by their place in the list.
func dispatcherOf(t *testing.T, w *world, list []string) (*dispatcher, *listed) {
	l := &listed{t: t, list: list, loads: map[uint64]int{}}
	d := newDispatcher(NewOptions(w), l)
	for id, text := range list {
		u, err := uri.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		d.queues.Add(d.host(hostName(u)), uint64(id))
	}
	return d, l
}

// A dispatcher that has done its work holds nothing of it, whether links were probed
// or left to a host that backs off.
func TestDispatcherHoldsNothingAfterwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tired = "h001.test.net"
		w := &world{answer: func(host, path string, _ int) check.Result {
			if host == tired && path == "/1" {
				return check.New(check.Blocked, "http-429", "")
			}
			return check.New(check.OK, "http-200", "")
		}}
		list := urls(3, 4)
		d, l := dispatcherOf(t, w, list)
		count := map[eventKind]int{}
		for e := range d.events(t.Context(), nil) {
			count[e.kind]++
		}
		if count[answered] != 10 || count[backedOff] != 2 || d.queues.Len() != 0 || len(d.loaded) != 0 || len(d.redirects) != 0 || d.underWay != 0 {
			t.Errorf("%v; %d wait, %d loaded, %d redirects, %d under way", count, d.queues.Len(), len(d.loaded), len(d.redirects), d.underWay)
		}
		if l.calls != 1 {
			t.Errorf("the links of 3 hosts were loaded in %d parts", l.calls)
		}
		for id, n := range l.loads {
			if n != 1 {
				t.Errorf("%s was loaded %d times", list[id], n)
			}
		}
	})
}

// Who wants no more events ends the run at once, whatever is under way.
func TestDispatcherEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{took: func(host string) time.Duration {
			if host == "h000.test.net" {
				return time.Second
			}
			return 10 * time.Hour
		}}
		d, _ := dispatcherOf(t, w, urls(5, 2))
		begin, n := time.Now(), 0
		for range d.events(t.Context(), nil) {
			n++
			break
		}
		if n != 1 || time.Since(begin) > time.Minute {
			t.Errorf("%d events after %v", n, time.Since(begin))
		}
	})
}

// Where five hosts or more are asked and none is heard, it is our network that is down:
// OUTCOMES section 5.1.6b.
func TestProbeHearsNobody(t *testing.T) {
	silent, refused := check.New(check.Temporary, check.ReasonTCPTimeout, ""), check.New(check.Unreachable, check.ReasonTCPRefused, "")
	lost, busy := check.New(check.Unreachable, check.ReasonDNSNXDomain, ""), check.New(check.Temporary, "http-503", "")
	invalid := "not a uri"
	for _, tt := range []struct {
		name    string
		answers []check.Result // by host
		down    bool
	}{
		{"five", []check.Result{silent, refused, lost, silent, silent}, true},
		{"nine", []check.Result{lost, lost, lost, lost, lost, lost, lost, lost, lost}, true},
		{"four", []check.Result{silent, refused, lost, silent}, false},
		{"five, and the last one is busy", []check.Result{silent, refused, lost, silent, busy}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &world{answer: func(host, _ string, _ int) check.Result { return tt.answers[host[3]-'0'] }}
			n, internal := 0, 0
			var last error
			for a, err := range Probe(t.Context(), append(urls(len(tt.answers), 1), invalid), NewOptions(w)) {
				if last = err; err != nil {
					continue
				}
				n++
				if a.Result.Outcome == check.Internal && a.Result.Reason == check.ReasonOwnNetwork {
					internal++
				} else if a.URI == invalid && a.Result.Outcome != check.Invalid {
					t.Errorf("%s: %+v", tt.name, a)
				}
			}
			if n != len(tt.answers)+1 || errors.Is(last, ErrNetworkDown) != tt.down || (internal == len(tt.answers)) != tt.down || !tt.down && internal > 0 {
				t.Errorf("%s: %d answers, %d internal, %v", tt.name, n, internal, last)
			}
		})
	}
}
