// Package hostqueue says which link is probed next. Every host has a queue of its
// links, hosts that share an address share one (OUTCOMES 5.1.15; those of a front share
// ten), and a queue lets through one probe at a time, with a gap between two. Queues take turns, so one link
// of each is probed before a second one of any.
//
// It is pure: no network, no goroutines, no clock (the time is an argument). A Queues
// belongs to one goroutine.
//
// A document may name a million hosts, most of them once. So a host is small (some 70
// octets with its name), and has a queue only while there is something to know of that.
package hostqueue

import (
	"container/heap"
	"hash/maphash"
	"time"
)

// Queues holds the links that wait, by host.
type Queues struct {
	// Limit says how many probes at a time the queue of a host lets through, where New was
	// told otherwise; 0: as New was. nil: nothing else. Of hosts that share an address the
	// least number holds.
	Limit func(host string) int

	// Whole says that an address has one queue, front or not: who grants the turns there knows fronts.
	Whole bool

	perHost   int
	gap       time.Duration
	hosts     [][]Host // in parts of hostsPart, so that none is ever moved; by number
	seed      maphash.Seed
	byName    map[uint32]uint32 // hash of a name -> the number of the last host with it, and one
	byAddress map[string]*Queue
	fronts    Fronts
	located   []*Queue // of hosts whose turn was used to locate them: it goes on
	fresh     []uint32 // numbers of hosts that wait without a queue, in turn
	ready     []*Queue // may let a probe through, in turn
	waiting   waiting  // may do so later
	begun     uint64   // how many began to wait
	nodes     []node   // links that wait; the first one is none
	unused    uint32   // node
	links     int
}

// Queue is what hosts that share an address wait in.
type Queue struct {
	hosts  []*Host   // those with links, in turn, and some that have none any more
	opens  time.Time // no probe begins before
	until  time.Time // where it is in waiting: when it is looked at; it may have been delayed since
	nth    uint64    // there: of those that open at one time the one that came first goes first
	probes int32     // under way
	limit  int32     // of them

	AskedPort int32  // of AskedHost
	AskedHost string // the server that has the connection, for the caller; "": none

	listed bool // in located, ready or waiting
	shared bool // hosts that are located later may come to it
}

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
	return &Queues{
		perHost: max(perHost, 1), gap: gap, seed: maphash.MakeSeed(),
		byName: map[uint32]uint32{}, byAddress: map[string]*Queue{}, nodes: make([]node, 1),
	}
}

// queueOf gives the queue of a host, which has one from then on.
func (q *Queues) queueOf(h *Host) *Queue {
	if h.queue == nil {
		h.queue = &Queue{limit: q.limitOf(h)}
		if h.Waits() {
			h.queue.enter(h)
		}
	}
	return h.queue
}

// limitOf is how many probes of a host there may be at a time.
func (q *Queues) limitOf(h *Host) int32 {
	limit := q.perHost
	if q.Limit != nil {
		if n := q.Limit(h.Name); n > 0 {
			limit = n
		}
	}
	return int32(limit)
}

// Alone says whether the queue lets through one probe at a time.
func (s *Queue) Alone() bool { return s.limit == 1 }

// Next takes the link whose turn it is now. Without one, wait is the time until the
// next queue opens; less than zero: until a turn ends or a link is added.
func (q *Queues) Next(now time.Time) (t Turn, wait time.Duration, ok bool) {
	if next := q.opened(&q.located, now); next != nil {
		return q.begin(next, now), 0, true
	}
	for len(q.fresh) > 0 { // of every host one link comes before a second one of any
		h := q.At(q.fresh[0])
		q.fresh, h.listed = q.fresh[1:], false
		if next := h.queue; next != nil { // it was delayed
			q.list(next)
		} else if h.Waits() {
			return q.begin(q.queueOf(h), now), 0, true
		}
	}
	for len(q.waiting) > 0 && !now.Before(q.waiting[0].until) {
		q.ready = append(q.ready, heap.Pop(&q.waiting).(*Queue))
	}
	if next := q.opened(&q.ready, now); next != nil {
		return q.begin(next, now), 0, true
	}
	if len(q.waiting) > 0 {
		return Turn{}, q.waiting[0].until.Sub(now), false
	}
	return Turn{}, -1, false
}

// opened takes queues from a list up to the first that lets a probe through; nil: none.
func (q *Queues) opened(list *[]*Queue, now time.Time) *Queue {
	for len(*list) > 0 {
		next := (*list)[0]
		*list = (*list)[1:]
		if next.listed = false; q.free(next) && !next.opens.After(now) {
			return next
		}
		q.list(next)
	}
	return nil
}

func (q *Queues) begin(next *Queue, now time.Time) Turn {
	h := next.first()
	t := Turn{ID: q.take(h), Host: h, Queue: next}
	next.hosts, h.queued = next.hosts[1:], false
	if h.Waits() {
		next.enter(h)
	}
	next.probes++
	if next.limit > 1 && q.gap > 0 && h.Located {
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
	if s := t.Queue; t.Host.queue == s && s.idle(now) {
		t.Host.queue = nil
	}
}

// idle says whether a queue is as if nothing had ever happened in it.
func (s *Queue) idle(now time.Time) bool {
	return s.first() == nil && s.probes == 0 && !s.listed && !s.shared && s.AskedHost == "" && !s.opens.After(now)
}

// Delay lets no probe of the queue of a host begin before a time.
func (q *Queues) Delay(h *Host, until time.Time) { q.queueOf(h).delay(until) }

// Opens is the time before which no probe of a host begins; zero: any.
func (q *Queues) Opens(h *Host) (at time.Time) {
	if h.queue != nil {
		at = h.queue.opens
	}
	return at
}

func (s *Queue) delay(until time.Time) {
	if until.After(s.opens) {
		s.opens = until
	}
}

// free says whether a queue has a link and may let it through: one at a time while the
// host is not located.
func (q *Queues) free(s *Queue) bool {
	h := s.first()
	return h != nil && (s.probes == 0 || s.probes < s.limit && h.Located)
}

// first is the host whose turn is next; nil: no link waits. A host whose links were taken back
// stands in its queue until it comes to the front, for a million may share one.
func (s *Queue) first() *Host {
	for len(s.hosts) > 0 {
		h := s.hosts[0]
		if h.Waits() {
			return h
		}
		s.hosts, h.queued = s.hosts[1:], false
	}
	return nil
}

// enter puts a host behind the others, unless it still stands among them.
func (s *Queue) enter(h *Host) {
	if !h.queued {
		h.queued = true
		s.hosts = append(s.hosts, h)
	}
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
	q.begun++
	s.until, s.nth = s.opens, q.begun
	heap.Push(&q.waiting, s)
}

// waiting is a heap of queues, with the one that opens next at its top.
type waiting []*Queue

func (w waiting) Len() int { return len(w) }
func (w waiting) Less(i, j int) bool {
	if order := w[i].until.Compare(w[j].until); order != 0 {
		return order < 0
	}
	return w[i].nth < w[j].nth
}
func (w waiting) Swap(i, j int) { w[i], w[j] = w[j], w[i] }
func (w *waiting) Push(x any)   { *w = append(*w, x.(*Queue)) }
func (w *waiting) Pop() any {
	last := len(*w) - 1
	s := (*w)[last]
	*w = (*w)[:last]
	return s
}
