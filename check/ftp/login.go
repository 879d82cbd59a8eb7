package ftp

import "linkcheck/check"

// login says USER and, anonymously, PASS; TYPE I follows in the library. A
// server that refuses TYPE I alone has let us in all the same.
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

// authenticate gives the reply that decided about the login: that to USER or PASS.
func (s *session) authenticate() (reply, error) {
	name := s.name()
	s.control.password = name == "anonymous" || name == "ftp"
	s.control.entered = reply{}
	err := s.lib.Login(name, s.o.Contact)
	if s.control.entered.code != 0 { // what came after it is TYPE's affair
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
