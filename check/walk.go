package check

import (
	"context"

	"linkcheck/uri"
)

// Walker is a Prober whose probes may lead from host to host. Each of these wants
// to be asked in its turn, so a probe comes in parts, one a host.
type Walker interface {
	Prober
	// Walk is Probe up to where it leads to another host: then rest is not nil,
	// and the result holds the redirects so far; none where no host was asked yet.
	Walk(ctx context.Context, t Target) (r Result, rest *Continuation)
}

// Rest is what is left of a probe.
type Continuation struct {
	URI uri.URI                                           // whose host is to be asked next
	Run func(ctx context.Context) (Result, *Continuation) // asks it; once
}

// Walk begins a probe by p, in parts if p can.
func Walk(ctx context.Context, p Prober, t Target) (Result, *Continuation) {
	if w, ok := p.(Walker); ok {
		return w.Walk(ctx, t)
	}
	return p.Probe(ctx, t), nil
}

// Onward is a walk that has asked nobody yet and begins with t, by p, at the host
// of t. What it learns passes through last.
func Delegate(p Prober, t Target, last func(Result) Result) (Result, *Continuation) {
	return Result{}, &Continuation{URI: t.URI, Run: func(ctx context.Context) (Result, *Continuation) {
		r, rest := Walk(ctx, p, t)
		return through(r, rest, last)
	}}
}

func through(r Result, rest *Continuation, last func(Result) Result) (Result, *Continuation) {
	if rest == nil {
		return last(r), nil
	}
	return r, &Continuation{URI: rest.URI, Run: func(ctx context.Context) (Result, *Continuation) {
		r, rest := rest.Run(ctx)
		return through(r, rest, last)
	}}
}

// Finished makes the rest of a probe whose turns nobody keeps.
func Complete(ctx context.Context, r Result, rest *Continuation) Result {
	for rest != nil {
		r, rest = rest.Run(ctx)
	}
	return r
}
