package crawl

import (
	"context"
	"fmt"
	"sync"
	"time"

	"linkcheck/check"
	"linkcheck/crawl/hostqueue"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
)

// mostAsked is how often a reading asks for one thing of a host that asks it to come again
// soon.
const mostAsked = 2

// Turns lets the readings of archives wait at their hosts as the probes of links do: one
// connection a host by name and by address, with its gap, and none to a host that rests.
// In Options.Turns they are handed on to Check, which must not run before the last
// reading has ended. They are safe for concurrent use until then.
type Turns struct {
	o  Options
	st *store.Store // nil: nothing is known of other nights

	mu      sync.Mutex
	queues  *hostqueue.Queues
	waiting map[uint64]chan hostqueue.Turn // by number, as the queues know them
	last    uint64                         // number
	opens   *time.Timer                    // of the next queue; nil: nobody waits for one
	rests   map[*hostqueue.Host]time.Time  // until when, where that was said
	rows    map[*hostqueue.Host]*inRow

	onceAt map[string]bool // hosts, by name: see Once
	dying  map[string]bool // addresses to which links lead that one more failure makes dead, by key; not changed while readings go on
	over   bool            // the readings are
	heard  heard
	shared shared
}

// NewTurns makes the turns of a night whose probes have these options.
func NewTurns(o Options) *Turns {
	return &Turns{o: o, queues: newQueues(o), waiting: map[uint64]chan hostqueue.Turn{}, rests: map[*hostqueue.Host]time.Time{}, rows: map[*hostqueue.Host]*inRow{},
		onceAt: map[string]bool{}, dying: map[string]bool{}, shared: shared{byKey: map[string]kept{}}}
}

// handOver gives the queues to the probes: the first of a host waits for a gap that was
// left out.
func (t *Turns) handOver() *hostqueue.Queues {
	t.mu.Lock()
	defer t.mu.Unlock()
	for h, row := range t.rows {
		t.queues.Delay(h, row.last.Add(row.gap))
	}
	clear(t.rows)
	t.over = true
	return t.queues
}

// Reader is r, of which each Read waits for the turn of its host; ctx ends the waiting. A
// host that asks to be left alone for two minutes or less is asked again after that time, here
// or, where any status is taken, by whoever reads;
// one that does so for longer rests: its Result says for how long, and each later one is
// Skipped at once, with the time that is left. The error may also be one of the store. What
// is heard is the answer of this night for links to the address: where one more failure would
// make one dead, the question is asked in the manner of a second opinion (OUTCOMES 5.1.18).
func (t *Turns) Reader(r check.Reader) check.Reader {
	return check.ReadFunc(func(ctx context.Context, target check.Target, w check.Wanted, take func(*check.Answer) error) (res check.Result, err error) {
		target.AsBrowsers, target.Heard = t.isDying, t.endsRedirect(w)
		for n := range mostAsked {
			turn, refusal := t.wait(ctx, target.URI)
			if refusal != nil {
				return *refusal, nil
			}
			if k := t.had(target.URI, w); k != nil && n == 0 {
				t.change(func(now time.Time) { t.queues.Done(turn, now, 0) })
				return k.hand(take)
			}
			if res, err = t.read(ctx, turn, r, target, w, take); err != nil || !comesAgain(&res) || w.AnyStatus {
				break
			}
			target.Heard = behindRedirects(target, res.Hops)
		}
		return res, err
	})
}

// wait gives the turn at the host of a URI, or the result where there is none.
func (t *Turns) wait(ctx context.Context, u uri.URI) (turn hostqueue.Turn, refusal *check.Result) {
	host, id, granted, refusal := t.queue(u)
	for refusal == nil {
		select {
		case <-ctx.Done():
			t.leave(host, id, granted)
			refusal = t.refusal(check.Internal, check.ReasonCancelled, 0)
		case turn, ok := <-granted:
			switch {
			case !ok:
				refusal = t.resting(host)
			case turn.Host.Located:
				t.begin(turn, u)
				return turn, nil
			default: // it is the turn's to find out who shares it
				at, _ := u.Endpoint()
				address := t.o.address(ctx, at)
				t.change(func(time.Time) { t.queues.Locate(turn, address) })
			}
		}
	}
	return turn, refusal
}

// queue begins to wait at the host of a URI.
func (t *Turns) queue(u uri.URI) (h *hostqueue.Host, id uint64, granted chan hostqueue.Turn, refusal *check.Result) {
	granted = make(chan hostqueue.Turn, 1)
	t.change(func(time.Time) {
		if h = t.o.host(t.queues, hostName(u)); h.BackedOff || t.st != nil && leftAlone(t.st, h.Name).After(t.o.Now()) {
			return
		}
		t.last++
		id = t.last
		t.waiting[id] = granted
		t.queues.Add(h, id)
	})
	if id == 0 {
		refusal = t.resting(h)
	}
	return h, id, granted, refusal
}

// leave ends the waiting, also where the turn has just come.
func (t *Turns) leave(h *hostqueue.Host, id uint64, granted chan hostqueue.Turn) {
	t.change(func(now time.Time) {
		if delete(t.waiting, id); t.queues.Withdraw(h, id) {
			return
		}
		select {
		case turn, ok := <-granted:
			if ok {
				t.queues.Done(turn, now, 0)
			}
		default:
		}
	})
}

// begin ends the idle sessions with another server of the same queue.
func (t *Turns) begin(turn hostqueue.Turn, u uri.URI) {
	hooks := t.o.Prober.Hooks()
	at, _ := u.Endpoint()
	if at.Host == "" || hooks.CloseIdle == nil {
		return
	}
	t.mu.Lock()
	before := takeOver(turn.Queue, at)
	t.mu.Unlock()
	if before != "" {
		hooks.CloseIdle(before)
	}
}

// read has the turn. It ends where the answer is whole, before anybody reads it.
func (t *Turns) read(ctx context.Context, turn hostqueue.Turn, by check.Reader, target check.Target, w check.Wanted, take func(*check.Answer) error) (r check.Result, err error) {
	t.Once(target.URI)
	over := false
	end := func(gap func() time.Duration) {
		if !over {
			over = true
			wait := gap()
			t.change(func(now time.Time) { t.queues.Done(turn, now, wait) })
		}
	}
	usual := func() time.Duration { return t.o.gapAfter(target.URI) }
	defer end(usual)
	var copied *kept
	r, err = by.Read(ctx, target, w, func(a *check.Answer) error {
		if w.Shared { // others wait for it
			copied = copyOf(a)
			return take(a)
		}
		end(func() time.Duration { return t.gapInRow(turn.Host, target.URI, usual()) })
		return take(a)
	})
	t.hears(target.URI.String(), &r, err)
	if w.Shared && w.Secret == (check.Secret{}) {
		t.share(target.URI, copied, &r, err)
	}
	if !mayHaveAsked(&r) && len(r.Hops) == 0 {
		end(func() time.Duration { return 0 })
	}
	end(usual)
	if r.Outcome == check.Unknown { // a redirect elsewhere
		return r, err
	}
	t.backOff(turn.Host, &r)
	if t.st != nil && !comesAgain(&r) && !isNameless(turn.Host.Name) {
		if _, failed := t.st.BackOff(turn.Host.Name, &r); failed != nil && err == nil {
			err = fmt.Errorf("the rest of a host: %w", failed)
		}
	}
	return r, err
}

// backOff leaves a host alone that asks for it in a result (OUTCOMES 5.1.9).
func (t *Turns) backOff(h *hostqueue.Host, r *check.Result) {
	if !judge.AsksBackOff(r) {
		return
	}
	t.change(func(now time.Time) {
		if comesAgain(r) {
			t.queues.Delay(h, now.Add(r.RetryAfter))
			return
		}
		if r.RetryAfter > 0 {
			t.rests[h] = now.Add(r.RetryAfter)
		}
		for _, id := range t.queues.BackOff(h) {
			close(t.waiting[id])
			delete(t.waiting, id)
		}
	})
}

// resting is the result for a host that is left alone.
func (t *Turns) resting(h *hostqueue.Host) *check.Result {
	t.mu.Lock()
	left := time.Until(t.rests[h])
	t.mu.Unlock()
	if t.st != nil {
		left = max(left, leftAlone(t.st, h.Name).Sub(t.o.Now()))
	}
	return t.refusal(check.Skipped, check.ReasonHostBackoff, max(left, 0))
}

func (t *Turns) refusal(o check.Outcome, why check.Reason, left time.Duration) *check.Result {
	r := check.New(o, why, "")
	r.At, r.Attempts, r.RetryAfter = t.o.Now(), 1, left
	return &r
}

// change changes the queues, and then gives the turns that this brought about.
func (t *Turns) change(f func(now time.Time)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(time.Now())
	t.grant()
}

// grant gives those who wait their turns, and sets the time of the next; t.mu is held.
func (t *Turns) grant() {
	if t.opens != nil {
		t.opens.Stop()
		t.opens = nil
	}
	for len(t.waiting) > 0 { // else the queues may be another's
		turn, wait, ok := t.queues.Next(time.Now())
		if !ok {
			if wait > 0 {
				t.opens = time.AfterFunc(wait, func() { t.change(func(time.Time) {}) })
			}
			return
		}
		t.waiting[turn.ID] <- turn
		if turn.Host.Located {
			delete(t.waiting, turn.ID)
		}
	}
}
