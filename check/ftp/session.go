package ftp

import (
	"context"
	"slices"
	"strings"

	"linkcheck/check/wire"
	"linkcheck/uri"
)

// resume takes an idle session of the server, for the same user and back in its
// login directory, and gives it to ctx and u; nil: there is none. A session that
// does not fit is closed, since one connection a host is enough.
//
// A path is relative to the login directory (rfc1738bis section 2.2.5), so a
// session is safe to use again only where that can be had back for certain.
func (p *prober) resume(ctx context.Context, u *uri.FTP) *session {
	s, ok := p.idle.Take(wire.Address(u.At))
	if !ok {
		return nil
	}
	s.control.Reset(ctx, p.o.MaxBytes)
	s.ctx, s.u = ctx, u
	if s.name() == s.user && s.home() {
		return s
	}
	s.Close()
	return nil
}

// reusable says whether the session can serve another URL: logged in, nothing
// unread, and a trail that can be followed back.
func (s *session) reusable() bool {
	return s.lib != nil && s.user != "" && s.control.idle() && s.control.last.code != 421 &&
		!slices.ContainsFunc(s.trail, crooked)
}

// crooked tells a component after which PWD does not show where one came from.
func crooked(dir string) bool {
	return dir == "" || dir == "." || dir == ".." || strings.Contains(dir, "/")
}

// home goes back to the login directory: the one that PWD shows without the
// components entered since. A link on the way shows as another path; then the
// session is of no use.
func (s *session) home() bool {
	if len(s.trail) == 0 {
		return true
	}
	here := ""
	r, err := s.ask(func() (err error) { here, err = s.lib.CurrentDir(); return err })
	login, ok := strings.CutSuffix(here, "/"+strings.Join(s.trail, "/"))
	if err != nil || r.code != 257 || !ok {
		return false
	}
	if login == "" {
		login = "/"
	}
	if r, err = s.cwd(login); err != nil || r.code/100 != 2 {
		return false
	}
	s.trail = nil
	return true
}
