package check

import (
	"context"

	"linkcheck/uri"
)

// Continuation is the rest of a probe that a redirect led to another host: that
// host is asked when it has its turn.
type Continuation struct {
	URI uri.URI                                           // its host is asked next
	Run func(ctx context.Context) (Result, *Continuation) // asks it; to be called once
}

// Start makes a probe by p up to where it leads to another host. The
// continuation is nil if the probe is over; else the result holds the redirects
// so far, none where no host was asked yet.
func Start(ctx context.Context, p Prober, t Target) (Result, *Continuation) {
	if start := p.Hooks().Start; start != nil {
		return start(ctx, t)
	}
	return p.Probe(ctx, t), nil
}

// Delegate is a probe that has asked no server yet and continues as a probe of t
// by p. Its last result passes through amend.
func Delegate(p Prober, t Target, amend func(Result) Result) (Result, *Continuation) {
	return Result{}, &Continuation{URI: t.URI, Run: func(ctx context.Context) (Result, *Continuation) {
		r, next := Start(ctx, p, t)
		return amendLast(r, next, amend)
	}}
}

func amendLast(r Result, next *Continuation, amend func(Result) Result) (Result, *Continuation) {
	if next == nil {
		return amend(r), nil
	}
	return r, &Continuation{URI: next.URI, Run: func(ctx context.Context) (Result, *Continuation) {
		r, after := next.Run(ctx)
		return amendLast(r, after, amend)
	}}
}

// Complete runs all continuations of a probe at once: for callers that keep no
// turns of hosts.
func Complete(ctx context.Context, r Result, next *Continuation) Result {
	for next != nil {
		r, next = next.Run(ctx)
	}
	return r
}
