package ftp

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/jlaffaye/ftp"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// session is one conversation with a server.
type session struct {
	o       check.Options
	ctx     context.Context // of the probe under way: the library's dial function takes none
	u       *uri.FTP
	control *control
	lib     *ftp.ServerConn
	flag    check.Flag // what is wrong with the certificate

	secure                   bool     // begin with AUTH TLS
	protected                bool     // data connections are TLS
	user                     string   // who is logged in; "" before the login
	trail                    []string // directories entered since the login, by CWD
	withoutMLSD, withoutEPSV bool     // the server does not know it
	octets                   int64    // of data connections
}

// open connects and logs in.
func (s *session) open() (check.Result, bool) {
	if r, ok := s.greet(); !ok {
		return r, false
	}
	if err := s.nameHost(); err != nil {
		return check.Classify(err), false
	}
	return s.login()
}

// nameHost says which host is meant where FEAT offers that: servers of several
// names have a tree of files for each (RFC 7151 section 3). A server that does not
// know the name goes on as for a client that says none.
func (s *session) nameHost() error {
	if !wire.LineSafe(s.u.At.Host) || net.ParseIP(s.u.At.Host) != nil {
		return nil
	}
	r, err := s.control.ask("FEAT")
	if err != nil || r.code != 211 || !offersHost.MatchString(r.text) {
		return err
	}
	_, err = s.control.ask("HOST " + s.u.At.Host)
	return err
}

// walk goes down the path to its end and asks there.
func (s *session) walk() check.Result {
	if r, ok := s.descend(); !ok {
		return r
	}
	switch {
	case s.u.Name == "" && len(s.u.Dirs) == 0:
		return check.New(check.OK, check.ReasonFTP(230), s.control.entered.text)
	case s.u.Name == "":
		return s.control.last.result(check.OK)
	case s.u.Type == 'd':
		return s.directory()
	}
	return s.file()
}

// descend goes down the path to its last component.
func (s *session) descend() (check.Result, bool) {
	for _, dir := range s.u.Dirs {
		if r, ok := s.enter(dir); !ok {
			return r, false
		}
	}
	return check.Result{}, true
}

// greet connects and reads the greeting.
func (s *session) greet() (check.Result, bool) {
	lib, err := ftp.Dial(wire.Address(s.u.At), ftp.DialWithDialFunc(s.dial), ftp.DialWithDisabledUTF8(true))
	if err == nil {
		s.lib = lib
		if notFTP.MatchString(s.control.last.text) {
			return check.New(check.Undetermined, check.ReasonProtocolMismatch, s.control.last.text), false
		}
		return check.Result{}, true
	}
	if s.control == nil {
		return check.Classify(err), false
	}
	r, err := s.control.settled(err)
	switch {
	case err == nil && r.code < 400 && r.code != 120, s.control.garbled:
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, s.control.last.text), false
	case s.control.waited && s.control.last.code == 120: // no 220 came in time
		return s.control.last.result(check.Temporary), false
	case errors.Is(err, io.EOF) && s.control.BytesRead() == 0:
		return check.New(check.Temporary, check.ReasonClosed, ""), false
	case err != nil:
		return check.Classify(err), false
	}
	return judgeLogin(r), false
}

// dial makes the control connection first and data connections later. The
// library asks for the control connection's own address, whatever the
// server said (PROTOCOLS 7.5); the dialer judges it again.
func (s *session) dial(network, address string) (net.Conn, error) {
	if s.control != nil {
		return s.dialData(address, s.o.MaxBytes)
	}
	c, err := wire.Dial(s.ctx, s.o.Dialer, address, s.o.MaxBytes)
	if err != nil {
		return nil, err
	}
	s.control = &control{Conn: c, peer: c, r: wire.NewReader(c)}
	return s.control, nil
}

// dialData makes a data connection, from which at most budget octets can be read.
func (s *session) dialData(address string, budget int64) (net.Conn, error) {
	// A hostile server could have us connect to the port of a service.
	_, port, _ := net.SplitHostPort(address)
	if n, err := strconv.Atoi(port); err != nil || n < 1024 {
		return nil, &netguard.Refusal{Rule: netguard.NoDeniedPort, What: address}
	}
	c, err := wire.Dial(s.ctx, s.o.Dialer, address, budget)
	if err != nil {
		return nil, err
	}
	if s.protected {
		return tls.Client(c, &tls.Config{InsecureSkipVerify: true}), nil
	}
	return c, nil
}

// login sends USER and, anonymously, PASS; TYPE I follows in the library. A
// login stands even where the server refuses TYPE I.
func (s *session) login() (check.Result, bool) {
	if s.secure {
		protected, flag, err := s.control.secure(s.ctx, s.u.At.Host)
		if err != nil {
			return check.New(check.Auth, check.ReasonTLSRequired, s.control.last.text), false
		}
		s.protected, s.flag = protected, flag
	}
	r, err := s.authenticate()
	switch {
	case err != nil:
		return check.Classify(err), false
	case s.control.entered.code != 0:
		s.user = s.name()
		return check.Result{}, true
	case wantsTLS(r):
		return check.New(check.Auth, check.ReasonTLSRequired, r.text), false
	}
	return judgeLogin(r), false
}

// authenticate returns the reply that decided about the login: that to USER or PASS.
func (s *session) authenticate() (reply, error) {
	name := s.name()
	s.control.password = name == "anonymous" || name == "ftp"
	s.control.entered = reply{}
	err := s.lib.Login(name, s.o.Contact)
	if s.control.entered.code != 0 { // a later error concerns TYPE
		return s.control.entered, s.control.broken
	}
	return s.control.settled(err)
}

// name is whom to log in as: RFC 1738 section 3.2.1.
func (s *session) name() string {
	if s.u.User != nil {
		return s.u.User.Name
	}
	return "anonymous"
}

// Close sends QUIT.
func (s *session) Close() error { return s.lib.Quit() }

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

// reusable reports whether the session can serve another URL: logged in, nothing
// unread, and a trail that can be followed back.
func (s *session) reusable() bool {
	return s.lib != nil && s.user != "" && s.control.idle() && s.control.last.code != 421 &&
		!slices.ContainsFunc(s.trail, func(dir string) bool { // after which PWD does not show where one came from
			return dir == "" || dir == "." || dir == ".." || strings.Contains(dir, "/")
		})
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
	if r, err = s.cwd(cmp.Or(login, "/")); err != nil || r.code/100 != 2 {
		return false
	}
	s.trail = nil
	return true
}
