package resolver

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"linkcheck/check"
	"linkcheck/uri"
)

// Options is what New needs.
type Options struct {
	check.Options
	Web  check.Prober // asks what names lead to, and web addresses of no resolver
	Info bool         // ask about the identifiers of info: URIs
}

// Prober asks resolvers, and the web behind them.
type Prober struct {
	o           check.Options
	web         check.Prober
	info        bool
	services    []service
	strict, lax *http.Client
	hooks       check.Hooks

	mu     sync.Mutex
	silent map[string]bool // hosts whose REST interface gave no clear word in this run
}

// New makes a Prober. It offers what that of the web does.
func New(o Options) *Prober {
	services, _ := known()
	plain := o.Options.WithDefaults()
	p := &Prober{o: plain, web: o.Web, info: o.Info, services: slices.Clone(services), silent: map[string]bool{},
		strict: newClient(plain, false), lax: newClient(plain, true), hooks: o.Web.Hooks()}
	p.hooks.Start = p.start
	return p
}

// Probe implements check.Prober.
func (p *Prober) Probe(ctx context.Context, t check.Target) check.Result {
	r, next := p.start(ctx, t)
	return check.Complete(ctx, r, next)
}

// Hooks implements check.Prober.
func (p *Prober) Hooks() check.Hooks { return p.hooks }

// Close implements check.Prober.
func (p *Prober) Close() error { return p.web.Close() }

// question is a probe of a name.
type question struct {
	p       *Prober
	t       check.Target
	s       *service
	id      string
	address *uri.HTTP // of the name at its resolver
	target  string    // what the resolver says that the name leads to
}

// start begins a probe: a question to the resolver waits at its host like any other, so
// that all names together keep its gap.
func (p *Prober) start(ctx context.Context, t check.Target) (check.Result, *check.Continuation) {
	web, isWeb := t.URI.(*uri.HTTP)
	s, id := p.find(t.URI)
	if _, isInfo := t.URI.(*uri.Info); s == nil || isInfo && !p.info {
		if isWeb {
			return check.Start(ctx, p.web, t)
		}
		return p.o.Run(ctx, func(context.Context) check.Result {
			return check.New(check.NotDereferenceable, check.ReasonNamesOnly, "")
		}), nil
	}
	q := &question{p: p, t: t, s: s, id: id}
	address := strings.ReplaceAll(s.Address, "{id}", id)
	if isWeb { // with TLS or without it, as it is written
		_, rest, _ := strings.Cut(address, "://")
		address = web.Scheme() + "://" + rest
	}
	at, err := uri.Parse(address)
	if q.address, _ = at.(*uri.HTTP); err != nil || q.address == nil {
		return check.New(check.Internal, check.ReasonInternalError, fmt.Sprintf("%.200q is no address of a resolver", s.Address)), nil
	}
	if isWeb && web.At.Host == q.address.At.Host {
		q.address = web
		return q.ask(ctx)
	}
	return check.Result{}, &check.Continuation{URI: q.address, Run: q.ask}
}

// ask asks the REST interface of the resolver where it has one, and then what the name leads
// to; else the resolver in the way of a reader.
func (q *question) ask(ctx context.Context) (check.Result, *check.Continuation) {
	host := q.address.At.Host
	if q.s.API == "" || q.p.isSilent(host) {
		r, next := check.Start(ctx, q.p.web, check.Target{URI: q.address, Prior: q.t.Prior, Settles: q.t.Settles})
		return amend(r, next, q.plain)
	}
	if closeIdle := q.p.web.Hooks().CloseIdle; closeIdle != nil {
		closeIdle(host) // one connection a host (OUTCOMES 5.1.15)
	}
	api := strings.ReplaceAll(q.s.API, "{id}", q.id)
	if _, rest, ok := strings.Cut(api, "://"); ok {
		api = q.address.Scheme() + "://" + rest
	}
	var said reply
	r := q.p.o.Run(ctx, func(ctx context.Context) check.Result {
		var err error
		if said, err = q.p.askHandle(ctx, api, q.id); err != nil {
			return check.Classify(err)
		}
		return q.registered(&said)
	})
	asked := check.Result{Hops: []check.Hop{{Code: http.StatusFound, URL: check.CutURL(api)}}} // so the host's gap is kept
	switch {
	case r.Reason == check.ReasonCancelled, r.Outcome == check.Internal, r.Outcome == check.Gone:
		return q.last(r), nil
	case said.status == http.StatusTooManyRequests, said.status >= http.StatusInternalServerError:
		return q.last(r), nil // it proves nothing, and a second question would not help
	case !said.clear:
		q.p.setSilent(host)
		return asked, &check.Continuation{URI: q.address, Run: q.ask}
	}
	target, err := uri.Parse(said.target())
	if _, ok := target.(*uri.HTTP); err != nil || !ok {
		return asked, &check.Continuation{URI: q.address, Run: func(ctx context.Context) (check.Result, *check.Continuation) {
			r, next := check.Start(ctx, q.p.web, check.Target{URI: q.address, Settles: q.t.Settles})
			return amend(r, next, q.behind)
		}}
	}
	q.target = said.target()
	return asked, &check.Continuation{URI: target, Run: func(ctx context.Context) (check.Result, *check.Continuation) {
		r, next := check.Start(ctx, q.p.web, check.Target{URI: target, Prior: q.t.Prior, Settles: q.t.Settles})
		return amend(r, next, q.behind)
	}}
}

// amend passes the last result of a probe through f.
func amend(r check.Result, next *check.Continuation, f func(check.Result) check.Result) (check.Result, *check.Continuation) {
	if next == nil {
		return f(r), nil
	}
	return r, &check.Continuation{URI: next.URI, Run: func(ctx context.Context) (check.Result, *check.Continuation) {
		r, after := next.Run(ctx)
		return amend(r, after, f)
	}}
}

func (p *Prober) isSilent(host string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.silent[host]
}

func (p *Prober) setSilent(host string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent[host] = true
}
