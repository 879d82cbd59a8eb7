package crawl

import (
	"container/heap"
	"slices"
	"time"

	"linkcheck/uri"
)

// host is one server name and the links that wait for it.
type host struct {
	name   string
	gate   *gate
	queue  []uint64
	placed bool // its address is known, or not to be asked for

	alive   bool // it answered at its last check before this run
	resting bool // it asked to be left alone for the rest of the run
	probed  int
	weak    int // of them failed weakly
}

// gate lets through one probe at a time (or so many as are allowed), with a gap.
// Names that share an address share a gate (OUTCOMES 5.1.15).
type gate struct {
	hosts    []*host // that have links waiting, in turn
	inflight int
	next     time.Time    // not before
	asked    uri.Endpoint // last, of its servers
	queued   bool         // in ready or waiting
	index    int          // in waiting
}

// gates knows which gate is next. It belongs to one goroutine and never waits:
// gates that are ready stand in a queue, so hosts take turns (breadth first), the
// others in a heap by their time.
type gates struct {
	perHost int
	byName  bool // hosts are told apart by name alone
	ready   []*gate
	waiting gateHeap
	hosts   map[string]*host
	byAddr  map[string]*gate
	left    int // links that wait
}

func newGates(perHost int) *gates {
	return &gates{perHost: max(perHost, 1), hosts: map[string]*host{}, byAddr: map[string]*gate{}}
}

// host finds or makes the host of a name.
func (g *gates) host(name string) *host {
	h, ok := g.hosts[name]
	if !ok {
		h = &host{name: name, gate: &gate{}, placed: g.byName || isNameless(name)}
		g.hosts[name] = h
	}
	return h
}

// add puts a link at the end of its host's queue.
func (g *gates) add(h *host, id uint64) {
	if h.queue = append(h.queue, id); len(h.queue) == 1 {
		h.gate.hosts = append(h.gate.hosts, h)
	}
	g.left++
	g.offer(h.gate)
}

// offer queues a gate if it has work and room.
func (g *gates) offer(t *gate) {
	if t.queued || len(t.hosts) == 0 || t.inflight >= g.room(t) {
		return
	}
	t.queued = true
	if t.next.IsZero() {
		g.ready = append(g.ready, t)
	} else {
		heap.Push(&g.waiting, t)
	}
}

// room is how many a gate lets through at a time: one while its host's address is
// not known, which others may share.
func (g *gates) room(t *gate) int {
	if !t.hosts[0].placed {
		return 1
	}
	return g.perHost
}

// peek gives the host whose turn it is, or nil and how long nothing will be ready
// (negative: until something ends).
func (g *gates) peek(now time.Time) (*host, time.Duration) {
	for len(g.waiting) > 0 && !now.Before(g.waiting[0].next) {
		g.ready = append(g.ready, heap.Pop(&g.waiting).(*gate))
	}
	if len(g.ready) > 0 {
		return g.ready[0].hosts[0], 0
	}
	if len(g.waiting) > 0 {
		return nil, g.waiting[0].next.Sub(now)
	}
	return nil, -1
}

// take starts the link that peek promised: the first of the host's queue.
func (g *gates) take(now time.Time, gap time.Duration) {
	t := g.ready[0]
	g.ready = g.ready[1:]
	t.queued = false
	h := t.hosts[0]
	h.queue = h.queue[1:]
	if t.hosts = t.hosts[1:]; len(h.queue) > 0 {
		t.hosts = append(t.hosts, h)
	}
	g.left--
	t.inflight++
	if g.perHost > 1 && gap > 0 && h.placed {
		t.next = now.Add(gap)
	}
	g.offer(t)
}

// end frees the place of a probe; the next one starts after the gap.
func (g *gates) end(t *gate, now time.Time, gap time.Duration) {
	t.inflight--
	if gap > 0 {
		g.delay(t, now.Add(gap))
	}
	g.offer(t)
}

// delay holds a gate shut until a time.
func (g *gates) delay(t *gate, until time.Time) {
	if !until.After(t.next) {
		return
	}
	t.next = until
	if !t.queued {
		return
	}
	if t.index < len(g.waiting) && g.waiting[t.index] == t {
		heap.Fix(&g.waiting, t.index)
		return
	}
	for i, r := range g.ready {
		if r == t {
			g.ready = append(g.ready[:i], g.ready[i+1:]...)
			heap.Push(&g.waiting, t)
			return
		}
	}
}

// back returns a link that was taken and not probed to the head of its queue.
func (g *gates) back(t *gate, h *host, id uint64) {
	t.inflight--
	g.offer(t)
	h.queue = slices.Insert(h.queue, 0, id)
	if len(h.queue) == 1 {
		h.gate.hosts = append([]*host{h}, h.gate.hosts...)
	}
	g.left++
	g.offer(h.gate)
}

// place moves a host to the gate of its address.
func (g *gates) place(h *host, addr string) {
	h.placed = true
	old, t := h.gate, g.byAddr[addr]
	if t == nil {
		g.byAddr[addr] = old
		return
	}
	if t == old {
		return
	}
	for i, x := range old.hosts {
		if x == h {
			old.hosts = append(old.hosts[:i], old.hosts[i+1:]...)
			t.hosts = append(t.hosts, h)
			break
		}
	}
	h.gate = t
	if old.queued && len(old.hosts) == 0 {
		g.forget(old)
	}
	g.offer(t)
}

// forget takes a gate without work out of the queues.
func (g *gates) forget(t *gate) {
	t.queued = false
	if t.index < len(g.waiting) && g.waiting[t.index] == t {
		heap.Remove(&g.waiting, t.index)
		return
	}
	for i, r := range g.ready {
		if r == t {
			g.ready = append(g.ready[:i], g.ready[i+1:]...)
			return
		}
	}
}

// drop empties the queue of a host and gives the links it held.
func (g *gates) drop(h *host) []uint64 {
	links := h.queue
	if len(links) == 0 {
		return nil
	}
	h.queue = nil
	g.left -= len(links)
	t := h.gate
	for i, x := range t.hosts {
		if x == h {
			t.hosts = append(t.hosts[:i], t.hosts[i+1:]...)
			break
		}
	}
	if t.queued && len(t.hosts) == 0 {
		g.forget(t)
	}
	return links
}

// gateHeap orders gates by the time they open.
type gateHeap []*gate

func (h gateHeap) Len() int           { return len(h) }
func (h gateHeap) Less(i, j int) bool { return h[i].next.Before(h[j].next) }
func (h gateHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *gateHeap) Push(x any) {
	t := x.(*gate)
	t.index = len(*h)
	*h = append(*h, t)
}
func (h *gateHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	*h = old[:len(old)-1]
	return t
}
