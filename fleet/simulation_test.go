package fleet_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/fleet"
	"linkcheck/store"
)

const shards = 8

// links are those of a night, 3,000 unless LINKCHECK_CHAOS_LINKS says otherwise, and hosts where
// they are, fifty on each.
var (
	links = chaosLinks()
	hosts = links / 50
)

const usualLinks = 3000

func chaosLinks() int {
	n, err := strconv.Atoi(os.Getenv("LINKCHECK_CHAOS_LINKS"))
	if err != nil {
		return usualLinks
	}
	return n
}

// world is a set in an engine, and its workers.
type world struct {
	t      *testing.T
	engine fleet.Engine
	net    *internet
	night  *night
	dir    string
	times  fleet.Times
	links  int // of a night
}

func newWorld(t *testing.T, e fleet.Engine, times fleet.Times) *world {
	net := &internet{Gap: times.Gap, Visit: 300 * time.Millisecond, Idle: times.Idle}
	w := &world{t, e, net, &night{Internet: net, Gap: times.Gap}, t.TempDir(), times, links}
	if err := os.Mkdir(filepath.Join(w.dir, "copies"), 0o700); err != nil {
		t.Fatal(err)
	}
	return w
}

// begin waits until each of the workers serves something and all is served, and begins a night.
func (w *world) begin(workers ...*worker) {
	w.t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		served, least := 0, shards
		for _, at := range workers {
			n := 0
			for _, s := range at.Status() {
				if s.Live {
					n++
				}
			}
			served, least = served+n, min(least, n)
		}
		if served == shards && least > 0 {
			break
		}
		if time.Now().After(end) {
			w.t.Fatalf("%d shards are served, %d by one", served, least)
		}
	}
	w.load()
}

// load reads links into all shards, and begins a night there.
func (w *world) load() {
	for n := range shards {
		for i, c := range changes(w.t, mentions(w.links, hosts, n, shards)) {
			mustAppend(w.t, w.engine, n, 0, fmt.Sprintf("load/%d/%d", n, i), c)
		}
	}
}

// start starts a worker with files of its own.
func (w *world) start(name, files string) *worker {
	dir := filepath.Join(w.dir, files)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.t.Fatal(err)
	}
	return w.night.Start(fleet.Options{
		Name: name, Shards: shards, Engine: w.engine, Times: w.times, Dir: dir, Copies: fleet.Copies(filepath.Join(w.dir, "copies")), Slots: 100,
		Tell: func(shard int, what error) { w.t.Logf("%s: shard %d: %v", name, shard, what) },
	})
}

// finish waits until nothing is due and has the workers leave.
func (w *world) finish(workers ...*worker) manners {
	w.t.Helper()
	w.untilDone()
	for _, worker := range workers {
		if err := worker.Leave(); err != nil {
			w.t.Error(err)
		}
	}
	return w.compare()
}

func (w *world) untilDone() {
	w.t.Helper()
	for end := time.Now().Add(30 * time.Minute); w.night.Done() < shards; time.Sleep(time.Second) {
		if time.Now().After(end) {
			w.t.Fatalf("%d of %d shards are done", w.night.Done(), shards)
		}
	}
}

// compare holds that the copies know what one store knows, and gives what the servers saw.
func (w *world) compare() manners {
	w.t.Helper()
	got := canonLinks(w.t, newest(w.t, filepath.Join(w.dir, "copies"))...)
	mustBeSame(w.t, got, canonLinks(w.t, oneStore(w.t, mentions(links, hosts, 0, 1))))
	return w.net.Seen()
}

// Three workers, of which one is killed, one is cut off and comes back, and to which a fourth
// comes, know what one store knows, and nobody who was asked met two at a time or too soon.
func TestSimulation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, fleet.NewMemory(fleet.SessionTTL), fleet.UsualTimes())
		begun := time.Now()
		a, b, c := w.start("a", "a"), w.start("b", "b"), w.start("c", "c")
		w.begin(a, b, c)
		time.Sleep(20*time.Second + 123*time.Millisecond)
		killed := time.Now()
		b.Kill()
		for len(a.Status())+len(c.Status()) < shards && time.Since(killed) < time.Minute {
			time.Sleep(100 * time.Millisecond)
		}
		if took := time.Since(killed); took > fleet.SessionTTL+5*time.Second {
			t.Errorf("the shards of a killed worker are served by others after %v", took)
		} else {
			t.Logf("taken over after %v", took)
		}
		time.Sleep(45 * time.Second)
		time.Sleep(20 * time.Second)
		c.Engine.Lost.Store(true)
		d := w.start("d", "d")
		time.Sleep(40 * time.Second)
		c.Engine.Lost.Store(false)
		time.Sleep(10 * time.Second)
		b = w.start("b", "again")
		m := w.finish(a, b, c, d)
		t.Logf("%+v in %v", m, time.Since(begun))
		if m.Overlaps > 0 || m.Short > 0 || m.Visits < links {
			t.Errorf("%+v", m)
		}
	})
}

// Whatever befalls workers, and in which order.
func TestSimulationOfAccidents(t *testing.T) {
	seeds := 4
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) {
			w, r := newWorld(t, fleet.NewMemory(fleet.SessionTTL), fleet.UsualTimes()), rand.New(rand.NewPCG(uint64(seed), 0))
			names := []string{"a", "b", "c"}
			workers := map[string]*worker{}
			for _, name := range names {
				workers[name] = w.start(name, name)
			}
			w.begin(slices.Collect(maps.Values(workers))...)
			var told []string
			for n := 0; n < 12 && w.night.Done() < shards; n++ {
				time.Sleep(time.Duration(r.Int64N(int64(50 * time.Second))))
				name := names[r.IntN(len(names))]
				var what string
				switch at := workers[name]; r.IntN(4) {
				case 0:
					what = "killed, and again with its files"
					at.Kill()
					workers[name] = w.start(name, name)
				case 1:
					what = "killed, and again without its files"
					at.Kill()
					workers[name] = w.start(name, fmt.Sprint(name, n))
				case 2:
					what = "cut off"
					at.Engine.Lost.Store(true)
					time.AfterFunc(time.Duration(r.Int64N(int64(40*time.Second))), func() { at.Engine.Lost.Store(false) })
				case 3:
					what = "leaves and comes again"
					if err := at.Leave(); err != nil {
						t.Error(err)
					}
					workers[name] = w.start(name, name)
				}
				told = append(told, name+" "+what)
			}
			m := w.finish(slices.Collect(maps.Values(workers))...)
			t.Logf("seed %d: %+v", seed, m)
			if m.Overlaps > 0 || m.Short > 0 || m.Visits < links {
				t.Errorf("seed %d: %+v after %q", seed, m, told)
			}
		})
	}
}

// Without turns the servers see it.
func TestSimulationWithoutTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, fleet.NewMemory(fleet.SessionTTL), fleet.UsualTimes())
		w.night.NoTurns = true
		a, b, c := w.start("a", "a"), w.start("b", "b"), w.start("c", "c")
		w.begin(a, b, c)
		if m := w.finish(a, b, c); m.Overlaps+m.Short < links/20 {
			t.Errorf("%+v", m)
		}
	})
}

// fenceless is an engine that takes what anybody appends, whoever has the claim.
type fenceless struct{ fleet.Engine }

func (f fenceless) Append(ctx context.Context, shard int, fence fleet.Fence, id string, c store.Change) (uint64, error) {
	if fence.Claim != 0 {
		_, seq, err := f.LastClaim(ctx, fence.Shard)
		if err != nil {
			return 0, err
		}
		fence.Claim = seq
	}
	return f.Engine.Append(ctx, shard, fence, id, c)
}

// What a worker said before it was cut off comes late, when others have asked again: an engine
// with fences refuses it, and without them answers count twice.
func TestSimulationWithoutFence(t *testing.T) {
	if testing.Short() {
		t.Skip("two nights, for what one shows with fences elsewhere")
	}
	for _, fences := range []bool{true, false} {
		t.Run(fmt.Sprintf("fences=%v", fences), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var e fleet.Engine = fleet.NewMemory(fleet.SessionTTL)
				if !fences {
					e = fenceless{e}
				}
				w := newWorld(t, e, fleet.UsualTimes())
				a, b, c := w.start("a", "a"), w.start("b", "b"), w.start("c", "c")
				w.begin(a, b, c)
				time.Sleep(20 * time.Second)
				c.Engine.Late.Store(true)
				time.Sleep(2 * time.Second)
				c.Engine.Lost.Store(true)
				time.Sleep(2 * lateBy)
				c.Engine.Late.Store(false)
				c.Engine.Lost.Store(false)
				w.untilDone()
				for _, worker := range []*worker{a, b, c} {
					if err := worker.Leave(); err != nil {
						t.Error(err)
					}
				}
				got := canonLinks(t, newest(t, filepath.Join(w.dir, "copies"))...)
				want := canonLinks(t, oneStore(t, mentions(links, hosts, 0, 1)))
				if slices.Equal(got, want) != fences {
					t.Errorf("%d lines, %d are wanted, and with fences=%v they are the same: %v", len(got), len(want), fences, !fences)
				}
			})
		})
	}
}
