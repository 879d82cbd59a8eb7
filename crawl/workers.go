package crawl

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"linkcheck/check"
	"linkcheck/crawl/hostqueue"
	"linkcheck/uri"
)

// workers do jobs side by side. Neither channel ever makes its sender wait while no
// more jobs are given than there are workers.
type workers struct {
	jobs     chan<- job
	outcomes <-chan outcome
	close    func() // ends the jobs under way, and waits for that
}

// job is one thing for a worker to do.
type job struct {
	turn hostqueue.Turn
	assignment
	redirect  *pendingRedirect // goes on with this; nil: begins
	locate    bool             // only finds the host's address
	closeIdle string           // host whose idle sessions are to end before
}

// outcome is a job that was done.
type outcome struct {
	job
	result       check.Result
	continuation *check.Continuation // the probe goes on at another host
	asked        bool                // the host was asked
	gap          time.Duration       // that it wants then
	address      string              // for locate: how names of one server are known; "": not at all
}

func startWorkers(ctx context.Context, o Options) *workers {
	ctx, cancel := context.WithCancel(ctx)
	jobs, outcomes := make(chan job, o.Workers), make(chan outcome, o.Workers)
	one := &worker{o: o, hooks: o.Prober.Hooks(), failures: newServerFailures()}
	var pool errgroup.Group
	for range o.Workers {
		pool.Go(func() error {
			for j := range jobs {
				outcomes <- one.do(ctx, j)
			}
			return nil
		})
	}
	return &workers{jobs, outcomes, func() {
		close(jobs)
		cancel()
		pool.Wait()
	}}
}

// worker is what all of them share.
type worker struct {
	o        Options
	hooks    check.Hooks
	failures *serverFailures
}

func (w *worker) do(ctx context.Context, j job) outcome {
	o := outcome{job: j}
	if j.closeIdle != "" {
		w.hooks.CloseIdle(j.closeIdle)
	}
	switch {
	case j.locate:
		o.address = w.address(ctx, j.target.URI)
	case j.known != nil:
		o.result = *j.known
		o.result.At = w.o.Now()
	case j.redirect != nil:
		o.result, o.continuation = j.redirect.continuation.Run(ctx)
		w.noteGap(&o)
	default:
		at, _ := j.target.URI.Endpoint()
		if r, ok := w.failures.known(at); ok {
			r.At = w.o.Now()
			o.result = r
			return o
		}
		o.result, o.continuation = check.Start(ctx, w.o.Prober, j.target)
		w.noteGap(&o)
		w.failures.learn(at, o.continuation == nil && isServerFailure(o.result.Reason), &o.result)
	}
	return o
}

// noteGap notes whether the host was asked, and the gap that it wants then.
func (w *worker) noteGap(o *outcome) {
	if o.asked = touches(&o.result); o.continuation != nil {
		o.asked = len(o.result.Hops) > 0
	}
	if o.gap = w.o.HostDelay; o.asked && w.hooks.Gap != nil {
		o.gap = w.hooks.Gap(o.target.URI, o.gap)
	}
}

// address finds the lowest address of a URI's host, by which names that share a
// server are known. One set by the operator, or none, gives "".
func (w *worker) address(ctx context.Context, u uri.URI) string {
	if u == nil {
		return ""
	}
	at, ok := u.Endpoint()
	if !ok {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, w.o.Timeout)
	defer cancel()
	route, err := w.o.Route(ctx, net.JoinHostPort(strings.Trim(at.Host, "[]"), strconv.Itoa(at.Port)))
	if err != nil || route.ByRule || len(route.Addrs) == 0 {
		return ""
	}
	low := slices.MinFunc(route.Addrs, func(a, b netip.AddrPort) int { return a.Addr().Compare(b.Addr()) })
	return low.Addr().String()
}
