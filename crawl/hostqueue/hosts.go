package hostqueue

import (
	"hash/maphash"
	"iter"
	"slices"
	"strings"
)

// Host is one server name and the links that wait for it.
type Host struct {
	Name        string
	queue       *Queue // nil: one of its own in which nothing has happened
	first, last uint32 // nodes
	alike       uint32 // the host before with the same hash of its name, and one
	Number      uint32 // hosts are numbered from 0 as they are named
	Located     bool   // its address was looked for, or need not be
	BackedOff   bool   // it asked to be left alone; what is added nevertheless takes its turn
	listed      bool   // in fresh
	queued      bool   // among the hosts of its queue
}

// Waits says whether links wait for the host.
func (h *Host) Waits() bool { return h.first != 0 }

const hostsPart = 1024

// node is a link that waits, and the one behind it in its host; 0: none.
type node struct {
	id   uint64
	next uint32
}

// Host finds the host of a name, or makes it. A new one that is not located lets
// through one probe at a time until Locate has been called for it: others may
// share its address.
func (q *Queues) Host(name string, located bool) *Host {
	hash := uint32(maphash.String(q.seed, name))
	for n := q.byName[hash]; n != 0; n = q.At(n - 1).alike {
		if h := q.At(n - 1); h.Name == name {
			return h
		}
	}
	last := len(q.hosts) - 1
	if last < 0 || len(q.hosts[last]) == hostsPart {
		q.hosts, last = append(q.hosts, make([]Host, 0, hostsPart)), last+1
	}
	number := uint32(q.Hosts())
	q.hosts[last] = append(q.hosts[last], Host{Name: strings.Clone(name), Located: located, Number: number, alike: q.byName[hash]})
	q.byName[hash] = number + 1
	return q.At(number)
}

// Hosts counts the hosts that were ever named.
func (q *Queues) Hosts() int {
	if len(q.hosts) == 0 {
		return 0
	}
	return (len(q.hosts)-1)*hostsPart + len(q.hosts[len(q.hosts)-1])
}

// At gives the host with a number less than Hosts.
func (q *Queues) At(number uint32) *Host { return &q.hosts[number/hostsPart][number%hostsPart] }

// Len counts the links that wait.
func (q *Queues) Len() int { return q.links }

// Waiting yields the links that wait for a host, the next one first, until the queues
// are used again.
func (q *Queues) Waiting(h *Host) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for n := h.first; n != 0 && yield(q.nodes[n].id); n = q.nodes[n].next {
		}
	}
}

// Ahead gives the hosts whose turns come next, about in their order; at most so many places are
// looked at.
func (q *Queues) Ahead(most int) (hosts []*Host) {
	for _, n := range q.fresh[:min(most, len(q.fresh))] {
		if h := q.At(n); h.Waits() {
			hosts = append(hosts, h)
		}
	}
	for _, list := range [][]*Queue{q.ready, q.waiting} {
		for _, s := range list[:min(most-len(hosts), len(list))] {
			if h := s.first(); h != nil {
				hosts = append(hosts, h)
			}
		}
	}
	return hosts
}

// Reserve makes room for so many links more.
func (q *Queues) Reserve(links int) { q.nodes = slices.Grow(q.nodes, links) }

// Add puts a link behind the others of its host.
func (q *Queues) Add(h *Host, id uint64) {
	n := q.node(id)
	if h.Waits() {
		q.nodes[h.last].next = n
	} else if h.first = n; h.queue != nil {
		h.queue.enter(h)
	}
	h.last = n
	q.links++
	switch {
	case h.queue != nil:
		q.list(h.queue)
	case !h.listed:
		h.listed = true
		q.fresh = append(q.fresh, h.Number)
	}
}

// node makes the node of a link.
func (q *Queues) node(id uint64) uint32 {
	n := q.unused
	if n == 0 {
		q.nodes = append(q.nodes, node{id: id})
		return uint32(len(q.nodes) - 1)
	}
	q.unused = q.nodes[n].next
	q.nodes[n] = node{id: id}
	return n
}

// take takes the next link of a host.
func (q *Queues) take(h *Host) (id uint64) {
	n := h.first
	id, h.first = q.nodes[n].id, q.nodes[n].next
	q.nodes[n].next, q.unused = q.unused, n
	q.links--
	return id
}
