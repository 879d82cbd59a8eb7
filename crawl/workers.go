package crawl

import (
	"context"

	"golang.org/x/sync/errgroup"

	"linkcheck/check"
	"linkcheck/crawl/hostqueue"
	"linkcheck/internal/fault"
	"linkcheck/uri"
)

// What a run has open beside sessions that wait (check/wire), which have four parts of
// fifteen.
const (
	ownFiles    = 24 // of the store, the streams, the system, and what is read
	workerFiles = 3  // of one worker: questions to the DNS, or a connection for commands and one for data
)

// WithinLimit gives the number of workers for which a process may have enough files open;
// limit 0: any number.
func WithinLimit(limit, workers int) int {
	if limit == 0 {
		return workers
	}
	return max(1, min(workers, (limit-ownFiles)*11/15/workerFiles))
}

// workers do jobs side by side, until jobs is closed. Both channels hold one item for
// each worker, so nobody waits to send while no more jobs are under way than there are
// workers. A goroutine for each job would grow its stack anew each time, which shows
// in BenchmarkNight.
type workers struct {
	o        Options
	running  errgroup.Group // of Options.Workers goroutines
	jobs     chan job
	outcomes chan outcome
}

// job is one thing for a worker to do.
type job struct {
	turn hostqueue.Turn
	assignment
	server    uri.Endpoint     // of target.URI; zero: none
	redirect  *pendingRedirect // the probe to continue; nil: it begins
	locate    bool             // only finds the host's address
	gate      gate             // where its turn was waited for
	closeIdle string           // host whose idle sessions are to end before; "": none
}

// outcome is a job that was done.
type outcome struct {
	job
	result       check.Result
	continuation *check.Continuation // the probe continues at another host
	address      string              // for locate: how names of one server are known; "": not at all
	fault        error               // the worker panicked; nil: it did not
}

func startWorkers(ctx context.Context, o Options) *workers {
	w := &workers{o: o, jobs: make(chan job, o.Workers), outcomes: make(chan outcome, o.Workers)}
	for range o.Workers {
		w.running.Go(func() error {
			for j := range w.jobs {
				w.outcomes <- w.guarded(ctx, j)
			}
			return nil
		})
	}
	return w
}

// guarded does a job, and hands on what it panics with: a fault beside the probe, which
// makes no result, ends the run.
func (w *workers) guarded(ctx context.Context, j job) (o outcome) {
	o.job = j
	defer fault.Catch(&o.fault)
	w.do(ctx, &o)
	return o
}

// do does the job of an outcome.
func (w *workers) do(ctx context.Context, o *outcome) {
	if o.closeIdle != "" {
		w.o.Prober.Hooks().CloseIdle(o.closeIdle)
	}
	switch {
	case o.locate:
		o.address = w.o.address(ctx, o.server)
	case o.known != nil:
		if o.result, o.continuation = *o.known, o.rest; o.result.At.IsZero() { // else it was heard of before
			o.result.At = w.o.Now()
		}
	case o.gate.name != "":
		w.inTurn(ctx, o)
	default:
		w.step(ctx, o)
	}
}

// step makes one step of a probe. A panic is a result, as in check.Options.Run, and ends
// the probe.
func (w *workers) step(ctx context.Context, o *outcome) {
	defer func() {
		if caught := fault.Of(recover()); caught != nil {
			o.result, o.continuation = check.New(check.Internal, check.ReasonPanic, check.CleanReply(caught.Error())), nil
			o.result.At, o.result.Attempts = w.o.Now(), 1
		}
	}()
	if o.redirect != nil {
		o.result, o.continuation = o.redirect.continuation.Run(ctx)
	} else {
		o.result, o.continuation = check.Start(ctx, w.o.Prober, o.target)
	}
	if closeIdle := w.o.Prober.Hooks().CloseIdle; w.o.leaves && closeIdle != nil && o.server.Host != "" {
		closeIdle(o.server.Host)
	}
}
