package crawl

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// underWay is a link that was taken.
type underWay struct {
	h    *host
	gate *gate
	id   uint64
}

// FuzzGates: whatever happens in whatever order, no gate lets through more than it
// may, none opens before its time, and every link comes through once or is dropped.
func FuzzGates(f *testing.F) {
	f.Add([]byte("addtakeendplacebackdropdelay"), uint8(1))
	f.Add([]byte{0, 0, 0, 8, 1, 9, 2, 17, 3, 25, 4, 33, 5, 41, 6, 49, 7}, uint8(2))
	f.Add([]byte{0, 5<<3 | 7}, uint8(0)) // a gate that is ready is held shut while none waits
	f.Fuzz(playGates)
}

// TestGatesAtRandom plays what a short fuzzing would, the same every time.
func TestGatesAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 2000 {
		ops := make([]byte, rng.IntN(300))
		for i := range ops {
			ops[i] = byte(rng.Uint32())
		}
		playGates(t, ops, uint8(rng.Uint32()))
	}
}

func playGates(t *testing.T, ops []byte, perHost uint8) {
	if len(ops) > 400 {
		return
	}
	m := &gateModel{t: t, g: newGates(int(perHost%4) + 1), now: time.Unix(1e9, 0), came: map[uint64]bool{}}
	for _, op := range ops {
		m.step(op)
	}
	for steps := 0; m.g.left > 0 || len(m.taken) > 0; steps++ {
		if steps > 10000 {
			t.Fatalf("%d links never come through", m.g.left)
		}
		m.drain()
	}
	for id := range m.next {
		if !m.came[id] {
			t.Errorf("link %d was lost", id)
		}
	}
}

type gateModel struct {
	t     *testing.T
	g     *gates
	now   time.Time
	next  uint64
	taken []underWay
	came  map[uint64]bool
}

func (m *gateModel) step(op byte) {
	arg := int(op >> 3)
	h := m.g.host(fmt.Sprint("h", arg%5))
	switch op & 7 {
	case 0, 1:
		m.g.add(h, m.next)
		m.next++
	case 2, 3:
		m.take()
	case 4:
		m.end(arg, time.Duration(arg)*time.Second)
	case 5:
		m.place(arg)
	case 6:
		if arg%4 > 0 {
			m.now = m.now.Add(time.Duration(arg) * time.Second)
			return
		}
		for _, id := range m.g.drop(h) {
			m.came[id] = true
		}
	case 7:
		m.g.delay(h.gate, m.now.Add(time.Duration(arg)*time.Second))
	}
}

func (m *gateModel) take() {
	h, _ := m.g.peek(m.now)
	if h == nil {
		return
	}
	u := underWay{h, h.gate, h.queue[0]}
	if m.now.Before(u.gate.next) {
		m.t.Fatalf("%s opens %v too early", h.name, u.gate.next.Sub(m.now))
	}
	m.g.take(m.now, 0)
	if u.gate.inflight > m.g.perHost {
		m.t.Fatalf("%d at once through the gate of %s", u.gate.inflight, h.name)
	}
	if m.came[u.id] {
		m.t.Fatalf("link %d came twice", u.id)
	}
	m.taken = append(m.taken, u)
}

func (m *gateModel) end(which int, gap time.Duration) {
	if len(m.taken) == 0 {
		return
	}
	i := which % len(m.taken)
	u := m.taken[i]
	m.taken = append(m.taken[:i], m.taken[i+1:]...)
	m.came[u.id] = true
	m.g.end(u.gate, m.now, gap)
}

// place gives a link back and moves its host to the gate of an address.
func (m *gateModel) place(which int) {
	if len(m.taken) == 0 {
		return
	}
	i := which % len(m.taken)
	u := m.taken[i]
	m.taken = append(m.taken[:i], m.taken[i+1:]...)
	m.g.back(u.gate, u.h, u.id)
	m.g.place(u.h, fmt.Sprint("addr", which%3))
}

// drain lets time pass until all have come through.
func (m *gateModel) drain() {
	m.take()
	m.end(0, 0)
	if h, wait := m.g.peek(m.now); h == nil && wait < 0 && len(m.taken) == 0 && m.g.left > 0 {
		m.t.Fatalf("%d links wait and no gate will open", m.g.left)
	}
	m.now = m.now.Add(time.Second)
}

// A host that is dropped leaves the others of its gate their turns.
func TestDropLeavesTheOthers(t *testing.T) {
	g, now := newGates(1), time.Unix(1e9, 0)
	a, b := g.host("a"), g.host("b")
	for id, h := range []*host{a, b, a} {
		g.add(h, uint64(id))
	}
	g.place(a, "192.0.2.1")
	g.place(b, "192.0.2.1")
	if a.gate != b.gate {
		t.Fatal("two gates of one address")
	}
	if links := g.drop(a); len(links) != 2 || g.left != 1 {
		t.Errorf("dropped %v, %d are left", links, g.left)
	}
	if h, _ := g.peek(now); h != b {
		t.Fatalf("the turn of %v", h)
	}
	g.take(now, 0)
	if h, wait := g.peek(now); h != nil || wait >= 0 {
		t.Errorf("%v in %v", h, wait)
	}
}
