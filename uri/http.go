package uri

import (
	"linkcheck/uri/internal/chars"
)

var httpScheme = Descriptor{
	Name: "http", DefaultPort: 80, Spec: "RFC 9110 section 4.2.1", Text: SpelledSlashes,
	aliases: []alias{{"https", 443, "RFC 9110 section 4.2.2"}},
	syntax:  syntaxQuery, relative: true, dots: dotsGone, repair: true, unres: chars.Unreserved, parse: parseHTTP,
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

// Endpoint implements [URI].
func (u *HTTP) Endpoint() (Endpoint, bool) { return u.At, true }

func parseHTTP(p Parts) (URI, *Error) {
	u := &HTTP{base: newBase(p), Path: p.Path}
	var err *Error
	if u.At, u.User, err = u.authority(allowUser | webHost); err != nil {
		return nil, err
	}
	if err = u.webText(p.Path, p.pathAt(), chars.Pchar|chars.Slash); err != nil {
		return nil, err
	}
	if p.HasQuery {
		if err = u.webText(p.Query, p.qAt(), chars.Fragment); err != nil {
			return nil, err
		}
		u.Query = &u.p.Query
	}
	if err = u.webText(p.Fragment, p.fragAt(), chars.Fragment); err != nil {
		return nil, err
	}
	return u, nil
}

// webText forgives stray percent signs and raw characters, but no controls.
func (u *HTTP) webText(s string, at int, spec chars.Class) *Error {
	for i := 0; i < len(s); i++ {
		switch {
		case chars.Is(s[i], spec):
		case s[i] == '%':
			if !chars.IsEscape(s, i) {
				u.note(Lax, "bad-percent")
			}
		case chars.Is(s[i], chars.Wild):
			u.note(Lax, "http-char")
		default:
			return u.fail(at+i, "control-char")
		}
	}
	return nil
}

// writeKey: an empty path is "/", RFC 3986 section 6.2.3.
func (*HTTP) writeKey(w *keyWriter, p *Parts) {
	if p.Path == "" {
		w.mark(stepPathEmpty)
		w.add("/")
	}
	w.addPath(p)
}

func (u *HTTP) components() members {
	return members{"path": text(u.Path), "query": optional(u.Query), "fragment": u.fragmentOf()}.at(u.At).user(u.User)
}
