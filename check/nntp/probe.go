package nntp

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
)

// Options is what New needs.
type Options struct {
	check.Options
	Servers []string // HOST[:PORT], asked in order about news: URIs without a server
}

// New makes the prober of news, snews, nntp and nntps URIs.
func New(o Options) check.Prober {
	o.Options = o.Options.WithDefaults()
	return &prober{o: o, memory: memory{known: map[key]habits{}}}
}

type prober struct {
	o      Options
	idle   wire.Sessions[key, *session]
	memory memory
}

// Close ends the idle sessions.
func (p *prober) Close() error { return p.idle.Close() }

// Hooks implements check.Prober.
func (p *prober) Hooks() check.Hooks {
	return check.Hooks{CloseIdle: p.closeIdle, UseCache: p.useCache}
}

func (p *prober) useCache(c check.Cache) { p.memory.cache = c }

func (p *prober) closeIdle(host string) {
	p.idle.CloseWhere(func(k key) bool { return wire.SameHost(k.address, host) })
}

// Probe takes these steps:
//
//  1. find the server: of the URI, or each of those configured;
//  2. take an idle session, or connect (TLS at once for snews and nntps), read
//     the greeting and say MODE READER;
//  3. STAT for a message-id; GROUP for a group, and STAT for a number in it;
//     LIST ACTIVE for a pattern; nothing for a server;
//  4. 483: CAPABILITIES, STARTTLS and the question again; 500 to STAT: HEAD;
//  5. judge the reply by its code; keep the session.
func (p *prober) Probe(ctx context.Context, t check.Target) check.Result {
	return p.o.Run(ctx, func(ctx context.Context) check.Result {
		q, at, ok := questionOf(t.URI)
		switch {
		case !ok:
			return check.New(check.Internal, check.ReasonInternalError, "not a news URI")
		case !wire.LineSafe(q.group, q.id, q.number):
			return check.Classify(wire.ErrControl)
		case at != nil:
			return p.askServer(ctx, q.ask, key{wire.Address(*at), tlsScheme(t.URI.Scheme())}, p.o.MaxBytes)
		case len(p.o.Servers) == 0:
			return check.New(check.NotDereferenceable, check.ReasonNoNewsServer, "")
		}
		return p.askServers(ctx, q, t.URI.Scheme())
	})
}

// tlsScheme: RFC 5538 section 8.1 for snews; nntps is the service's own name.
func tlsScheme(scheme string) bool { return scheme == "snews" || scheme == "nntps" }

// askServers asks the configured servers. The link is gone only if all say so; where
// one of them cannot be reached the result is temporary.
func (p *prober) askServers(ctx context.Context, q question, scheme string) check.Result {
	var worst check.Result
	var bytes int64
	for i, server := range p.o.Servers {
		address := withPort(server, tlsScheme(scheme))
		r := p.askServer(ctx, q.ask, key{address, tlsScheme(scheme)}, p.o.MaxBytes)
		r.FinalURL = fmt.Sprintf("%s://%s/%s", scheme, address, q.path())
		bytes += r.Bytes
		r.Bytes = bytes
		switch r.Outcome {
		case check.OK, check.Reachable:
			return r
		case check.Unreachable, check.Skipped:
			r.Outcome, r.Evidence = check.Temporary, check.Weak
		}
		if i == 0 || worst.Outcome == check.Gone {
			worst = r
		}
	}
	worst.Bytes = bytes
	return worst
}

// withPort completes HOST[:PORT].
func withPort(server string, tls bool) string {
	if host, port, err := net.SplitHostPort(server); err == nil {
		return net.JoinHostPort(host, port)
	}
	port := "119"
	if tls {
		port = "563"
	}
	return net.JoinHostPort(strings.Trim(server, "[]"), port)
}

// asking asks a question in a conversation that has begun. It may be asked again over TLS
// where the first reply wants that, and over another session where this one breaks.
type asking func(*session) check.Result

// askServer asks one server, of which budget octets are read at most. A session from the
// pool that the server closed meanwhile is replaced once: it answers nothing, or 400.
func (p *prober) askServer(ctx context.Context, ask asking, k key, budget int64) check.Result {
	if s, ok := p.idle.Take(k); ok {
		s.reused, s.answered = true, false
		s.conn.Reset(ctx, budget)
		if r, over := p.converse(ctx, s, ask); !over || ctx.Err() != nil {
			return r
		}
	}
	s, err := dial(ctx, p.o.Options, k, budget)
	if err != nil {
		return check.Classify(err)
	}
	r, _ := p.converse(ctx, s, ask)
	return r
}

// converse asks over a session and puts it back into the pool. over reports that
// the conversation broke before anything was answered.
func (p *prober) converse(ctx context.Context, s *session, ask asking) (r check.Result, over bool) {
	r = s.begin(ctx, ask)
	r.Bytes = s.conn.BytesRead()
	if s.flag != "" {
		r = r.WithFlags(s.flag)
	}
	if s.failed != nil || s.spent {
		s.Close()
		return r, s.failed != nil && !s.answered
	}
	s.conn.Reset(context.Background(), 0)
	p.idle.Put(s.key, s)
	return r, false
}

// begin reads the greeting of a new session, and asks the question.
func (s *session) begin(ctx context.Context, ask asking) check.Result {
	if !s.reused {
		if r, ok := s.greet(); !ok {
			return r
		}
	}
	r := ask(s)
	if r.Reason != check.ReasonNNTP(483) || s.secure || !s.upgrade(ctx) {
		return r
	}
	return ask(s)
}

// greet reads the greeting and sends MODE READER, which old servers require and
// new ones ignore (PROTOCOLS 6.2).
func (s *session) greet() (check.Result, bool) {
	r, err := s.read()
	switch {
	case err != nil:
		return foreign(r.line, err), false
	case r.code != 200 && r.code != 201:
		s.fail(errEnded)
		return judgeGreeting(r), false
	}
	s.greeting = r
	if r, err = s.ask("MODE READER"); err != nil {
		return check.Classify(err), false
	}
	switch r.code {
	case 400, 480, 502: // after 400 and 502 the server closes: RFC 3977 section 5.3
		if r.code == 502 {
			s.fail(errEnded)
		}
		return judgeLast(s, r), false
	}
	return check.Result{}, true
}

// upgrade begins TLS where the server offers it or does not say: RFC 4642
// section 2.2.
func (s *session) upgrade(ctx context.Context) bool {
	r, err := s.ask("CAPABILITIES")
	if err != nil {
		return false
	}
	if r.code == 101 {
		list, err := s.lines()
		if err != nil || !offers(list, "STARTTLS") {
			return false
		}
	}
	if r, err = s.ask("STARTTLS"); err != nil || r.code != 382 || s.startTLS(ctx) != nil {
		return false
	}
	_, err = s.ask("MODE READER")
	return err == nil
}

func offers(list []string, capability string) bool {
	return slices.ContainsFunc(list, func(line string) bool {
		name, _, _ := strings.Cut(line, " ")
		return strings.EqualFold(name, capability)
	})
}
