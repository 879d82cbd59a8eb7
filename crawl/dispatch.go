package crawl

import (
	"context"
	"iter"
	"time"

	"linkcheck/check"
	"linkcheck/crawl/hostqueue"
	"linkcheck/judge"
)

const (
	// inlineWait is how long a run waits for a host that asks to be left alone; for
	// longer it leaves the host to another night.
	inlineWait = 2 * time.Minute

	maxRedirects = 10_000   // continuations that wait; beyond them the links stay due
	maxAhead     = 64 << 20 // octets of their addresses
)

// dispatcher gives each link to a worker when it is the link's turn, and yields in
// one goroutine what the workers found. Waiting for a host holds no worker.
type dispatcher struct {
	o         Options
	links     linkSource
	queues    *hostqueue.Queues
	redirects map[uint64]*pendingRedirect
	ahead     int // octets of the addresses in redirects
	loaded    map[uint64]assignment
	failures  serverFailures // of this pass
	underWay  int            // workers, and jobs that wait at gates
	gates     *gating        // nil: there are none
	stopped   bool           // starts no more workers: the events end with those under way

	// closeIdle is check.Hooks.CloseIdle; nil also where a host may have several
	// connections.
	closeIdle func(host string)
}

// linkSource knows the links that are dispatched by number.
type linkSource interface {
	load(ids []uint64) []assignment
	heard(a *assignment)       // gives it what was heard in this night
	backsOff(host string) bool // asked in an earlier run to be left alone
}

// assignment is what to probe for a link, or its result where no probe is needed.
type assignment struct {
	url     string // as written
	asked   string // the same but for a library's proxy before it
	target  check.Target
	known   *check.Result
	rest    *check.Continuation // of known, where that led to another host; nil: it is whole
	failing []*judge.Judgement  // of the links that take its result, where they are failing
	slip    *check.Result       // of a link that is no address: target is its repair; nil: target is the link
}

// pendingRedirect is a probe that was redirected to another host. It waits there like
// that host's own links, so redirects of a hundred sites to one are as slow as a
// hundred links of that one (DESIGN law 6).
type pendingRedirect struct {
	host         *hostqueue.Host // of the link
	url, asked   string
	slip         *check.Result // see assignment
	continuation *check.Continuation
	size         int // about how many octets of addresses it keeps
}

// event is what a dispatcher yields.
type event struct {
	kind eventKind
	at   time.Time // by the monotonic clock
	linkResult
}

// linkResult is the result of one link.
type linkResult struct {
	id     uint64
	host   *hostqueue.Host // the link's own, wherever redirects led
	url    string          // as written
	asked  string          // the same but for a library's proxy before it
	result check.Result
	slip   *check.Result // see assignment
}

type eventKind int

const (
	answered  eventKind = iota // a link has its result
	backedOff                  // a link is not probed: its host asked to be left alone
	tick                       // time passes, where Options.Progress is set
)

func newDispatcher(o Options, links linkSource) *dispatcher {
	o.Workers, o.PerHost = max(o.Workers, 1), max(o.PerHost, 1)
	d := &dispatcher{
		o: o, links: links, redirects: map[uint64]*pendingRedirect{}, loaded: map[uint64]assignment{},
	}
	if o.Turns != nil && o.Gates == nil {
		d.queues = o.Turns.handOver()
	} else {
		d.queues = newQueues(o)
	}
	d.closeIdle, d.gates = o.Prober.Hooks().CloseIdle, newGating(&d.o)
	return d
}

// host finds the host of a name, or makes it.
func (d *dispatcher) host(name string) *hostqueue.Host { return d.o.host(d.queues, name) }

// events makes a pass: it probes what waits and yields what comes of it. The events
// end when all is done; with stop, ctx or the field stopped, when the probes under
// way have ended; and at once when the caller wants no more.
func (d *dispatcher) events(ctx context.Context, stop <-chan struct{}) iter.Seq[event] {
	return func(yield func(event) bool) {
		interrupted := ctx.Done()
		ctx, cancel := context.WithCancel(ctx)
		w := startWorkers(ctx, d.o)
		defer w.running.Wait()
		defer close(w.jobs)
		defer cancel()
		defer d.withdraw()
		var ticks <-chan time.Time
		if d.o.Progress != nil { // a run may wait long for names, silent servers or gaps, without a single result
			ticks = time.Tick(progressEvery)
		}
		d.failures, d.stopped = serverFailures{}, false
		for more := true; more && (d.underWay > 0 || d.queues.Len() > 0 && !d.stopped); {
			select {
			case <-stop: // before the next link, whatever else is ready
				d.stopped = true
			default:
			}
			var opens <-chan time.Time
			if wait := d.start(w.jobs); wait > 0 {
				opens = time.After(wait)
			}
			select {
			case o := <-w.outcomes:
				d.underWay--
				more = d.finish(&o, time.Now(), yield)
			case <-opens:
			case now := <-ticks:
				more = yield(event{kind: tick, at: now})
			case <-stop:
				d.stopped, stop = true, nil
			case <-interrupted:
				d.stopped, interrupted = true, nil // the probes under way end by themselves
			}
			if d.stopped {
				d.withdraw()
			}
		}
	}
}

// start gives links to the workers that are free, and returns how long it is until
// the next queue opens, where there is one to wait for.
func (d *dispatcher) start(jobs chan<- job) (wait time.Duration) {
	for !d.stopped && d.underWay < d.o.Workers {
		turn, wait, ok := d.queues.Next(time.Now())
		if !ok {
			return wait
		}
		d.underWay++
		if j := d.job(turn); d.gates == nil || j.locate || j.known != nil {
			jobs <- j
		} else {
			d.gates.ask(j, jobs)
		}
	}
	return 0
}

// withdraw has what still waits at gates wait in the queues again.
func (d *dispatcher) withdraw() {
	for _, j := range d.gates.withdraw() {
		d.underWay--
		d.queues.Locate(j.turn, "")
		if j.closeIdle != "" { // its server is noted as the one that has the connection
			d.closeIdle(j.closeIdle)
		}
	}
}

// job makes the job of a turn.
func (d *dispatcher) job(turn hostqueue.Turn) job {
	j := job{turn: turn, locate: !turn.Host.Located, redirect: d.redirects[turn.ID]}
	if j.redirect != nil {
		j.url, j.asked, j.slip, j.target.URI = j.redirect.url, j.redirect.asked, j.redirect.slip, j.redirect.continuation.URI
	} else {
		j.assignment = d.assignment(turn)
	}
	if j.target.URI != nil {
		j.server, _ = j.target.URI.Endpoint()
	}
	if j.redirect == nil && j.known == nil {
		j.known = d.failures.known(j.server)
	}
	if d.closeIdle != nil && !j.locate && j.known == nil && j.server.Host != "" {
		j.closeIdle = takeOver(turn.Queue, j.server)
	}
	return j
}

// finish puts the outcome of a job where it belongs; false when the caller of
// events wants no more.
func (d *dispatcher) finish(o *outcome, now time.Time, yield func(event) bool) bool {
	if o.fault != nil {
		panic(o.fault)
	}
	if o.locate {
		d.gates.locate(o.turn.Host, o.address)
		d.queues.Locate(o.turn, o.address)
		return true
	}
	d.queues.Done(o.turn, now, d.o.gap(o))
	e := event{answered, now, linkResult{o.turn.ID, o.turn.Host, o.url, o.asked, o.result, o.slip}}
	switch {
	case o.redirect != nil:
		e.host = o.redirect.host
		d.forgetRedirect(e.id)
	case o.known == nil && o.turn.Host.Waits(): // else there is nobody to learn it for
		d.failures.learn(o.server, o.continuation == nil && isServerFailure(o.result.Reason), &o.result)
	}
	switch {
	case o.result.Reason == check.ReasonCancelled:
		return true
	case o.continuation != nil:
		if o.known == nil && o.result.Outcome == check.Unknown {
			d.o.Turns.hearsLink(&e.linkResult)
		}
		return d.queueRedirect(o.continuation, e, yield)
	}
	return yield(e) && d.backOff(o.turn.Host, &o.result, now, yield)
}

// queueRedirect lets a probe wait at the host to which it was redirected. Where that one
// backs off, or too many wait, the link stays due.
func (d *dispatcher) queueRedirect(c *check.Continuation, e event, yield func(event) bool) bool {
	h := d.host(hostName(c.URI))
	size := 4*len(c.URI.String()) + e.result.Size() // the prober knows it parsed, resolved and as it is
	if h.BackedOff || len(d.redirects) >= maxRedirects || d.ahead+size > maxAhead || d.links.backsOff(h.Name) {
		e.kind = backedOff
		return yield(e)
	}
	d.ahead += size
	d.redirects[e.id] = &pendingRedirect{e.host, e.url, e.asked, e.slip, c, size}
	d.queues.Add(h, e.id)
	return true
}

// backOff leaves a host alone that asks for it in a result (OUTCOMES 5.1.9): for a
// while, or for the rest of the run.
func (d *dispatcher) backOff(h *hostqueue.Host, r *check.Result, now time.Time, yield func(event) bool) bool {
	if !judge.AsksBackOff(r) {
		return true
	}
	if 0 < r.RetryAfter && r.RetryAfter <= inlineWait {
		d.queues.Delay(h, now.Add(r.RetryAfter))
		return true
	}
	for _, id := range d.queues.BackOff(h) {
		d.forgetRedirect(id)
		delete(d.loaded, id)
		if !yield(event{kind: backedOff, at: now, linkResult: linkResult{id: id}}) {
			return false
		}
	}
	return true
}
