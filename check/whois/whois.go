// Package whois looks whether the servers of whois (RFC 3912), rwhois (RFC 2167)
// and whois++ (RFC 1835) URLs are there. It only connects: these servers count
// what is asked of them, and an answer would say nothing about the link.
package whois

import (
	"context"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// New makes the prober of whois URLs: it connects and goes.
func New(o check.Options) check.Prober {
	return check.ProberOf(o, func(ctx context.Context, u uri.URI) check.Result {
		at, ok := u.Endpoint()
		if !ok {
			return check.New(check.NotDereferenceable, check.ReasonNamesOnly, "")
		}
		return o.Converse(ctx, at, 1, func(*wire.Conn) check.Result {
			return check.New(check.Reachable, check.ReasonTCPAccepted, "")
		})
	})
}
