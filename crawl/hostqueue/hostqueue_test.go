package hostqueue

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"testing"
	"time"
)

// FuzzQueues: whatever happens in whatever order, no queue lets through more than
// it may, none opens before its time, and every link comes through once or is given
// back by BackOff.
func FuzzQueues(f *testing.F) {
	f.Add([]byte("addtakeendplacebackdropdelay"), uint8(1))
	f.Add([]byte{0, 0, 0, 8, 1, 9, 2, 17, 3, 25, 4, 33, 5, 41, 6, 49, 7}, uint8(2))
	f.Add([]byte{0, 5<<3 | 7}, uint8(0)) // a queue that is ready is delayed while none waits
	f.Fuzz(playQueues)
}

// TestQueuesAtRandom plays what a short fuzzing would, the same every time.
func TestQueuesAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 2000 {
		ops := make([]byte, rng.IntN(300))
		for i := range ops {
			ops[i] = byte(rng.Uint32())
		}
		playQueues(t, ops, uint8(rng.Uint32()))
	}
}

func playQueues(t *testing.T, ops []byte, perHost uint8) {
	if len(ops) > 400 {
		return
	}
	m := &model{t: t, q: New(int(perHost%4)+1, 0), now: time.Unix(1e9, 0), came: map[uint64]bool{}}
	for _, op := range ops {
		m.step(op)
	}
	for steps := 0; m.q.Len() > 0 || len(m.taken) > 0; steps++ {
		if steps > 10000 {
			t.Fatalf("%d links never come through", m.q.Len())
		}
		m.drain()
	}
	for id := range m.next {
		if !m.came[id] {
			t.Errorf("link %d was lost", id)
		}
	}
}

type model struct {
	t     *testing.T
	q     *Queues
	now   time.Time
	next  uint64 // link
	taken []Turn // under way
	came  map[uint64]bool
}

func (m *model) step(op byte) {
	arg := int(op >> 3)
	h := m.q.Host(fmt.Sprint("h", arg%5), false)
	switch op & 7 {
	case 0, 1:
		m.q.Add(h, m.next)
		m.next++
	case 2, 3:
		m.take()
	case 4:
		m.end(arg, time.Duration(arg)*time.Second)
	case 5:
		m.locate(arg)
	case 6:
		if arg%4 > 0 {
			m.now = m.now.Add(time.Duration(arg) * time.Second)
			return
		}
		for _, id := range m.q.BackOff(h) {
			m.came[id] = true
		}
	case 7:
		if arg%3 == 0 && m.next > 0 {
			if id := uint64(arg*7) % m.next; m.q.Withdraw(h, id) {
				m.came[id] = true
			}
			return
		}
		m.q.Delay(h, m.now.Add(time.Duration(arg)*time.Second))
	}
}

func (m *model) take() {
	u, _, ok := m.q.Next(m.now)
	if !ok {
		return
	}
	if m.now.Before(u.Queue.opens) {
		m.t.Fatalf("%s opens %v too early", u.Host.Name, u.Queue.opens.Sub(m.now))
	}
	if int(u.Queue.probes) > m.q.perHost || u.Queue.probes > 1 && !u.Host.Located {
		m.t.Fatalf("%d at once through the queue of %s", u.Queue.probes, u.Host.Name)
	}
	if m.came[u.ID] {
		m.t.Fatalf("link %d came twice", u.ID)
	}
	m.taken = append(m.taken, u)
}

// ended takes a turn from those under way.
func (m *model) ended(which int) (u Turn, ok bool) {
	if len(m.taken) == 0 {
		return u, false
	}
	i := which % len(m.taken)
	u = m.taken[i]
	m.taken = append(m.taken[:i], m.taken[i+1:]...)
	return u, true
}

func (m *model) end(which int, gap time.Duration) {
	if u, ok := m.ended(which); ok {
		m.came[u.ID] = true
		m.q.Done(u, m.now, gap)
	}
}

// locate gives a link back and moves its host to the queue of an address, or of none.
func (m *model) locate(which int) {
	if u, ok := m.ended(which); ok {
		m.q.Locate(u, []string{"", "192.0.2.1", "192.0.2.2"}[which%3])
	}
}

// drain lets time pass until all have come through.
func (m *model) drain() {
	m.take()
	m.end(0, 0)
	if len(m.taken) == 0 && m.q.Len() > 0 {
		u, wait, ok := m.q.Next(m.now)
		if ok {
			m.taken = append(m.taken, u)
		} else if wait < 0 {
			m.t.Fatalf("%d links wait and no queue will open", m.q.Len())
		}
	}
	m.now = m.now.Add(time.Second)
}

// A host that backs off leaves the others of its queue their turns.
func TestBackOffLeavesTheOthers(t *testing.T) {
	q, now := New(1, 0), time.Unix(1e9, 0)
	a, b := q.Host("a", false), q.Host("b", false)
	for id, h := range []*Host{a, b, a} {
		q.Add(h, uint64(id))
	}
	first, _, _ := q.Next(now)
	second, _, _ := q.Next(now)
	q.Locate(first, "192.0.2.1")
	q.Locate(second, "192.0.2.1")
	if a.queue != b.queue {
		t.Fatal("two queues of one address")
	}
	if links := q.BackOff(a); len(links) != 2 || q.Len() != 1 || !a.BackedOff || b.BackedOff {
		t.Errorf("gave back %v, %d are left", links, q.Len())
	}
	if turn, _, ok := q.Next(now); !ok || turn.Host != b {
		t.Fatalf("the turn of %v", turn.Host)
	}
	if turn, wait, ok := q.Next(now); ok || wait >= 0 {
		t.Errorf("%v in %v", turn.Host, wait)
	}
}

// Queues that open at the same time keep the order in which they began to wait, and
// one that is delayed while it waits lets the others pass.
func TestOrderOfWaiting(t *testing.T) {
	q, now := New(1, 0), time.Unix(1e9, 0)
	for i := range 4 {
		h := q.Host(fmt.Sprint(i), true)
		q.Add(h, uint64(i))
		q.Add(h, uint64(i+10))
	}
	for range 4 {
		turn, _, ok := q.Next(now)
		if !ok {
			t.Fatal("nothing is ready")
		}
		q.Done(turn, now, time.Second)
	}
	q.Delay(q.Host("1", true), now.Add(5*time.Second))
	var came []uint64
	for at := now; len(came) < 4; {
		turn, wait, ok := q.Next(at)
		if !ok {
			at = at.Add(wait)
			continue
		}
		came = append(came, turn.ID)
		if after := at.Sub(now); (turn.ID == 11) != (after == 5*time.Second) || after < time.Second {
			t.Errorf("link %d came after %v", turn.ID, after)
		}
		q.Done(turn, at, 0)
	}
	if fmt.Sprint(came) != "[10 12 13 11]" {
		t.Errorf("they came as %v", came)
	}
}

// A host that was located goes on before a host that comes anew: what is known of few
// hosts at a time is little.
func TestLocatedGoesOn(t *testing.T) {
	q, now := New(1, 0), time.Unix(1e9, 0)
	for i := range 3 {
		q.Add(q.Host(fmt.Sprint("h", i), false), uint64(i))
	}
	for i := range 3 {
		for _, locate := range []bool{true, false} {
			turn, _, ok := q.Next(now)
			if !ok || turn.ID != uint64(i) {
				t.Fatalf("link %d in place of %d, %v", turn.ID, i, ok)
			}
			if locate {
				q.Locate(turn, "")
			} else {
				q.Done(turn, now, 0)
			}
		}
		if h := q.At(uint32(i)); h.queue != nil {
			t.Errorf("%s keeps a queue in which nothing is to happen", h.Name)
		}
	}
}

// Hosts whose names have the same hash are two hosts.
func TestAlikeHosts(t *testing.T) {
	q := New(1, 0)
	const many = 3 * hostsPart
	for range 2 {
		for i := range many {
			if h := q.Host(fmt.Sprint("h", i), true); h.Number != uint32(i) || q.At(uint32(i)) != h {
				t.Fatalf("host %d has number %d", i, h.Number)
			}
		}
	}
	hash := uint32(maphash.String(q.seed, "new"))
	q.byName[hash] = 7 // as if the sixth had it
	if h := q.Host("new", true); h.Name != "new" || q.Host("new", true) != h || q.At(6).Name != "h6" || q.Hosts() != many+1 {
		t.Errorf("%q is found for a name with the same hash", h.Name)
	}
}

// TestLimit: one host may have more probes at a time than others, and of hosts that share an
// address the least number holds.
func TestLimit(t *testing.T) {
	q := New(1, 0)
	q.Limit = func(host string) int { return map[string]int{"many": 3, "some": 2}[host] }
	now := time.Unix(1e9, 0)
	turns := func(host string, links int) (n int) {
		for id := range links {
			q.Add(q.Host(host, true), uint64(id))
		}
		for {
			turn, _, ok := q.Next(now)
			if !ok {
				return n
			}
			if turn.Host.Name == host {
				n++
			}
			if turn.Queue.Alone() != (host == "one") {
				t.Errorf("%s: alone %v", host, turn.Queue.Alone())
			}
		}
	}
	for host, want := range map[string]int{"one": 1, "many": 3, "some": 2} {
		if n := turns(host, 5); n != want {
			t.Errorf("%s: %d at a time, want %d", host, n, want)
		}
	}
	q = New(1, 0)
	q.Limit = func(host string) int { return map[string]int{"many": 3, "some": 2}[host] }
	for _, host := range []string{"many", "some"} {
		q.Add(q.Host(host, false), 1)
		q.Add(q.Host(host, false), 2)
	}
	first, _, _ := q.Next(now)
	second, _, _ := q.Next(now)
	q.Locate(first, "address")
	q.Locate(second, "address")
	n := 0
	for _, _, ok := q.Next(now); ok; _, _, ok = q.Next(now) {
		n++
	}
	if n != 2 {
		t.Errorf("together %d at a time, want 2", n)
	}
}
