package fleet_test

import (
	"context"
	"errors"
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

// netProber is the internet as a prober of the program asks it, over sessions that it keeps.
type netProber struct {
	check.Prober
	net    *internet
	worker string
}

func (p netProber) Probe(ctx context.Context, t check.Target) check.Result {
	at, _ := t.URI.Endpoint()
	r, err := p.net.Ask(ctx, p.worker, at.Host, t.URI.String())
	if err != nil {
		return check.New(check.Internal, check.ReasonCancelled, "")
	}
	return r
}

func (p netProber) Hooks() check.Hooks {
	return check.Hooks{CloseIdle: func(host string) { p.net.Leave(address(host)) }}
}

// checkNight makes run 1 as the program makes a night; sh: with others beside it.
func checkNight(ctx context.Context, s *store.Store, p netProber, sh *fleet.Shard, v *crawl.Vantage, slots chan struct{}) error {
	o := crawl.NewOptions(p)
	o.Now, o.Run = frozen, store.Run{ID: 1, Started: epoch}
	o.Route = func(_ context.Context, addr string) (netguard.Route, error) {
		host, _, _ := strings.Cut(addr, ":")
		at, err := netip.ParseAddr(address(host))
		return netguard.Route{Addrs: []netip.AddrPort{netip.AddrPortFrom(at, 80)}}, err
	}
	if sh != nil {
		o.Gates, o.Vantage, o.Slots = sh.Turns, v, slots
	}
	_, err := crawl.Check(ctx, s, o)
	if sh != nil { // as Night does
		p.net.LeaveAll(p.worker)
		sh.Turns.Left()
	}
	return err
}

// A night of the program runs whole where its shard is: what it knows at the end is what it
// knows of one store, also where a worker is killed in it.
func TestCheckInFleet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, fleet.NewMemory(fleet.SessionTTL), fleet.UsualTimes())
		var mu sync.Mutex
		vantages, slots := map[string]*crawl.Vantage{}, make(chan struct{}, 20)
		w.night.other = func(ctx context.Context, worker string, sh *fleet.Shard) error {
			if !hasRun(sh.Store) {
				return nil
			}
			mu.Lock()
			v := vantages[worker]
			if v == nil {
				v = &crawl.Vantage{}
				vantages[worker] = v
			}
			mu.Unlock()
			err := checkNight(ctx, sh.Store, netProber{net: w.net, worker: fmt.Sprint(worker, ".", sh.Number)}, sh, v, slots)
			if err == nil {
				w.night.isDone(sh.Number)
			} else if ctx.Err() == nil || errors.Is(err, crawl.ErrNetworkDown) {
				t.Error(err)
			}
			return err
		}
		a, b := w.start("a", "a"), w.start("b", "b")
		w.begin(a, b)
		time.Sleep(20 * time.Second)
		b.Kill()
		time.Sleep(30 * time.Second)
		c := w.start("c", "c")
		w.untilDone()
		for _, worker := range []*worker{a, c} {
			if err := worker.Leave(); err != nil {
				t.Error(err)
			}
		}
		if m := w.net.Seen(); m.Overlaps > 0 || m.Short > 0 || m.Visits < links {
			t.Errorf("%+v", m)
		} else {
			t.Logf("%+v", m)
		}
		one := open(t, t.TempDir()+"/one.db")
		load(t, one, mentions(links, hosts, 0, 1))
		if err := checkNight(t.Context(), one, netProber{net: &internet{Visit: w.net.Visit}}, nil, nil, nil); err != nil {
			t.Fatal(err)
		}
		mustBeSame(t, canonLinks(t, newest(t, w.dir+"/copies")...), canonLinks(t, one))
	})
}
