package crawl

import (
	"context"
	"iter"
	"time"

	"linkcheck/check"
	"linkcheck/crawl/hostqueue"
	"linkcheck/uri"
)

const (
	// inlineWait is how long a run waits for a host that asks to be left alone; for
	// longer it leaves the host to another night.
	inlineWait = 2 * time.Minute

	loadAhead    = 64     // links of a host that are loaded together
	maxLoaded    = 1000   // links that are loaded before their turn
	maxRedirects = 10_000 // probes that wait half made; the links of others stay due
)

// dispatcher gives links to workers when it is their turn, and yields in one
// goroutine what came of them. Waiting for a host holds no worker.
type dispatcher struct {
	o         Options
	links     linkSource
	queues    *hostqueue.Queues
	redirects map[uint64]*pendingRedirect
	loaded    map[uint64]assignment
	underWay  int // jobs with the workers
	stopped   bool

	// closeIdle is check.Hooks.CloseIdle; nil also where a host may have several
	// connections. lastAsked is the server of each queue that has the one there is.
	closeIdle func(host string)
	lastAsked map[*hostqueue.Queue]uri.Endpoint
}

// linkSource knows the links that are dispatched by number.
type linkSource interface {
	load(ids []uint64) []assignment
	backsOff(host string) bool // asked in an earlier run to be left alone
}

// assignment is what to ask about a link, or its result where nobody need be asked.
type assignment struct {
	url    string // as written
	target check.Target
	known  *check.Result
}

// pendingRedirect is a probe that was led to another host. It waits there like that
// host's own links, so redirects of a hundred sites to one are as slow as a hundred
// links of that one (DESIGN law 6).
type pendingRedirect struct {
	host         string // of the link
	url          string
	continuation *check.Continuation
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
	host   string // the link's own, wherever it led
	url    string // as written
	result check.Result
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
		o: o, links: links, queues: hostqueue.New(o.PerHost, o.HostDelay), redirects: map[uint64]*pendingRedirect{},
		loaded: map[uint64]assignment{}, lastAsked: map[*hostqueue.Queue]uri.Endpoint{},
	}
	if o.PerHost == 1 {
		d.closeIdle = o.Prober.Hooks().CloseIdle
	}
	return d
}

// host finds the host of a name, or makes it.
func (d *dispatcher) host(name string) *hostqueue.Host {
	return d.queues.Host(name, d.o.Route == nil || isNameless(name))
}

// stop begins no more probes: the events end with those that are under way.
func (d *dispatcher) stop() { d.stopped = true }

// events probes what waits and yields what comes of it. They end when all is done;
// with stop, ctx or the method of that name, when the probes under way have ended;
// and at once when the caller wants no more.
func (d *dispatcher) events(ctx context.Context, stop <-chan struct{}) iter.Seq[event] {
	return func(yield func(event) bool) {
		w := startWorkers(ctx, d.o)
		defer w.close()
		timer := time.NewTimer(time.Hour)
		defer timer.Stop()
		var ticks <-chan time.Time
		if d.o.Progress != nil { // a run may wait long for names, silent servers or gaps, without a single result
			t := time.NewTicker(progressEvery)
			defer t.Stop()
			ticks = t.C
		}
		d.stopped = false
		interrupted := ctx.Done()
		for more := true; more && (d.underWay > 0 || d.queues.Len() > 0 && !d.stopped); {
			select {
			case <-stop: // before the next link, whatever else is ready
				d.stopped = true
			default:
			}
			if wait := d.start(w.jobs); wait > 0 {
				timer.Reset(wait)
			}
			select {
			case o := <-w.outcomes:
				d.underWay--
				more = d.finish(o, time.Now(), yield)
			case <-timer.C:
			case now := <-ticks:
				more = yield(event{kind: tick, at: now})
			case <-stop:
				d.stopped, stop = true, nil
			case <-interrupted:
				d.stopped, interrupted = true, nil // the probes under way end by themselves
			}
		}
	}
}

// start gives links to the workers that are free, and says how long it is until
// the next queue opens, where there is one to wait for.
func (d *dispatcher) start(jobs chan<- job) (wait time.Duration) {
	for !d.stopped && d.underWay < d.o.Workers {
		turn, wait, ok := d.queues.Next(time.Now())
		if !ok {
			return wait
		}
		j := d.job(turn)
		j.closeIdle = d.hostToClose(&j)
		jobs <- j
		d.underWay++
	}
	return 0
}

// job makes one of a turn.
func (d *dispatcher) job(turn hostqueue.Turn) job {
	j := job{turn: turn, locate: !turn.Host.Located(), redirect: d.redirects[turn.ID]}
	if j.redirect != nil {
		j.url, j.target.URI = j.redirect.url, j.redirect.continuation.URI
		return j
	}
	loaded := false
	if j.assignment, loaded = d.loaded[turn.ID]; !loaded {
		ids := d.ahead(turn)
		for i, a := range d.links.load(ids) {
			d.loaded[ids[i]] = a
		}
		j.assignment = d.loaded[turn.ID]
	}
	if !j.locate { // it comes again
		delete(d.loaded, turn.ID)
	}
	return j
}

// ahead gives the links of a host that are to be loaded with the one whose turn it is.
func (d *dispatcher) ahead(turn hostqueue.Turn) []uint64 {
	n := loadAhead
	if len(d.loaded) >= maxLoaded {
		n = 1
	}
	ids := []uint64{turn.ID}
	for _, id := range turn.Host.Waiting() {
		if len(ids) == n || d.redirects[id] != nil {
			break
		}
		ids = append(ids, id)
	}
	return ids
}

// hostToClose notes which server of a queue is asked next, and gives the one before
// if it is another: its sessions are to end, for a queue has one connection at a time.
func (d *dispatcher) hostToClose(j *job) string {
	if d.closeIdle == nil || j.locate || j.known != nil || j.target.URI == nil {
		return ""
	}
	at, ok := j.target.URI.Endpoint()
	before := d.lastAsked[j.turn.Queue]
	if !ok || at == before {
		return ""
	}
	d.lastAsked[j.turn.Queue] = at
	return before.Host
}

// finish puts the outcome of a job where it belongs; false when the caller of
// events wants no more.
func (d *dispatcher) finish(o outcome, now time.Time, yield func(event) bool) bool {
	if o.locate {
		d.queues.Locate(o.turn, o.address)
		return true
	}
	gap := time.Duration(0)
	if o.asked {
		gap = o.gap
	}
	d.queues.Done(o.turn, now, gap)
	e := event{answered, now, linkResult{o.turn.ID, o.turn.Host.Name, o.url, o.result}}
	if o.redirect != nil {
		e.host = o.redirect.host
		delete(d.redirects, e.id)
	}
	switch {
	case o.result.Reason == check.ReasonCancelled:
		return true
	case o.continuation != nil:
		return d.queueRedirect(o.continuation, e, yield)
	}
	return yield(e) && d.backOff(o.turn.Host, &o.result, now, yield)
}

// queueRedirect lets a probe wait at the host to which it was redirected. Where that one
// backs off, or too many wait, the link stays due.
func (d *dispatcher) queueRedirect(c *check.Continuation, e event, yield func(event) bool) bool {
	h := d.host(hostName(c.URI))
	if h.BackedOff() || len(d.redirects) >= maxRedirects || d.links.backsOff(h.Name) {
		e.kind = backedOff
		return yield(e)
	}
	d.redirects[e.id] = &pendingRedirect{e.host, e.url, c}
	d.queues.Add(h, e.id)
	return true
}

// backOff leaves a host alone that asks for it in a result (OUTCOMES 5.1.9): for a
// while, or for the rest of the run.
func (d *dispatcher) backOff(h *hostqueue.Host, r *check.Result, now time.Time, yield func(event) bool) bool {
	if r.Outcome != check.Blocked && r.Outcome != check.Temporary {
		return true
	}
	switch {
	case r.RetryAfter > 0 && r.RetryAfter <= inlineWait:
		d.queues.Delay(h, now.Add(r.RetryAfter))
	case r.RetryAfter > 0, r.Reason == check.ReasonHTTP(429):
		for _, id := range d.queues.BackOff(h) {
			delete(d.redirects, id)
			delete(d.loaded, id)
			if !yield(event{kind: backedOff, at: now, linkResult: linkResult{id: id}}) {
				return false
			}
		}
	}
	return true
}
