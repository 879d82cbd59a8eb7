package cnrp

import (
	"context"
	"net"
	"strconv"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

const (
	defaultPort = 1096
	maxAnswer   = 256 << 10 // octets of an HTTP answer, its head included
	maxInterim  = 4         // answers of status 1xx before the real one
	mediaType   = "application/cnrp+xml"
)

// Options is what New needs.
type Options struct {
	check.Options
	Services []string // HOST[:PORT], asked in order about names without a server
}

// New makes the prober of go URIs.
func New(o Options) check.Prober {
	o.Options = o.WithDefaults()
	return check.ProberOf(o.Options, prober{o}.probe)
}

type prober struct{ o Options }

// probe takes these steps:
//
//  1. a URI without a server goes to the configured services, in order, until
//     one knows it; without any the URI is not dereferenceable;
//  2. POST the query: servicequery for a server alone, else by name or by id;
//  3. judge the results, or, where there are none, the HTTP status.
func (p prober) probe(ctx context.Context, u *uri.Go) check.Result {
	switch {
	case !wire.LineSafe(words(u)...):
		return check.Classify(wire.ErrControl)
	case u.At != nil:
		return p.ask(ctx, *u.At, u)
	}
	return p.askServices(ctx, u)
}

// askServices asks the configured services. What counts is the first that
// knows the name, else the first that did not plainly say no, else the no.
func (p prober) askServices(ctx context.Context, u *uri.Go) check.Result {
	if len(p.o.Services) == 0 || kindOf(u) == service {
		return check.New(check.NotDereferenceable, check.ReasonNoCNRPService, "")
	}
	var best check.Result
	var bytes int64
	for i, s := range p.o.Services {
		r := p.ask(ctx, endpoint(s), u)
		bytes += r.Bytes
		if i == 0 || r.Outcome == check.OK || saysNo(best) {
			best = r
		}
		if best.Outcome == check.OK {
			break
		}
	}
	best.Bytes = bytes
	return best
}

func saysNo(r check.Result) bool {
	return r.Reason == check.ReasonSearchNoHit || r.Reason == check.ReasonCNRPNoItem
}

// endpoint reads HOST[:PORT].
func endpoint(s string) uri.Endpoint {
	host, port, err := net.SplitHostPort(s)
	if n, bad := strconv.Atoi(port); err == nil && bad == nil {
		return uri.Endpoint{Host: host, Port: n}
	}
	return uri.Endpoint{Host: strings.Trim(s, "[]"), Port: defaultPort}
}
