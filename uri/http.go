package uri

import "strings"

var httpScheme = Descriptor{
	Name: "http", DefaultPort: 80, Spec: "RFC 9110 section 4.2.1", Text: SpelledSlashes,
	aliases: []alias{{"https", 443, "RFC 9110 section 4.2.2"}},
	syntax:  syntaxQuery, relative: true, dots: dotsGone, repair: true, unres: cUnres, parse: parseHTTP,
}

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

func (u *HTTP) Endpoint() (Endpoint, bool) { return u.At, true }

func parseHTTP(sp Parts) (URI, *Error) {
	u := &HTTP{base: newBase(sp), Path: sp.Path}
	var err *Error
	if u.At, u.User, err = u.authority(allowUser | webHost); err != nil {
		return nil, err
	}
	if err = u.webText(sp.Path, sp.pathAt(), cPchar|cSlash); err != nil {
		return nil, err
	}
	if sp.HasQuery {
		if err = u.webText(sp.Query, sp.qAt(), cFragment); err != nil {
			return nil, err
		}
		u.Query = &u.sp.Query
	}
	if err = u.webText(sp.Fragment, sp.fragAt(), cFragment); err != nil {
		return nil, err
	}
	return u, nil
}

// webText forgives stray percent signs and raw characters, but no controls.
func (u *HTTP) webText(s string, at int, spec class) *Error {
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

// writeKey: an empty path is "/", RFC 3986 section 6.2.3.
func (*HTTP) writeKey(p *keyWriter, sp *Parts) {
	if sp.Path == "" {
		p.mark("path-empty")
		p.add("/")
	}
	p.addPath(sp)
}

// hasDrive reports a DOS drive, "C:" or the old "C|".
func hasDrive(s string) bool {
	return len(s) == 2 && is(s[0], cAlpha) && strings.IndexByte(":|", s[1]) >= 0
}
