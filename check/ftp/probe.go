package ftp

import (
	"context"
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// New makes the prober of ftp URLs, and of file URLs with a host, which
// the drafts on document identifiers of 1991 read as anonymous FTP (UDI).
func New(o check.Options) check.Prober {
	return &prober{o: o.WithDefaults()}
}

type prober struct {
	o    check.Options
	idle wire.Sessions[string, *session] // by address
}

// Close ends the idle sessions.
func (p *prober) Close() error { return p.idle.Close() }

// Hooks implements check.Prober.
func (p *prober) Hooks() check.Hooks { return check.Hooks{CloseIdle: p.closeIdle} }

func (p *prober) closeIdle(host string) {
	p.idle.CloseWhere(func(address string) bool { return wire.SameHost(address, host) })
}

// Probe takes these steps:
//
//  1. connect and read the greeting, waiting out 120; or go on with an idle
//     session of the server, back in its login directory;
//  2. HOST, where the URI has a name and FEAT offers it; USER and, for anonymous logins only, PASS with the contact address; where
//     the server wants TLS, once more from the start with AUTH TLS; TYPE I;
//  3. CWD for each component of the path;
//  4. questions about the last one: SIZE, MDTM, MLST, CWD, and NLST where the
//     server understood none of the first three;
//  5. judge all lines of the deciding reply by code and text;
//  6. keep the session for a moment, or QUIT.
func (p *prober) Probe(ctx context.Context, t check.Target) check.Result {
	return p.o.Run(ctx, func(ctx context.Context) check.Result {
		u, ok := target(t.URI)
		if !ok {
			return check.New(check.Internal, check.ReasonInternalError, "not an ftp URL")
		}
		if !safe(u) {
			return check.Classify(wire.ErrControl)
		}
		return p.ask(ctx, u, (*session).walk)
	})
}

// asking asks about what a path names in a conversation that has begun. It may be asked
// again, with another reading of the path, over TLS, or over another session.
type asking func(*session) check.Result

// ask asks with each reading of the path.
func (p *prober) ask(ctx context.Context, u *uri.FTP, ask asking) check.Result {
	r := p.read(ctx, u, ask)
	if other := commonReading(u); other != nil && aboutPath(r) {
		second := p.read(ctx, other, ask)
		second.Bytes += r.Bytes
		return second
	}
	return r
}

// read asks with one reading of the path, first in clear, and over TLS where
// the server wants that: some close the connection with their refusal.
func (p *prober) read(ctx context.Context, u *uri.FTP, ask asking) check.Result {
	r := p.session(ctx, u, false, ask)
	if r.Reason != check.ReasonTLSRequired {
		return r
	}
	secure := p.session(ctx, u, true, ask)
	if secure.Reason == check.ReasonTLSRequired || secure.Outcome == check.Unreachable {
		r.Bytes += secure.Bytes
		return r
	}
	secure.Bytes += r.Bytes
	return secure
}

// session has one conversation, or a part of one.
func (p *prober) session(ctx context.Context, u *uri.FTP, secure bool, ask asking) check.Result {
	if s := p.resume(ctx, u); s != nil {
		r := ask(s)
		over := s.control.broken != nil || r.Reason == check.ReasonFTP(421)
		if r = p.finish(s, r); !over || ctx.Err() != nil {
			return r
		}
	}
	s := &session{o: p.o, ctx: ctx, u: u, secure: secure}
	r, ok := s.open()
	if ok {
		r = ask(s)
	}
	return p.finish(s, r)
}

// finish completes the result and puts the session away.
func (p *prober) finish(s *session, r check.Result) check.Result {
	if s.control != nil {
		r.Bytes = s.control.BytesRead()
	}
	if s.flag != "" {
		r = r.WithFlags(s.flag)
	}
	if s.u.User != nil && s.u.User.Password != nil {
		r = r.WithFlags(check.FlagCredentialsInURL)
	}
	switch {
	case s.reusable() && r.Reason != check.ReasonTLSRequired:
		s.control.Reset(context.Background(), 0)
		p.idle.Put(wire.Address(s.u.At), s)
	case s.lib != nil:
		s.Close()
	}
	return r
}

// commonReading is how clients read a path with empty components, which
// rfc1738bis section 2.2.2 has sent as they are: a leading one is the root, others
// are left out (PROTOCOLS 7.1). Servers take an empty CWD for an error or for a
// way home, so a path is not gone before both readings failed. nil: no such path.
func commonReading(u *uri.FTP) *uri.FTP {
	if !slices.Contains(u.Dirs, "") {
		return nil
	}
	other := *u
	other.Dirs = slices.DeleteFunc(slices.Clone(u.Dirs), func(dir string) bool { return dir == "" })
	if u.Dirs[0] == "" {
		other.Dirs = slices.Insert(other.Dirs, 0, "/")
	}
	return &other
}

// aboutPath recognizes the results that speak of the path and not of the server.
func aboutPath(r check.Result) bool {
	return r.Outcome == check.Gone || strings.HasPrefix(string(r.Reason), "ftp-50") || r.Reason == check.ReasonFTP(550)
}

// target reads file://host/path as ftp://host/path, as UDI (1991) does.
func target(u uri.URI) (*uri.FTP, bool) {
	switch u := u.(type) {
	case *uri.FTP:
		return u, true
	case *uri.File:
		f := &uri.FTP{At: uri.Endpoint{Host: u.Host, Port: 21}}
		if n := len(u.Segments); n > 0 {
			f.Dirs, f.Name = u.Segments[:n-1], u.Segments[n-1]
		}
		return f, u.Host != ""
	}
	return nil, false
}

func safe(u *uri.FTP) bool {
	return wire.LineSafe(u.Dirs...) && wire.LineSafe(u.Name) && (u.User == nil || wire.LineSafe(u.User.Name))
}
