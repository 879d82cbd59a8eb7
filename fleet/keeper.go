package fleet

import (
	"container/heap"
	"slices"
	"time"

	"linkcheck/crawl/hostqueue"
)

// Times are those that all workers of a fleet share.
type Times struct {
	Renew  time.Duration // between two renewals of a session
	Sure   time.Duration // for so long after a confirmed renewal was sent nobody else can have taken over
	Absent time.Duration // for so long a session has to be seen absent before its shards are taken
	Look   time.Duration // between two looks at who lives and what is free
	Probe  time.Duration // the longest that a probe takes
	Gap    time.Duration // the least time between two probes of a gate
	Idle   time.Duration // for so long a prober keeps a session that it may use again
	Repeat time.Duration // between two asks for the same turn
	Copy   time.Duration // between two copies of a shard
}

// SessionTTL is how long a session lives after a renewal: longer than anybody is sure of it.
const SessionTTL = 15 * time.Second

// UsualTimes are those of OUTCOMES 5.1.15 and of a probe of 20 s for the address and as much
// for the answer.
func UsualTimes() Times {
	return Times{
		Renew: 3 * time.Second, Sure: 10 * time.Second, Absent: 2 * time.Second, Look: time.Second, Probe: 45 * time.Second, Gap: 2 * time.Second,
		Idle: 10 * time.Second, Repeat: 10 * time.Second, Copy: 30 * time.Minute,
	}
}

// turnMessage is what an asker tells the keeper of a gate.
type turnMessage struct {
	V    int    `json:"v"`
	Op   string `json:"op"` // ask; done; back: of a turn that was not used, or that nobody waits for any more; left: of one that has ended, the session that was kept is closed
	Gate string `json:"gate"`
	Site string `json:"site,omitempty"` // where the gate is an address: of whom the turn is
	From string `json:"from"`           // asker
	ID   string `json:"id"`             // of the ask
	Gap  int64  `json:"gap_ms,omitempty"`
	Kept bool   `json:"kept,omitempty"` // done: a session was left open for the next probe
}

// goMessage is the answer: the turn is there.
type goMessage struct {
	V      int    `json:"v"`
	Gate   string `json:"gate"`
	ID     string `json:"id"`
	Claim  uint64 `json:"claim"`            // under which the keeper speaks
	MS     int64  `json:"ms"`               // how long the turn lasts
	Others bool   `json:"others,omitempty"` // other askers wait at the gate
}

const turnVersion = 1

// keeper keeps the gates of a shard: one turn at a time at each, and a gap between two. It
// has no clock, no network and no goroutine.
type keeper struct {
	times  Times
	claim  uint64
	from   time.Time // it grants nothing before
	fronts hostqueue.Fronts
	gates  map[string]*gate // by their keys
	due    gateHeap         // gates at which something is to be done at a time
}

type gate struct {
	key   string // the name, or that of a part of a front
	name  string
	queue []waiter
	in    waiter    // who has the turn; ID "": nobody
	ends  time.Time // of that turn, whether it is given back or not
	tell  bool      // it has to be told again that it has it
	opens time.Time // for all
	last  waiter    // who was in last; from "": until idle several may hold a session open
	idle  time.Time // for the others: until then that one may hold a session open
	at    time.Time // when to look at it; where it is in due
	index int       // in due; -1: it is not there
}

type waiter struct{ id, from string }

func newKeeper(t Times, claim uint64, from time.Time) *keeper {
	return &keeper{times: t, claim: claim, from: from, gates: map[string]*gate{}}
}

// hear takes what askers said.
func (k *keeper) hear(now time.Time, list []turnMessage) {
	for _, m := range list {
		if m.V != turnVersion || m.Gate == "" || m.ID == "" || m.From == "" {
			continue
		}
		key := k.fronts.Share(m.Gate, m.Site)
		g := k.gates[key]
		if g == nil {
			g = &gate{key: key, name: m.Gate, index: -1}
			k.gates[key] = g
		}
		switch w := (waiter{m.ID, m.From}); {
		case m.Op == "ask":
			g.ask(w)
		case m.Op == "done":
			g.done(now, w, time.Duration(max(m.Gap, 0))*time.Millisecond, m.Kept, k.times)
		case m.Op == "left":
			if g.last == w && g.idle.After(now) {
				g.idle = now
			}
		case g.in == w:
			g.free()
		default:
			g.queue = slices.DeleteFunc(g.queue, func(other waiter) bool { return other == w })
		}
		k.look(g, now)
	}
}

// ask lets an asker wait. One that has the turn and asks does not know that.
func (g *gate) ask(w waiter) {
	if g.in == w {
		g.tell = true
	} else if !slices.Contains(g.queue, w) {
		g.queue = append(g.queue, w)
	}
}

// free says that nobody has the turn.
func (g *gate) free() { g.in, g.tell = waiter{}, false }

// done ends a turn. One that this keeper has not given, or holds for ended, was a probe too.
// Its end comes late there: somebody else may have been in since, who holds a session open.
func (g *gate) done(now time.Time, w waiter, gap time.Duration, kept bool, t Times) {
	others := g.idle.After(now) && g.last.from != w.from
	if g.in == w {
		if g.free(); !others {
			g.idle = now
		}
	}
	if g.last = w; others {
		g.last = waiter{}
	}
	g.opens = later(g.opens, now.Add(gap))
	if kept {
		g.idle = now.Add(t.Idle)
	}
}

// next is when the first who waits may go.
func (g *gate) next() time.Time {
	if g.queue[0].from != g.last.from && g.idle.After(g.opens) {
		return g.idle
	}
	return g.opens
}

// look puts a gate where it is looked at when something is to be done there; one of which
// nothing is to be known is forgotten.
func (k *keeper) look(g *gate, now time.Time) {
	switch {
	case g.tell:
		g.at = now
	case g.in.id != "":
		g.at = g.ends
	case len(g.queue) > 0:
		g.at = g.next()
	case g.opens.After(now) || g.idle.After(now):
		g.at = later(g.opens, g.idle)
	default:
		if g.key == g.name {
			k.fronts.Forget(g.name)
		}
		if delete(k.gates, g.key); g.index >= 0 {
			heap.Remove(&k.due, g.index)
		}
		return
	}
	if g.index >= 0 {
		heap.Fix(&k.due, g.index)
	} else {
		heap.Push(&k.due, g)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// grant gives the turns that are due, by asker, and says when it is to be called again;
// zero: when something was heard.
func (k *keeper) grant(now time.Time) (gos map[string][]goMessage, again time.Time) {
	gos = map[string][]goMessage{}
	for len(k.due) > 0 && !k.due[0].at.After(now) {
		g := k.due[0]
		switch {
		case g.tell:
			k.say(g, now, gos)
		case g.in.id != "": // it was not given back: whoever had it is through by now
			g.done(now, g.in, k.times.Gap, true, k.times)
		case len(g.queue) > 0 && now.Before(k.from):
			return gos, k.from
		case len(g.queue) > 0:
			g.in, g.queue = g.queue[0], g.queue[1:]
			k.say(g, now, gos)
		}
		k.look(g, now)
	}
	if len(k.due) > 0 {
		again = k.due[0].at
	}
	return gos, again
}

// say tells who is in that it has the turn, which lasts from now on. At a front nobody keeps a
// session: who comes next is mostly another.
func (k *keeper) say(g *gate, now time.Time, gos map[string][]goMessage) {
	lasts := k.times.turn()
	g.ends, g.tell = now.Add(lasts), false
	others := k.fronts.Has(g.name) || slices.ContainsFunc(g.queue, func(w waiter) bool { return w.from != g.in.from })
	gos[g.in.from] = append(gos[g.in.from], goMessage{turnVersion, g.name, g.in.id, k.claim, lasts.Milliseconds(), others})
}

// turn is how long a turn lasts that is not given back: a probe that begins as late as it
// may is through by then.
func (t Times) turn() time.Duration { return t.Probe + 5*goFresh }

// goFresh is how old a go may be when its probe begins.
const goFresh = time.Second

// quiet is how long a keeper grants nothing where the turns are not known that were given
// before it: until their probes are through, and what lies between those of two askers.
func (t Times) quiet() time.Duration { return t.Probe + goFresh + t.between() }

// between is how long after a probe another asker may come, of which nothing is told: a gap has
// passed then, and a session that was kept has ended.
func (t Times) between() time.Duration { return max(t.Gap, t.Idle) }

// isEmpty says that no turn is out and no gap open, nor may one be that was given before.
func (k *keeper) isEmpty(now time.Time) bool {
	if now.Before(k.from) {
		return false
	}
	for _, g := range k.gates {
		if g.in.id != "" && g.ends.Add(k.times.between()).After(now) || g.opens.After(now) || g.idle.After(now) {
			return false
		}
	}
	return true
}

// gateHeap has the gate that is due first at its top.
type gateHeap []*gate

func (h gateHeap) Len() int           { return len(h) }
func (h gateHeap) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h gateHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i]; h[i].index, h[j].index = i, j }
func (h *gateHeap) Push(x any)        { g := x.(*gate); g.index = len(*h); *h = append(*h, g) }
func (h *gateHeap) Pop() any {
	g := (*h)[len(*h)-1]
	g.index = -1
	*h = (*h)[:len(*h)-1]
	return g
}
