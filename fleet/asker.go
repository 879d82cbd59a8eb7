package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

const (
	asksPerSlot = 4                    // of a worker, so that turns do not lie about unused
	gather      = 5 * time.Millisecond // for so long messages wait for others to the same keeper
	mostTold    = 1000                 // in one message
)

// Asker has the turns of the probes of a shard (crawl.Gates): it asks the keepers of gates.
// It is safe for concurrent use.
type Asker struct {
	name   string // its own; two shards of a worker are two
	claim  uint64 // of the shard
	shards int
	engine Engine
	times  Times
	sure   func() bool
	most   func() int // asks that are out; called with mu held

	mu      sync.Mutex
	last    uint64
	waiting []*ask                // to be asked
	out     map[string]*ask       // asked, by id
	held    map[visited][]*ask    // turns
	kept    []*ask                // turns that ended and left a session open, the last one last
	told    map[int][]turnMessage // what goes out next, by shard
	sending bool                  // it will go out
	claims  map[int]uint64        // the last claim that a keeper of a shard spoke under
}

// visited is a gate, and whose turn is asked for there.
type visited struct{ gate, site string }

type ask struct {
	id string
	visited
	granted func(until time.Time)
	asked   time.Time
	until   time.Time // of the turn, then of a session that it left open
	others  bool
}

// says is a message about it.
func (t *ask) says(op string) turnMessage {
	return turnMessage{V: turnVersion, Op: op, Gate: t.gate, Site: t.site, ID: t.id}
}

// newAsker makes the asker of a shard under a claim.
func newAsker(o *Options, shard int, claim uint64, sure func() bool, most func() int) *Asker {
	return &Asker{
		name: o.Name + "." + shardName(shard), claim: claim, shards: o.Shards, engine: o.Engine, times: o.Times, sure: sure, most: most,
		out: map[string]*ask{}, held: map[visited][]*ask{}, told: map[int][]turnMessage{}, claims: map[int]uint64{},
	}
}

// start begins to hear of turns. end gives back what was not answered.
func (a *Asker) start() (end func(), err error) {
	stop, err := a.engine.Hear("go."+a.name, a.hear)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var repeating sync.WaitGroup
	repeating.Go(func() {
		for pause(ctx, time.Second) == nil {
			a.repeat()
		}
	})
	return func() {
		cancel()
		repeating.Wait()
		a.mu.Lock()
		for _, ask := range a.out {
			a.tell(ask.says("back"))
		}
		a.mu.Unlock()
		a.send()
		stop()
	}, nil
}

// Ask waits for the turn at a gate, of a site where the gate is an address. granted is called
// when it is there: a probe may begin within a second, if the worker is sure then, and has to end
// by until. Each turn that was granted ends with Done.
func (a *Asker) Ask(gate, site string, granted func(until time.Time)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting = append(a.waiting, &ask{visited: visited{gate, site}, granted: granted})
	a.fill()
}

// Done ends the turn at a gate. The next one begins after gap at the soonest; 0: nothing was
// asked there. leave ends the session that the prober holds open at the gate; nil: there is
// none.
func (a *Asker) Done(gate, site string, gap time.Duration, leave func()) {
	a.mu.Lock()
	at := visited{gate, site}
	now, list := time.Now(), a.held[at]
	for len(list) > 1 && !now.Before(list[0].until) { // it has lapsed
		list = list[1:]
	}
	if len(list) == 0 {
		a.mu.Unlock()
		return
	}
	turn := list[0]
	if a.held[at] = list[1:]; len(list) == 1 {
		delete(a.held, at)
	}
	a.mu.Unlock()
	m := turn.says("done")
	m.Gap = gap.Milliseconds()
	switch {
	case gap <= 0:
		m.Op = "back"
	case leave != nil && (turn.others || !now.Before(turn.until)):
		leave() // before another one comes; that may be soon, or now where the turn has lapsed
	default:
		m.Kept = leave != nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tell(m); m.Kept {
		a.keep(turn, now)
	}
}

// keep remembers that a turn left a session open, and forgets those that have ended by
// themselves; a.mu is held.
func (a *Asker) keep(turn *ask, now time.Time) {
	turn.granted, turn.until = nil, now.Add(a.times.Idle)
	for len(a.kept) > 0 && now.After(a.kept[0].until) {
		a.kept = a.kept[1:]
	}
	a.kept = append(a.kept, turn)
}

// left says that no session is open any more that Done left so: the others need not wait until
// it would have ended by itself.
func (a *Asker) left() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, turn := range a.kept {
		a.tell(turn.says("left"))
	}
	a.kept = nil
}

// fill sends asks out, while the worker is sure and not too many are; a.mu is held.
func (a *Asker) fill() {
	for most := a.most(); len(a.waiting) > 0 && len(a.out) < most && a.sure(); {
		next := a.waiting[0]
		a.waiting = a.waiting[1:]
		a.last++
		next.id, next.asked = fmt.Sprintf("%s/%d/%d", a.name, a.claim, a.last), time.Now()
		a.out[next.id] = next
		a.tell(next.says("ask"))
	}
}

// tell sends a message with the others of the next moment; a.mu is held.
func (a *Asker) tell(m turnMessage) {
	m.From = a.name
	n := place(m.Gate, a.shards)
	a.told[n] = append(a.told[n], m)
	if !a.sending {
		a.sending = true
		time.AfterFunc(gather, a.send)
	}
}

func (a *Asker) send() {
	a.mu.Lock()
	told := a.told
	a.told, a.sending = map[int][]turnMessage{}, false
	a.mu.Unlock()
	for shard, list := range told {
		sendAll(a.engine, "turn."+shardName(shard), list)
	}
}

// hear takes what keepers said.
func (a *Asker) hear(msg []byte) {
	var list []goMessage
	if json.Unmarshal(msg, &list) != nil {
		return
	}
	a.mu.Lock()
	var granted []*ask
	for _, m := range list {
		if turn := a.take(&m); turn != nil {
			granted = append(granted, turn)
		}
	}
	a.fill()
	a.mu.Unlock()
	for _, turn := range granted {
		turn.granted(turn.until)
	}
}

// take gives the ask that a go answers; nil: nobody is to have it. A turn of which nothing is
// known is not given back: the message that ends it may be on its way, and if it is lost the
// turn lapses. a.mu is held.
func (a *Asker) take(m *goMessage) *ask {
	shard := place(m.Gate, a.shards)
	turn := a.out[m.ID]
	if m.V != turnVersion || turn == nil || m.Claim < a.claims[shard] { // known, or of a keeper that is none any more
		return nil
	}
	a.claims[shard] = m.Claim
	delete(a.out, m.ID)
	if !a.sure() { // the go may be an old one
		a.tell(turn.says("back"))
		a.waiting = append(a.waiting, turn)
		return nil
	}
	turn.until, turn.others = time.Now().Add(time.Duration(m.MS)*time.Millisecond), m.Others
	a.held[turn.visited] = append(a.held[turn.visited], turn)
	return turn
}

// repeat asks again for what was not answered for long: keepers come and go.
func (a *Asker) repeat() {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	for _, w := range a.out {
		if a.sure() && now.Sub(w.asked) >= a.times.Repeat {
			w.asked = now
			a.tell(w.says("ask"))
		}
	}
	a.fill()
}
