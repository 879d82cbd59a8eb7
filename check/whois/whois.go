// Package whois looks whether the servers of whois (RFC 3912), rwhois (RFC 2167)
// and whois++ (RFC 1835) URLs are there. It only connects: these servers count
// what is asked of them, and an answer would say nothing about the link.
package whois

import (
	"context"

	"linkcheck/check"
	"linkcheck/uri"
)

// New makes the prober of whois URLs.
func New(o check.Options) check.Prober {
	return &prober{o.WithDefaults()}
}

type prober struct{ o check.Options }

// Close does nothing: no session is kept.
func (*prober) Close() error { return nil }

// Probe connects and goes.
func (p *prober) Probe(ctx context.Context, t check.Target) check.Result {
	return p.o.Run(ctx, func(ctx context.Context) check.Result {
		at, ok := uri.EndpointOf(t.URI)
		if !ok {
			return check.New(check.NotDereferenceable, "names-only", "")
		}
		c, err := check.Dial(ctx, p.o.Dialer, check.Address(at), 1)
		if err != nil {
			return check.Classify(err)
		}
		c.Close()
		return check.New(check.Reachable, "tcp-accepted", "")
	})
}
