// Package hostqueue says which link is probed next. Every host has a queue of its
// links, hosts that share an address share one (OUTCOMES 5.1.15), and a queue lets
// through one probe at a time, with a gap between two. Queues take turns, so one link
// of each is probed before a second one of any.
//
// It is pure: no network, no goroutines, no clock (the time is an argument). A Queues
// belongs to one goroutine.
package hostqueue

import (
	"slices"
	"sort"
	"time"
)

// Queues holds the links that wait, by host.
type Queues struct {
	perHost   int
	gap       time.Duration
	hosts     map[string]*Host
	byAddress map[string]*Queue
	ready     []*Queue  // may let a probe through, in turn
	waiting   []opening // may do so later, the next one first
	links     int
}

// Queue is what hosts that share an address wait in.
type Queue struct {
	hosts  []*Host   // those with links, in turn
	probes int       // under way
	opens  time.Time // no probe begins before
	listed bool      // in ready or waiting

	AskedHost string // the server that has the connection, for the caller; "": none
	AskedPort int
}

// opening is a queue that waits until at. It may have been delayed since.
type opening struct {
	at    time.Time
	queue *Queue
}

// Host is one server name and the links that wait for it.
type Host struct {
	Name      string
	Located   bool // its address was looked for, or need not be
	BackedOff bool // it asked to be left alone; what is added nevertheless takes its turn
	queue     *Queue
	links     []uint64
}

// Waiting gives the links that wait, the next one first. They must not be changed,
// and are as they were only until the queues are used again.
func (h *Host) Waiting() []uint64 { return h.links }

// Turn is a link whose turn it is. It ends with Done or Locate.
type Turn struct {
	ID    uint64
	Host  *Host
	Queue *Queue // of the host when the turn began
}

// New makes queues that let through perHost probes at a time, at least one. If it is
// more than one, gap is the time between the beginnings of two probes; if it is one,
// gap means nothing, and the time after each probe is given to Done.
func New(perHost int, gap time.Duration) *Queues {
	return &Queues{perHost: max(perHost, 1), gap: gap, hosts: map[string]*Host{}, byAddress: map[string]*Queue{}}
}

// Host finds the host of a name, or makes it. A new one that is not located lets
// through one probe at a time until Locate has been called for it: others may
// share its address.
func (q *Queues) Host(name string, located bool) *Host {
	h, ok := q.hosts[name]
	if !ok {
		h = &Host{Name: name, queue: &Queue{}, Located: located}
		q.hosts[name] = h
	}
	return h
}

// Hosts counts the hosts that were ever named.
func (q *Queues) Hosts() int { return len(q.hosts) }

// Len counts the links that wait.
func (q *Queues) Len() int { return q.links }

// Add puts a link behind the others of its host.
func (q *Queues) Add(h *Host, id uint64) {
	if h.links = append(h.links, id); len(h.links) == 1 {
		h.queue.hosts = append(h.queue.hosts, h)
	}
	q.links++
	q.list(h.queue)
}

// Next takes the link whose turn it is now. Without one, wait is the time until the
// next queue opens; less than zero: until a turn ends or a link is added.
func (q *Queues) Next(now time.Time) (t Turn, wait time.Duration, ok bool) {
	for len(q.waiting) > 0 && !now.Before(q.waiting[0].at) {
		q.ready = append(q.ready, q.waiting[0].queue)
		q.waiting = q.waiting[1:]
	}
	for len(q.ready) > 0 {
		next := q.ready[0]
		q.ready = q.ready[1:]
		if next.listed = false; next.opens.After(now) || !q.free(next) {
			q.list(next)
			continue
		}
		return q.begin(next, now), 0, true
	}
	if len(q.waiting) > 0 {
		return Turn{}, q.waiting[0].at.Sub(now), false
	}
	return Turn{}, -1, false
}

func (q *Queues) begin(next *Queue, now time.Time) Turn {
	h := next.hosts[0]
	t := Turn{ID: h.links[0], Host: h, Queue: next}
	h.links = h.links[1:]
	if next.hosts = next.hosts[1:]; len(h.links) > 0 {
		next.hosts = append(next.hosts, h)
	}
	q.links--
	next.probes++
	if q.perHost > 1 && q.gap > 0 && h.Located {
		next.opens = now.Add(q.gap)
	}
	q.list(next)
	return t
}

// Done ends a turn. The next one of its queue begins after gap.
func (q *Queues) Done(t Turn, now time.Time, gap time.Duration) {
	t.Queue.probes--
	if gap > 0 {
		t.Queue.delay(now.Add(gap))
	}
	q.list(t.Queue)
}

// Delay lets no probe of the queue of a host begin before a time.
func (q *Queues) Delay(h *Host, until time.Time) { h.queue.delay(until) }

func (s *Queue) delay(until time.Time) {
	if until.After(s.opens) {
		s.opens = until
	}
}

// Locate ends a turn that was used to find the address of its host. Its link becomes
// the first of its host again, in the queue of all hosts with that address. Without an
// address ("") the host keeps its own queue.
func (q *Queues) Locate(t Turn, address string) {
	h := t.Host
	h.Located = true
	h.links = slices.Insert(h.links, 0, t.ID)
	q.links++
	t.Queue.probes--
	if len(h.links) == 1 {
		h.queue.hosts = slices.Insert(h.queue.hosts, 0, h)
	}
	if shared := q.byAddress[address]; shared != nil && shared != h.queue {
		h.queue.remove(h)
		h.queue = shared
		shared.hosts = append(shared.hosts, h)
	} else if address != "" {
		q.byAddress[address] = h.queue
	}
	q.list(t.Queue)
	q.list(h.queue)
}

// BackOff removes and returns all links of a host that asks to be left alone.
func (q *Queues) BackOff(h *Host) (links []uint64) {
	links, h.links, h.BackedOff = h.links, nil, true
	q.links -= len(links)
	h.queue.remove(h)
	return links
}

func (s *Queue) remove(h *Host) {
	s.hosts = slices.DeleteFunc(s.hosts, func(x *Host) bool { return x == h })
}

// free says whether a queue has a link and may let it through: one at a time while the
// host is not located.
func (q *Queues) free(s *Queue) bool {
	return len(s.hosts) > 0 && (s.probes == 0 || s.probes < q.perHost && s.hosts[0].Located)
}

// list puts a queue into ready or waiting, if it has a link to let through. It may
// have none when its turn comes: Next looks again.
func (q *Queues) list(s *Queue) {
	if s.listed || !q.free(s) {
		return
	}
	s.listed = true
	if s.opens.IsZero() {
		q.ready = append(q.ready, s)
		return
	}
	i := sort.Search(len(q.waiting), func(i int) bool { return q.waiting[i].at.After(s.opens) })
	q.waiting = slices.Insert(q.waiting, i, opening{s.opens, s})
}
