package crawl

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	o     CheckOptions
	pacer check.Pacer // nil: none
	facts facts

	// load gives the target of a link, or its result where there is nothing to ask.
	load func(id uint64) (check.Target, *check.Result)
	// emit takes a result. An error ends the run, ErrNetworkDown once the probes
	// under way have ended.
	emit func(h *host, id uint64, r check.Result) error
	// rested takes the links that will not be probed since their host asked to be
	// left alone.
	rested func(h *host, links []uint64) error
}

func newEngine(o CheckOptions) *engine {
	e := &engine{gates: newGates(o.PerHost), o: o}
	e.byName = o.Route == nil
	e.pacer, _ = o.Prober.(check.Pacer)
	return e
}

type job struct {
	h     *host
	gate  *gate // where it holds a place
	id    uint64
	place bool // find the host's address first
}

type outcome struct {
	job
	result  check.Result
	touched bool // the host was asked
	addr    string
	pace    time.Duration
}

// run probes what waits at the gates. It ends when all is done, when stop is
// closed and the probes under way have ended, or with ctx.
func (e *engine) run(ctx context.Context, stop <-chan struct{}) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.facts.reset()
	jobs, done := make(chan job), make(chan outcome, e.o.Workers)
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
	inflight, stopped, down := 0, false, error(nil)
	for e.left > 0 && !stopped || inflight > 0 {
		var out chan<- job
		var next job
		var wake <-chan time.Time
		if !stopped {
			h, wait := e.peek(time.Now())
			if h != nil {
				out, next = jobs, job{h: h, gate: h.gate, id: h.queue[0], place: !h.placed}
			} else if wait > 0 {
				timer.Reset(wait)
				wake = timer.C
			}
		}
		select {
		case out <- next:
			e.take(time.Now(), e.o.HostDelay)
			inflight++
		case d := <-done:
			inflight--
			switch err := e.finish(ctx, d); {
			case errors.Is(err, ErrNetworkDown):
				stopped, down = true, err // what is on its way is still welcome
			case err != nil:
				return err
			}
		case <-wake:
		case <-stop:
			stopped, stop = true, nil
		case <-ctx.Done():
			stopped = true
			ctx = context.WithoutCancel(ctx) // the probes under way end by themselves
		}
	}
	return down
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
		gap = max(e.o.HostDelay, d.pace)
	}
	e.end(d.gate, now, gap)
	if d.result.Reason == "cancelled" {
		return nil
	}
	if err := e.emit(d.h, d.id, d.result); err != nil {
		return err
	}
	return e.rest(d.h, &d.result, now)
}

// rest heeds a host that asks to be left alone (OUTCOMES 5.1.9).
func (e *engine) rest(h *host, r *check.Result, now time.Time) error {
	if r.Outcome != check.Blocked && r.Outcome != check.Temporary {
		return nil
	}
	switch {
	case r.RetryAfter > 0 && r.RetryAfter <= inlineWait:
		e.delay(h.gate, now.Add(r.RetryAfter))
	case r.RetryAfter > 0, r.Reason == "http-429":
		h.resting = true
		return e.rested(h, e.drop(h))
	}
	return nil
}

// work does one job; it runs in a worker.
func (e *engine) work(ctx context.Context, j job) outcome {
	d := outcome{job: j}
	target, known := e.load(j.id)
	switch {
	case j.place:
		d.addr = e.address(ctx, target)
	case known != nil:
		d.result = *known
	default:
		at, _ := uri.EndpointOf(target.URI)
		fact, ok := e.facts.known(at)
		if ok {
			fact.At = e.o.Now()
			d.result = fact
			return d
		}
		d.result = e.o.Prober.Probe(ctx, target)
		d.touched = touches(&d.result)
		e.facts.learn(at, &d.result)
		if e.pacer != nil && d.touched {
			d.pace = e.pacer.Pace(target.URI)
		}
	}
	return d
}

// address finds the lowest address of a target's host, by which names that share
// a server are known. One set by the operator, or none, gives "".
func (e *engine) address(ctx context.Context, t check.Target) string {
	if t.URI == nil {
		return ""
	}
	at, ok := uri.EndpointOf(t.URI)
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

// facts remembers what is true of a server and port, not of a link: that it is
// not there. Three plain failures in a row without any success speak for the
// other links of the run too, so a vanished host costs three probes and not
// thousands (OUTCOMES 5.1.5).
type facts struct {
	mu sync.Mutex
	by map[uri.Endpoint]*fact
}

type fact struct {
	count  int
	broken bool // it answered something
	result check.Result
}

const factCount = 3

func (f *facts) reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.by = map[uri.Endpoint]*fact{}
}

func (f *facts) known(at uri.Endpoint) (check.Result, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k := f.by[at]; k != nil && !k.broken && k.count >= factCount {
		r := k.result
		r.Attempts, r.Took, r.Bytes = 0, 0, 0
		return r, true
	}
	return check.Result{}, false
}

func (f *facts) learn(at uri.Endpoint, r *check.Result) {
	if at.Host == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.by[at]
	if k == nil {
		k = &fact{}
		f.by[at] = k
	}
	if !ofHost(r.Reason) {
		k.broken = true
		return
	}
	k.count++
	k.result = *r
}

func ofHost(r check.Reason) bool {
	switch r {
	case "dns-nxdomain", "dns-no-address", "dns-servfail", "dns-timeout", "tcp-refused", "tcp-timeout", "no-route":
		return true
	}
	return false
}

// Links without a host wait at a gate of their scheme: they may be asked of
// configured servers.
const nameless = "\x00"

func isNameless(name string) bool { return strings.HasPrefix(name, nameless) }
