package fleet_test

import (
	"context"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/crawl"
	"linkcheck/fleet"
	"linkcheck/store"
)

var (
	scaleLinks  = flag.Int("links", 0, "links of BenchmarkWorkers; 0: those of 20 s, at most")
	scaleShards = flag.Int("shards", 64, "shards of BenchmarkWorkers")
)

// scene is a night that is made in several ways: four links a host, and no gap between two.
type scene struct {
	links, shards, slots int
	visit                time.Duration // how long each answer takes

	zipf      float64       // sizes of hosts, by the exponent; 0: all alike
	gap, most time.Duration // between two visits of a host; of the night, 0: no limit
}

// mentions are those of a shard.
func (s scene) mentions(shard, shards int) []store.Mention {
	if s.zipf > 0 {
		return zipfMentions(s.links, s.zipf, shard, shards)
	}
	return mentions(s.links, s.hosts(), shard, shards)
}

// options are those of each of its checks.
func (s scene) options(run store.Run, workers int) crawl.Options {
	o := crawl.NewOptions(check.ProbeFunc(func(ctx context.Context, t check.Target) check.Result {
		if s.visit > 0 {
			select {
			case <-time.After(s.visit):
			case <-ctx.Done():
			}
		}
		r := answer(t.URI.String())
		r.Outcome, r.Evidence, r.Reason, r.Reply = check.OK, check.Strong, "http-200", "HTTP/1.1 200 OK" // nothing is tried again
		return r
	}))
	o.Workers, o.HostDelay, o.MaxDuration, o.Now, o.Run = workers, s.gap, s.most, frozen, run
	o.Route = func(context.Context, string) (netguard.Route, error) {
		return netguard.Route{Addrs: []netip.AddrPort{}}, nil
	}
	return o
}

func (s scene) hosts() int { return max(s.links/4, 1) }

// plain makes the night in one store.
func (s scene) plain(b testing.TB) cost {
	one := open(b, filepath.Join(b.TempDir(), "one.db"))
	load(b, one, s.mentions(0, 1))
	return costOf(func() {
		if sum, err := crawl.Check(b.Context(), one, s.options(store.Run{ID: 1, Started: epoch}, s.slots)); err != nil || sum.Checked != s.links {
			b.Fatalf("%d of %d links, %v", sum.Checked, s.links, err)
		}
	})
}

// fleet makes the night by workers over a log in memory.
func (s scene) fleet(b testing.TB, workers int) cost {
	times := fleet.UsualTimes()
	times.Gap = s.gap
	e, begin := fleet.NewMemory(fleet.SessionTTL), make([]store.Change, s.shards)
	for n := range begin {
		all := changes(b, s.mentions(n, s.shards))
		for i, c := range all[:len(all)-1] {
			mustAppend(b, e, n, 0, fmt.Sprintf("load/%d/%d", n, i), c)
		}
		begin[n] = all[len(all)-1]
	}
	var mu sync.Mutex
	live, checked, ended := map[int]string{}, 0, make(chan struct{}, len(begin))
	ctx, cancel := context.WithCancel(b.Context())
	var working sync.WaitGroup
	for n := range workers {
		night := &fleet.Night{Slots: make(chan struct{}, s.slots), Open: func(_ context.Context, run store.Run, _ fleet.Order) (crawl.Options, func() error, error) {
			return s.options(run, 0), func() error { return nil }, nil
		}}
		w := fleet.New(fleet.Options{
			Name: fmt.Sprint("w", n), Shards: len(begin), Engine: e, Times: times, Dir: b.TempDir(), Slots: s.slots, Store: store.Options{Now: frozen},
			Serve: func(ctx context.Context, sh *fleet.Shard) error {
				sum, err := night.Make(ctx, sh)
				mu.Lock()
				defer mu.Unlock()
				live[sh.Number] = fmt.Sprint("w", n)
				if checked += sum.Checked; sum.Run.ID > 0 && err == nil {
					ended <- struct{}{}
				}
				return err
			},
			Tell: func(shard int, what error) { b.Logf("shard %d: %v", shard, what) },
		})
		working.Go(func() { _ = w.Run(ctx) })
	}
	for all := false; !all; time.Sleep(50 * time.Millisecond) {
		mu.Lock()
		by := map[string]int{}
		for _, w := range live {
			by[w]++
		}
		all = len(live) == len(begin) && len(by) == workers
		for _, serves := range by { // who came first had all of them, and what is not idle does not move
			all = all && serves >= len(begin)/workers
		}
		mu.Unlock()
	}
	c := costOf(func() {
		for n, run := range begin {
			mustAppend(b, e, n, 0, fmt.Sprint("begin/", n), run)
		}
		for range begin {
			<-ended
		}
	})
	cancel()
	working.Wait()
	if c.checked = checked; checked != s.links && s.most == 0 {
		b.Fatalf("%d of %d links", checked, s.links)
	}
	return c
}

// cost is what a night took.
type cost struct {
	wall, cpu time.Duration
	peak      float64 // resident, in MiB
	checked   int
}

func costOf(f func()) (c cost) {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak begins here
	begun, before := time.Now(), used()
	f()
	c.wall, c.cpu = time.Since(begun), used()-before
	text, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	_, _ = fmt.Sscan(rest, &c.peak)
	c.peak /= 1024
	return c
}

func used() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (s scene) rate(c cost) float64 { return float64(s.links) / c.wall.Seconds() }

// BenchmarkWorkers makes a night in one store, as run does, and by one, two and four workers over
// a log in the memory of the same process, with answers that take 0.3 s and with answers at once:
//
//	go test ./fleet -run '^$' -bench Workers -benchtime 1x
//
// The memory is that of the whole process: of all the workers, and of the log.
func BenchmarkWorkers(b *testing.B) {
	for name, s := range map[string]scene{
		"answers=0.3s":   {links: 6000, shards: *scaleShards, slots: 100, visit: 300 * time.Millisecond},
		"answers=atonce": {links: 100_000, shards: *scaleShards, slots: 100, visit: 0},
	} {
		if *scaleLinks > 0 {
			s.links = *scaleLinks
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				plain := s.plain(b)
				s.report(b, "run", plain)
				one := s.fleet(b, 1)
				s.report(b, "1", one)
				b.ReportMetric(s.rate(one)/s.rate(plain), "1/run")
				for _, n := range []int{2, 4} {
					c := s.fleet(b, n)
					s.report(b, fmt.Sprint(n), c)
					b.ReportMetric(s.rate(c)/s.rate(one), fmt.Sprint(n, "/1"))
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func (s scene) report(b *testing.B, workers string, c cost) {
	b.ReportMetric(s.rate(c), workers+"-links/s")
	b.ReportMetric(float64(c.cpu.Microseconds())/float64(s.links), workers+"-cpu-us/link")
	b.ReportMetric(c.peak, workers+"-MiB")
}

// Where only the answers take time, a worker makes nearly as many links as the plain program, and
// twice the workers make twice as many.
func TestWorkersScale(t *testing.T) {
	if testing.Short() {
		t.Skip("a figure, of workers that TestSimulation has too")
	}
	synctest.Test(t, func(t *testing.T) {
		s := scene{links: 5000, shards: 64, slots: 20, visit: 300 * time.Millisecond}
		one := s.fleet(t, 1)
		if times := s.rate(one) / s.rate(s.plain(t)); times < 0.95 {
			t.Errorf("one worker makes %.3f times the links of run", times)
		} else {
			t.Logf("one worker makes %.3f times the links of run", times)
		}
		for workers, least := range map[int]float64{2: 1.9, 4: 3.6} {
			if times := s.rate(s.fleet(t, workers)) / s.rate(one); times < least {
				t.Errorf("%d workers make %.2f times the links of one", workers, times)
			} else {
				t.Logf("%d workers make %.2f times the links of one, which makes %.0f a second", workers, times, s.rate(one))
			}
		}
	})
}
