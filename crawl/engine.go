package crawl

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"linkcheck/check"
	"linkcheck/uri"
)

// inlineWait is how long a run waits for a host that asks to be left alone; for
// longer it leaves the host to another night.
const inlineWait = 2 * time.Minute

// engine sends links through the gates to workers. Waiting for a host holds no
// worker; one goroutine decides, and calls emit.
type engine struct {
	*gates
	o   CheckOptions
	gap func(u uri.URI, usual time.Duration) time.Duration // check.Hooks.Gap
	// closeIdle is check.Hooks.CloseIdle; nil also where a host may have several connections.
	closeIdle func(host string)
	facts     facts
	legs      map[uint64]*leg

	inflight int // jobs with the workers
	loaded   map[uint64]aim

	// load gives the aims of links, in their order.
	load func(ids []uint64) []aim
	// emit takes a result. An error ends the run, ErrNetworkDown once the probes
	// under way have ended.
	emit func(h *host, id uint64, r check.Result) error
	// rested takes the links that will not be probed since their host asked to be
	// left alone.
	rested func(h *host, links []uint64) error
	// tell is called now and then; nil: nobody listens.
	tell func()
	// alone says whether a host asked in an earlier run to be left alone; nil: none did.
	alone func(name string) bool
}

// leg is the rest of a probe that was led to another host. It waits there like
// that host's own links, so redirects of a hundred sites to one are as slow as a
// hundred links of that one (DESIGN law 6).
type leg struct {
	own  *host // of the link
	rest *check.Continuation
}

// aim is what to ask for a link, or its result where there is nothing to ask.
type aim struct {
	target check.Target
	known  *check.Result
}

const (
	loadAhead = 64   // links of a host that are loaded together
	maxLoaded = 1000 // links that are loaded before their turn
)

// maxLegs bounds the probes that wait half made; the links of others stay due.
const maxLegs = 10_000

func newEngine(o CheckOptions) *engine {
	e := &engine{gates: newGates(o.PerHost), o: o, legs: map[uint64]*leg{}, loaded: map[uint64]aim{}}
	e.byName = o.Route == nil
	hooks := o.Prober.Hooks()
	e.gap = hooks.Gap
	if e.perHost == 1 {
		e.closeIdle = hooks.CloseIdle
	}
	return e
}

type job struct {
	h    *host
	gate *gate // where it holds a place
	id   uint64
	aim
	leg   *leg   // goes on with this; nil: begins
	place bool   // find the host's address first
	leave string // host whose idle sessions are to end before
}

type outcome struct {
	job
	result  check.Result
	rest    *check.Continuation // the probe goes on at another host
	touched bool                // the host was asked
	addr    string
	pace    time.Duration
}

// run probes what waits at the gates. It ends when all is done, when stop is
// closed and the probes under way have ended, or with ctx.
func (e *engine) run(ctx context.Context, stop <-chan struct{}) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.facts.reset()
	jobs, done := make(chan job, e.o.Workers), make(chan outcome, e.o.Workers) // neither side ever waits to send
	var pool errgroup.Group
	for range e.o.Workers {
		pool.Go(func() error {
			for j := range jobs {
				done <- e.work(ctx, j)
			}
			return nil
		})
	}
	err := e.conduct(ctx, stop, jobs, done)
	close(jobs)
	cancel()
	go func() { // nothing takes results any more
		pool.Wait()
		close(done)
	}()
	for range done {
	}
	return err
}

// conduct is the loop that decides.
func (e *engine) conduct(ctx context.Context, stop <-chan struct{}, jobs chan<- job, done <-chan outcome) error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	tick, still := e.ticks()
	defer still()
	stopped, down := false, error(nil)
	for e.left > 0 && !stopped || e.inflight > 0 {
		var wake <-chan time.Time
		select {
		case <-stop: // before the next link, whatever else is ready
			stopped, stop = true, nil
		default:
		}
		if wait := e.start(jobs, stopped); wait > 0 {
			timer.Reset(wait)
			wake = timer.C
		}
		select {
		case d := <-done:
			e.inflight--
			switch err := e.finish(ctx, d); {
			case errors.Is(err, ErrNetworkDown):
				stopped, down = true, err // what is on its way is still welcome
			case err != nil:
				return err
			}
		case <-wake:
		case <-tick:
			e.tell()
		case <-stop:
			stopped, stop = true, nil
		case <-ctx.Done():
			stopped = true
			ctx = context.WithoutCancel(ctx) // the probes under way end by themselves
		}
	}
	return down
}

// start gives links to the workers that are free, and says how long it is until
// the next gate opens, where there is one to wait for.
func (e *engine) start(jobs chan<- job, stopped bool) (wait time.Duration) {
	for !stopped && e.inflight < e.o.Workers {
		now := time.Now()
		h, wait := e.peek(now)
		if h == nil {
			return wait
		}
		j := e.job(h)
		e.turn(&j)
		jobs <- j
		e.take(now, e.o.HostDelay)
		e.inflight++
	}
	return 0
}

// job makes one of the first link of a host.
func (e *engine) job(h *host) job {
	j := job{h: h, gate: h.gate, id: h.queue[0], leg: e.legs[h.queue[0]], place: !h.placed}
	if j.leg != nil {
		j.target.URI = j.leg.rest.URI
		return j
	}
	known := false
	if j.aim, known = e.loaded[j.id]; !known {
		ids := e.ahead(h)
		for i, a := range e.load(ids) {
			e.loaded[ids[i]] = a
		}
		j.aim = e.loaded[j.id]
	}
	if !j.place { // it comes again
		delete(e.loaded, j.id)
	}
	return j
}

// turn notes which server of a gate is asked next: the sessions with the one before
// end, for the gate lets one connection through at a time.
func (e *engine) turn(j *job) {
	if e.closeIdle == nil || j.place || j.known != nil || j.target.URI == nil {
		return
	}
	at, ok := j.target.URI.Endpoint()
	if !ok {
		return
	}
	if j.gate.asked != at {
		j.leave, j.gate.asked = j.gate.asked.Host, at
	}
}

// ahead gives the links of a host that are to be loaded with its first.
func (e *engine) ahead(h *host) []uint64 {
	n := min(loadAhead, len(h.queue))
	if len(e.loaded) >= maxLoaded {
		n = 1
	}
	for i, id := range h.queue[:n] {
		if e.legs[id] != nil {
			return h.queue[:i]
		}
	}
	return h.queue[:n]
}

// ticks beat while somebody wants to be told how it goes: a run may wait long for
// names, for silent servers or for gaps, without a single answer.
func (e *engine) ticks() (tick <-chan time.Time, stop func()) {
	if e.tell == nil {
		return nil, func() {}
	}
	t := time.NewTicker(progressEvery)
	return t.C, t.Stop
}

// finish puts a probe's outcome where it belongs.
func (e *engine) finish(ctx context.Context, d outcome) error {
	now := time.Now()
	if d.place {
		e.back(d.gate, d.h, d.id)
		if d.addr == "" {
			d.h.placed = true
		} else {
			e.gates.place(d.h, d.addr)
		}
		return nil
	}
	gap := time.Duration(0)
	if d.touched {
		gap = d.pace
	}
	e.end(d.gate, now, gap)
	own := d.h
	if d.leg != nil {
		own = d.leg.own
		delete(e.legs, d.id)
	}
	switch {
	case d.result.Reason == check.ReasonCancelled:
		return nil
	case d.rest != nil:
		return e.onward(own, d.id, d.rest)
	}
	if err := e.emit(own, d.id, d.result); err != nil {
		return err
	}
	return e.rest(d.h, &d.result, now)
}

// onward lets a probe wait at the host to which it was led. Where that one wants
// to be left alone, or too many wait, the link stays due.
func (e *engine) onward(own *host, id uint64, rest *check.Continuation) error {
	h := e.host(hostName(rest.URI))
	if h.resting || len(e.legs) >= maxLegs || e.alone != nil && e.alone(h.name) {
		return e.rested(own, []uint64{id})
	}
	e.legs[id] = &leg{own, rest}
	e.add(h, id)
	return nil
}

// rest heeds a host that asks to be left alone (OUTCOMES 5.1.9).
func (e *engine) rest(h *host, r *check.Result, now time.Time) error {
	if r.Outcome != check.Blocked && r.Outcome != check.Temporary {
		return nil
	}
	switch {
	case r.RetryAfter > 0 && r.RetryAfter <= inlineWait:
		e.delay(h.gate, now.Add(r.RetryAfter))
	case r.RetryAfter > 0, r.Reason == check.ReasonHTTP(429):
		h.resting = true
		links := e.drop(h)
		for _, id := range links {
			delete(e.legs, id)
			delete(e.loaded, id)
		}
		return e.rested(h, links)
	}
	return nil
}

// work does one job; it runs in a worker.
func (e *engine) work(ctx context.Context, j job) outcome {
	d := outcome{job: j}
	if j.leave != "" {
		e.closeIdle(j.leave)
	}
	switch {
	case j.place:
		d.addr = e.address(ctx, j.target)
	case j.known != nil:
		d.result = *j.known
		d.result.At = e.o.Now()
	case j.leg != nil:
		d.result, d.rest = j.leg.rest.Run(ctx)
		e.asked(&d, j.target.URI)
	default:
		at, _ := j.target.URI.Endpoint()
		if fact, ok := e.facts.known(at); ok {
			fact.At = e.o.Now()
			d.result = fact
			return d
		}
		d.result, d.rest = check.Start(ctx, e.o.Prober, j.target)
		e.asked(&d, j.target.URI)
		e.facts.learn(at, d.rest == nil && ofHost(d.result.Reason), &d.result)
	}
	return d
}

// asked notes what a question says about the pace of the host of u.
func (e *engine) asked(d *outcome, u uri.URI) {
	if d.touched = touches(&d.result); d.rest != nil {
		d.touched = len(d.result.Hops) > 0
	}
	if d.pace = e.o.HostDelay; e.gap != nil && d.touched {
		d.pace = e.gap(u, d.pace)
	}
}

// address finds the lowest address of a target's host, by which names that share
// a server are known. One set by the operator, or none, gives "".
func (e *engine) address(ctx context.Context, t check.Target) string {
	if t.URI == nil {
		return ""
	}
	at, ok := t.URI.Endpoint()
	if !ok {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, e.o.Timeout)
	defer cancel()
	route, err := e.o.Route(ctx, net.JoinHostPort(strings.Trim(at.Host, "[]"), strconv.Itoa(at.Port)))
	if err != nil || route.ByRule || len(route.Addrs) == 0 {
		return ""
	}
	low := slices.MinFunc(route.Addrs, func(a, b netip.AddrPort) int { return a.Addr().Compare(b.Addr()) })
	return low.Addr().String()
}

// touches says whether a probe with this result can have reached a server.
func touches(r *check.Result) bool {
	switch r.Outcome {
	case check.Invalid, check.NotDereferenceable, check.Unsupported:
		return false
	case check.Skipped:
		return r.Bytes > 0
	}
	return !strings.HasPrefix(string(r.Reason), "dns-")
}

// Links without a host wait at a gate of their scheme: they may be asked of
// configured servers.
const nameless = "\x00"

func isNameless(name string) bool { return strings.HasPrefix(name, nameless) }
