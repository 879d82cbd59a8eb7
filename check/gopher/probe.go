package gopher

import (
	"cmp"
	"context"
	"io"
	"strings"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// Options is what New needs.
type Options struct {
	check.Options
	// Elsewhere probes what items of types 8, T, 2, and h with a selector
	// "URL:..." point at. Without it they are unsupported.
	Elsewhere check.Prober
}

// New makes the prober of gopher URLs.
func New(o Options) check.Prober {
	o.Options = o.Options.WithDefaults()
	return &prober{o}
}

type prober struct{ o Options }

// Close does nothing: a Gopher connection serves one request.
func (*prober) Close() error { return nil }

// Hooks implements check.Prober.
func (p *prober) Hooks() check.Hooks { return check.Hooks{Start: p.start} }

// Probe implements check.Prober: start, and all continuations.
func (p *prober) Probe(ctx context.Context, t check.Target) check.Result {
	r, next := p.start(ctx, t)
	return check.Complete(ctx, r, next)
}

// start takes these steps:
//
//  1. an item that names another protocol goes to the prober of that protocol,
//     when the host it names has its turn;
//  2. send the selector with its search words, or, for a Gopher+ URL, ask for
//     the attributes ("!", the HEAD of Gopher+);
//  3. read until the answer can be judged, it ends, or a limit is reached;
//  4. judge it: a Gopher+ header by its code, a menu by its items, anything
//     else by the known ways of saying no;
//  5. a server without Gopher+ that seems to refuse is asked for the plain item.
func (p *prober) start(ctx context.Context, t check.Target) (check.Result, *check.Continuation) {
	var target string // what an item of another protocol points at
	var other uri.URI
	r := p.o.Run(ctx, func(ctx context.Context) check.Result {
		u, ok := t.URI.(*uri.Gopher)
		if !ok {
			return check.New(check.Internal, check.ReasonInternalError, "not a gopher URL")
		}
		if target = otherTarget(u); target == "" {
			return p.ask(ctx, u)
		}
		var err error
		if other, err = uri.Parse(target); err != nil {
			return check.InvalidResult(err)
		}
		return check.New(check.Unsupported, check.ReasonNoClient, target)
	})
	if other == nil || p.o.Elsewhere == nil {
		return r, nil
	}
	return check.Delegate(p.o.Elsewhere, check.Target{URI: other, Prior: t.Prior, Known: t.Known, Redirected: t.Redirected, Settles: t.Settles}, func(r check.Result) check.Result {
		r.FinalURL = cmp.Or(r.FinalURL, target)
		return r
	})
}

// otherTarget returns what an item of another protocol points at (RFC 1436 section 3.8,
// OUTCOMES 1.4); "" for a real item.
func otherTarget(u *uri.Gopher) string {
	switch u.Type {
	case '8':
		return "telnet://" + authority(u.At) + "/"
	case 'T':
		return "tn3270://" + authority(u.At) + "/"
	case '2':
		return "cso://" + authority(u.At) + "/"
	case 'h':
		return webTarget(u)
	}
	return ""
}

// webTarget returns the URL of a web link in disguise, "" for a real item: a
// selector "URL:...", or the request line that old menus sent to web servers.
func webTarget(u *uri.Gopher) string {
	if path, ok := strings.CutPrefix(u.Selector, "GET /"); ok {
		return "http://" + authority(u.At) + "/" + strings.ReplaceAll(path, " ", "%20")
	}
	s := strings.TrimPrefix(u.Selector, "/")
	if len(s) > 4 && strings.EqualFold(s[:4], "URL:") {
		return strings.ReplaceAll(s[4:], " ", "%20") // no octet of a URI, RFC 3986 section 2
	}
	return ""
}

// ask sends the request and, where a server does not know Gopher+, the plain one.
func (p *prober) ask(ctx context.Context, u *uri.Gopher) check.Result {
	request, plus := requestOf(u)
	r, understood := p.exchange(ctx, u, request, plus)
	if !plus || understood || r.Outcome != check.Gone && r.Outcome != check.Suspect {
		return r
	}
	if isForm(*u.Plus) {
		// PROTOCOLS 5.6: asking for an ASK item itself would run its script.
		other := check.New(check.Undetermined, check.ReasonGopherNotPlus, r.Reply)
		other.Bytes = r.Bytes
		return other
	}
	plain, _ := p.exchange(ctx, u, plainRequest(u), false)
	plain.Bytes += r.Bytes
	return plain
}

// exchange makes one connection. understood says whether a Gopher+ header came.
func (p *prober) exchange(ctx context.Context, u *uri.Gopher, request string, plus bool) (r check.Result, understood bool) {
	if !wire.LineSafe(request) {
		return check.Classify(wire.ErrControl), false
	}
	r = p.o.Converse(ctx, u.At, p.o.MaxBytes, func(c *wire.Conn) (r check.Result) {
		if _, err := io.WriteString(c, request+"\r\n"); err != nil {
			return check.Classify(err)
		}
		q := question{item: u.Type, plus: plus, words: u.Search != nil && *u.Search != ""}
		if strings.HasSuffix(request, "\t!") {
			q.selector = u.Selector
		}
		body, err := readAnswer(c, q.limit(), q.enough)
		r, understood = q.judge(body, err)
		if u.Type == '0' && !plus && err == nil && r.Outcome == check.OK {
			r.Look = likeness.LookAtText(string(body))
		}
		return r
	})
	return r, understood
}
