package fleet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// badWire loses messages, and brings them late and in another order.
type badWire struct {
	Engine
	mu   sync.Mutex
	rand *rand.Rand
	lost float64
	late time.Duration
}

func (w *badWire) Send(name string, msg []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.rand.Float64() >= w.lost {
		time.AfterFunc(time.Duration(w.rand.Int64N(int64(w.late)+1)), func() { w.Engine.Send(name, msg) })
	}
}

// ledger is what stands at gates: who is in, since when nobody is, and who left a session open
// then.
type ledger struct {
	mu                     sync.Mutex
	in                     map[string]int
	out                    map[string]time.Time
	kept                   map[string]string
	visits, overlap, short int
	now, most              int // of all gates, at a time
	gap, idle              time.Duration
}

func (l *ledger) visit(asker, gate string, d time.Duration) {
	l.mu.Lock()
	l.visits++
	l.now++
	l.most = max(l.most, l.now)
	last, ok := l.out[gate]
	switch kept := l.kept[gate]; {
	case l.in[gate] > 0, kept != "" && kept != asker && time.Since(last) < l.idle:
		l.overlap++
	case ok && time.Since(last) < l.gap:
		l.short++
	}
	l.in[gate]++
	l.mu.Unlock()
	time.Sleep(d)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.in[gate]--
	l.now--
	l.out[gate], l.kept[gate] = time.Now(), asker
}

func (l *ledger) leave(gate string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.kept, gate)
}

// turnWorld is some askers, and keepers that follow one another.
type turnWorld struct {
	t     *testing.T
	wire  *badWire
	times Times
	seen  ledger
	ctx   context.Context
	all   sync.WaitGroup
	stops []func()
	claim uint64
	sites int // at one address, which is the only gate; 0: there are several gates
}

const (
	wireGates  = 4
	wireAskers = 3
)

func newTurnWorld(t *testing.T, seed uint64, lost float64, sites int) (w *turnWorld, end func() *ledger) {
	times := UsualTimes()
	times.Probe = 5 * time.Second
	r := rand.New(rand.NewPCG(seed, 1))
	w = &turnWorld{t: t, wire: &badWire{Engine: NewMemory(SessionTTL), rand: r, lost: lost, late: 800 * time.Millisecond}, times: times, sites: sites}
	w.seen = ledger{in: map[string]int{}, out: map[string]time.Time{}, kept: map[string]string{}, gap: times.Gap, idle: times.Idle}
	ctx, cancel := context.WithCancel(t.Context())
	w.ctx = ctx
	for n := range wireAskers {
		w.asker(fmt.Sprintf("w%d", n), rand.New(rand.NewPCG(seed, uint64(n)+2)))
	}
	return w, func() *ledger {
		cancel()
		w.all.Wait()
		for _, stop := range w.stops {
			stop()
		}
		time.Sleep(time.Minute) // what is on its way
		return &w.seen
	}
}

func always() bool { return true }

// asker is one with a visitor at each gate, or with as many as it may have at the address.
func (w *turnWorld) asker(name string, r *rand.Rand) {
	a := newAsker(&Options{Name: name, Shards: 1, Engine: w.wire, Times: w.times}, 0, 1, always, func() int { return asksPerSlot * wireGates })
	end, err := a.start()
	if err != nil {
		w.t.Fatal(err)
	}
	w.stops = append(w.stops, end)
	visitors := wireGates
	if w.sites > 0 {
		visitors *= asksPerSlot
	}
	for n := range visitors {
		gate, seed := fmt.Sprint("gate", n), r.Uint64()
		w.all.Go(func() { w.visitor(a, gate, rand.New(rand.NewPCG(seed, 0))) })
	}
}

func (w *turnWorld) visitor(a *Asker, gate string, r *rand.Rand) {
	for w.ctx.Err() == nil {
		if w.sites == 0 && r.IntN(3) == 0 { // so that nobody may wait at the gate, and a session is kept there
			time.Sleep(time.Duration(r.Int64N(int64(4 * w.times.Idle))))
		}
		turn, site, name := make(chan time.Time, 1), "", gate
		if w.sites > 0 {
			gate, site = "192.0.2.1", fmt.Sprintf("site%d.example", r.IntN(w.sites))
			name = site
		}
		a.Ask(gate, site, func(until time.Time) { turn <- until })
		select {
		case until := <-turn:
			gap := time.Duration(0)
			if r.IntN(8) > 0 {
				w.seen.visit(a.name, name, time.Duration(r.Int64N(int64(w.times.Probe))))
				gap = w.times.Gap
			}
			if time.Now().After(until) {
				w.t.Error("a probe outlasts its turn")
			}
			a.Done(gate, site, gap, func() { w.seen.leave(name) })
		case <-w.ctx.Done():
		}
	}
}

// keep begins a keeper; quiet is for how long it grants nothing. end ends it as a kill does.
func (w *turnWorld) keep(quiet time.Duration) (k *keeping, end func()) {
	w.claim++
	k = newKeeping(w.wire, newKeeper(w.times, w.claim, time.Now().Add(quiet)), always)
	stop, err := w.wire.Hear("turn.000", k.hear)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.ctx)
	w.all.Go(func() { k.run(ctx) })
	w.stops = append(w.stops, stop)
	return k, func() { stop(); cancel() }
}

// Never two in one gate, never a gap too short: with messages lost and late, keepers that
// are killed and keepers that leave.
func TestTurns(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			w, end := newTurnWorld(t, seed, float64(seed%4)*0.05, 0)
			quiet := time.Duration(0)
			for n := range 8 {
				k, kill := w.keep(quiet)
				time.Sleep(97 * time.Second)
				if quiet = w.times.quiet(); n%2 == 1 && k.drain() {
					quiet = 0
				}
				kill()
				time.Sleep(time.Duration(n) * time.Second / 2) // what is told meanwhile is lost
			}
			if l := end(); l.overlap > 0 || l.short > 0 || l.visits < 200 {
				t.Errorf("seed %d: %d visits, %d beside another, %d too soon", seed, l.visits, l.overlap, l.short)
			}
		})
	}
}

// At a front up to ten are in at a time, and of a site never two or one too soon; an address with a hundred
// sites is none (OUTCOMES 5.1.15). Messages are lost and late, keepers are killed and leave.
func TestTurnsAtAFront(t *testing.T) {
	for _, row := range []struct{ sites, least, most int }{{100, 1, 1}, {3000, 7, 10}} {
		for seed := range uint64(3) {
			synctest.Test(t, func(t *testing.T) {
				w, end := newTurnWorld(t, seed, float64(seed)*0.03, row.sites)
				quiet := time.Duration(0)
				for n := range 3 {
					k, kill := w.keep(quiet)
					time.Sleep(11 * time.Minute)
					if quiet = w.times.quiet(); n == 1 && k.drain() {
						quiet = 0
					}
					kill()
				}
				least := row.least
				if seed > 0 { // lost messages cost time
					least = min(least, 2)
				}
				if l := end(); l.overlap > 0 || l.short > 0 || l.visits < 200 || l.most < least || l.most > row.most {
					t.Errorf("%d sites, seed %d: %d visits, %d beside another of the site, %d too soon, %d at a time", row.sites, seed, l.visits, l.overlap, l.short, l.most)
				} else {
					t.Logf("%d sites, seed %d: %d visits, %d at a time", row.sites, seed, l.visits, l.most)
				}
			})
		}
	}
}

// A session that was kept makes others wait until it ends, or until its owner says that it has; a
// word of an earlier turn says nothing of a later one. At a front none is kept.
func TestLeft(t *testing.T) {
	times, now := UsualTimes(), time.Now()
	say := func(op, from, id string) turnMessage {
		return turnMessage{V: turnVersion, Op: op, Gate: "g", From: from, ID: id, Gap: times.Gap.Milliseconds(), Kept: op == "done"}
	}
	for _, row := range []struct {
		left string // the turn of which it is said
		wait time.Duration
	}{{"", times.Idle}, {"a2", times.Gap}, {"a1", times.Idle}} {
		k, at := newKeeper(times, 1, now), now
		for _, id := range []string{"a1", "a2"} {
			at = at.Add(times.Gap)
			k.hear(at, []turnMessage{say("ask", "a", id)})
			if gos, _ := k.grant(at); len(gos["a"]) != 1 {
				t.Fatalf("%s: %v", id, gos)
			}
			k.hear(at, []turnMessage{say("done", "a", id)})
		}
		k.hear(at, []turnMessage{say("ask", "b", "b1")})
		if row.left != "" {
			k.hear(at, []turnMessage{say("left", "a", row.left)})
		}
		if gos, again := k.grant(at); len(gos) > 0 || again.Sub(at) != row.wait {
			t.Errorf("left %q: %v, and others wait %v, want %v", row.left, gos, again.Sub(at), row.wait)
		}
	}
	k := newKeeper(times, 1, now)
	for i := range 120 {
		m := turnMessage{V: turnVersion, Op: "ask", Gate: "192.0.2.1", Site: fmt.Sprintf("site%d.example", i), From: "a", ID: fmt.Sprint(i)}
		k.hear(now, []turnMessage{m})
	}
	gos, _ := k.grant(now)
	for _, g := range gos["a"] {
		if !g.Others {
			t.Errorf("at a front: %+v", g)
		}
	}
	if len(gos["a"]) < 5 {
		t.Errorf("%d turns at a front", len(gos["a"]))
	}
}

// An end that comes late, when the turn has lapsed and another one was in, hides no session that
// the other one holds: neither of them comes before it has ended.
func TestLateDone(t *testing.T) {
	times := UsualTimes()
	say := func(op, from, id string, kept bool) []turnMessage {
		return []turnMessage{{V: turnVersion, Op: op, Gate: "g", From: from, ID: id, Gap: times.Gap.Milliseconds(), Kept: kept}}
	}
	for _, row := range []struct {
		name string
		kept bool // by who was late
		in   bool // the other one is, when the late end comes; else it was a second before
		a, b time.Duration
	}{
		{name: "kept", kept: true, a: times.Idle, b: times.Idle},
		{name: "not kept", a: times.Idle - time.Second, b: times.Idle - time.Second},
		{name: "kept while another is in", kept: true, in: true, a: times.Idle, b: times.Idle},
		{name: "not kept while another is in", in: true, a: times.Idle, b: times.Gap},
	} {
		for next, want := range map[string]time.Duration{"a": row.a, "b": row.b} {
			at := time.Now()
			k := newKeeper(times, 1, at)
			take := func(from, id string) {
				k.hear(at, say("ask", from, id, false))
				if gos, _ := k.grant(at); len(gos[from]) != 1 {
					t.Fatalf("%s: %s is granted %v", row.name, id, gos)
				}
			}
			take("a", "a1")
			at = at.Add(times.turn())
			k.grant(at)
			at = at.Add(times.Idle)
			take("b", "b1")
			late, done := say("done", "a", "a1", row.kept), say("done", "b", "b1", true)
			if row.in {
				k.hear(at, append(late, done...))
			} else {
				k.hear(at, done)
				at = at.Add(time.Second)
				k.hear(at, late)
			}
			k.hear(at, say("ask", next, "last", false))
			if gos, again := k.grant(at); len(gos) > 0 || again.Sub(at) != want {
				t.Errorf("%s: %s may come after %v, want %v (%v)", row.name, next, again.Sub(at), want, gos)
			}
		}
	}
}

// The asker says of the sessions that it left open when they are closed, of none twice.
func TestAskerLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, end := newTurnWorld(t, 1, 0, 0)
		defer end()
		w.wire.mu.Lock()
		w.wire.late = 0
		w.wire.mu.Unlock()
		a := newAsker(&Options{Name: "x", Shards: 1, Engine: w.wire, Times: w.times}, 0, 1, always, func() int { return asksPerSlot })
		stop, err := a.start()
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		k, _ := w.keep(0)
		visit := func(gate string) {
			turn := make(chan bool)
			a.Ask(gate, "", func(time.Time) { turn <- true })
			<-turn
			a.Done(gate, "", w.times.Gap, func() {})
			time.Sleep(time.Second)
		}
		idle := func(gate string) time.Duration {
			k.mu.Lock()
			defer k.mu.Unlock()
			if g := k.keeper.gates[gate]; g != nil {
				return time.Until(g.idle).Round(time.Second)
			}
			return 0
		}
		for _, gate := range []string{"one", "two"} {
			visit(gate)
		}
		if one, two := idle("one"), idle("two"); one != w.times.Idle-2*time.Second || two != w.times.Idle-time.Second {
			t.Errorf("idle for %v and %v", one, two)
		}
		a.left()
		time.Sleep(time.Second)
		if one, two := idle("one"), idle("two"); one > 0 || two > 0 || len(a.kept) > 0 {
			t.Errorf("idle for %v and %v after they were left", one, two)
		}
		visit("one")
		time.Sleep(w.times.Idle + time.Second)
		visit("two")
		if len(a.kept) != 1 {
			t.Errorf("%d are kept in mind", len(a.kept))
		}
		turn, closed := make(chan bool), false
		a.Ask("three", "", func(time.Time) { turn <- true })
		<-turn
		time.Sleep(w.times.turn())
		if a.Done("three", "", w.times.Gap, func() { closed = true }); !closed || len(a.kept) != 1 {
			t.Errorf("after a turn that has lapsed the session is closed: %v, %d are kept in mind", closed, len(a.kept))
		}
	})
}

// Controls: each rule that is left out shows. One run may be lucky, as goroutines that wake in
// the same instant run in any order; twenty are not.
func TestTurnsControls(t *testing.T) {
	if testing.Short() {
		t.Skip("shows that TestTurns can fail")
	}
	controls := map[string]func(w *turnWorld){
		"a keeper that follows one that was killed and is not quiet": func(w *turnWorld) {
			for range 20 {
				_, kill := w.keep(0)
				time.Sleep(31 * time.Second)
				kill()
			}
		},
		"a keeper that is not sure and goes on beside the next": func(w *turnWorld) {
			for range 12 {
				w.keep(w.times.quiet())
				time.Sleep(150 * time.Second)
			}
		},
	}
	for name, play := range controls {
		found := 0
		for seed := range uint64(20) {
			synctest.Test(t, func(t *testing.T) {
				w, end := newTurnWorld(t, seed, 0, 0)
				play(w)
				l := end()
				found += l.overlap + l.short
			})
		}
		t.Logf("%s: %d", name, found)
		if found < 10 {
			t.Errorf("%s: %d visits beside another or too soon in 20 runs", name, found)
		}
	}
}

// A keeper forgets gates of which nothing is to be known.
func TestKeeperForgets(t *testing.T) {
	times := UsualTimes()
	now := time.Now()
	k := newKeeper(times, 1, now)
	for i := range 1000 {
		id := fmt.Sprint(i)
		k.hear(now, []turnMessage{{V: 1, Op: "ask", Gate: "g" + id, From: "a", ID: id}})
		if gos, _ := k.grant(now); len(gos["a"]) != 1 {
			t.Fatalf("%+v", gos)
		}
		k.hear(now, []turnMessage{{V: 1, Op: "done", Gate: "g" + id, From: "a", ID: id, Gap: 2000, Kept: true}})
		now = now.Add(100 * time.Millisecond)
		k.grant(now)
	}
	if len(k.gates) > 120 || len(k.due) != len(k.gates) {
		t.Errorf("%d gates, %d due", len(k.gates), len(k.due))
	}
	if _, again := k.grant(now.Add(time.Minute)); len(k.gates) != 0 || !again.IsZero() {
		t.Errorf("%d gates, again at %v", len(k.gates), again)
	}
}

// Who is not sure grants nothing, asks nothing and uses nothing.
func TestUnsure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var keeperSure, askerSure atomic.Bool
		askerSure.Store(true)
		m := NewMemory(SessionTTL)
		k := newKeeping(m, newKeeper(UsualTimes(), 1, time.Now()), keeperSure.Load)
		a := newAsker(&Options{Name: "a", Shards: 1, Engine: m, Times: UsualTimes()}, 0, 1, askerSure.Load, func() int { return asksPerSlot })
		for name, hear := range map[string]func([]byte){"turn.000": k.hear, "go.a.000": a.hear} {
			stop, err := m.Hear(name, hear)
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
		}
		ctx, cancel := context.WithCancel(t.Context())
		var keeping sync.WaitGroup
		keeping.Go(func() { k.run(ctx) })
		defer keeping.Wait()
		defer cancel()
		granted := make(chan bool, 2)
		a.Ask("gate", "", func(time.Time) { granted <- true })
		if time.Sleep(20 * time.Second); len(granted) != 0 {
			t.Error("granted by a keeper that is not sure")
		}
		askerSure.Store(false)
		keeperSure.Store(true)
		if time.Sleep(20 * time.Second); len(granted) != 0 {
			t.Error("taken by a worker that is not sure")
		}
		askerSure.Store(true)
		a.repeat()
		if time.Sleep(5 * time.Second); len(granted) != 1 {
			t.Errorf("granted %d times", len(granted))
		}
	})
}
