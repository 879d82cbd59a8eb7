package crawl

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"

	"linkcheck/check"
	"linkcheck/crawl/hostqueue"
	"linkcheck/uri"
)

// workers do jobs side by side, each in a goroutine of its own. A dispatcher starts
// no more than Options.Workers at a time.
type workers struct {
	o        Options
	running  sync.WaitGroup
	outcomes chan outcome // has space for all workers: none waits to send
}

// job is one thing for a worker to do.
type job struct {
	turn hostqueue.Turn
	assignment
	server    uri.Endpoint     // of target.URI; zero: none
	redirect  *pendingRedirect // the probe to continue; nil: it begins
	locate    bool             // only finds the host's address
	closeIdle string           // host whose idle sessions are to end before; "": none
}

// outcome is a job that was done.
type outcome struct {
	job
	result       check.Result
	continuation *check.Continuation // the probe continues at another host
	address      string              // for locate: how names of one server are known; "": not at all
}

// start begins a job.
func (w *workers) start(ctx context.Context, j job) {
	w.running.Go(func() { w.outcomes <- w.do(ctx, j) })
}

func (w *workers) do(ctx context.Context, j job) outcome {
	o := outcome{job: j}
	if j.closeIdle != "" {
		w.o.Prober.Hooks().CloseIdle(j.closeIdle)
	}
	switch {
	case j.locate:
		o.address = w.address(ctx, j.server)
	case j.known != nil:
		o.result = *j.known
		o.result.At = w.o.Now()
	case j.redirect != nil:
		o.result, o.continuation = j.redirect.continuation.Run(ctx)
	default:
		o.result, o.continuation = check.Start(ctx, w.o.Prober, j.target)
	}
	return o
}

// address finds the lowest address of a server, by which names that share a
// server are known. One set by the operator, or none, gives "".
func (w *workers) address(ctx context.Context, at uri.Endpoint) string {
	if at == (uri.Endpoint{}) {
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
