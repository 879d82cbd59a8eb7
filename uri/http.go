package uri

import "strings"

// HTTP is an http or https URL. Path and Query are raw.
//
//	http-URI = "http" "://" authority path-abempty [ "?" query ]   RFC 9110 section 4.2.1
//
// What browsers forgive is forgiven here too, with a code: the keys hold the escaped form.
type HTTP struct {
	base
	At    Endpoint
	User  *User
	Path  string
	Query *string
}

// Endpoint implements [Hosted]; so do the methods of the same name below.
func (u *HTTP) Endpoint() Endpoint { return u.At }

func parseHTTP(sp split) (URI, *Error) {
	u := &HTTP{base: newBase(sp), Path: sp.path}
	var err *Error
	if u.At, u.User, err = u.authority(allowUser | webHost); err != nil {
		return nil, err
	}
	if err = u.webText(sp.path, sp.pathAt(), cPchar|cSlash); err != nil {
		return nil, err
	}
	if sp.hasQuery {
		if err = u.webText(sp.query, sp.qAt(), cFragment); err != nil {
			return nil, err
		}
		u.Query = &u.sp.query
	}
	if err = u.webText(sp.frag, sp.fragAt(), cFragment); err != nil {
		return nil, err
	}
	return u, nil
}

// webText forgives stray percent signs and raw characters, but no controls.
func (u *HTTP) webText(s string, at int, spec uint16) *Error {
	for i := 0; i < len(s); i++ {
		switch {
		case is(s[i], spec):
		case s[i] == '%':
			if !isEscape(s, i) {
				u.note(Lax, "bad-percent")
			}
		case is(s[i], cWild):
			u.note(Lax, "http-char")
		default:
			return u.fail(at+i, "control-char")
		}
	}
	return nil
}

// httpKey: an empty path is "/", RFC 3986 section 6.2.3.
func httpKey(p *pen, sp *split) {
	if sp.path == "" {
		p.mark("path-empty")
		p.add("/")
	}
	p.add(sp.path)
	p.addQuery(sp)
}

// hasDrive reports a DOS drive, "C:" or the old "C|".
func hasDrive(s string) bool {
	return len(s) == 2 && is(s[0], cAlpha) && strings.IndexByte(":|", s[1]) >= 0
}
