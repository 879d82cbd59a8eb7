package uri

import (
	"strings"
	"unicode/utf8"

	"linkcheck/uri/internal/chars"
)

// AVPair is ";attribute=[type,]value" of a go URI.
type AVPair struct {
	Attribute string
	Type      *string
	Value     string
}

var goScheme = Descriptor{
	Name: "go", DefaultPort: 1096, Spec: "RFC 3368", Text: SpelledGo,
	syntax: syntaxQuery, unres: chars.Unreserved2396, parse: parseGo,
}

// Go is a go URI of the Common Name Resolution Protocol.
//
//	cnrp-uri = "go:" (form1 / form2)                                  RFC 3368 section 3.2
//	form1    = "//" [server] ["?" ((common-name *avpair) / id-req)]
//	form2    = common-name *avpair
//	id-req   = "id=" value
//	avpair   = ";" attribute "=" [ type "," ] value
type Go struct {
	base
	Form       int       // 1: a server is meant; 2: the configured services
	At         *Endpoint // nil in form 2
	CommonName *string
	ID         *string
	Pairs      []AVPair
}

// Endpoint implements [URI].
func (u *Go) Endpoint() (Endpoint, bool) { return optionalServer(u.At) }

func parseGo(p Parts) (URI, *Error) {
	u := &Go{base: newBase(p), Form: 2}
	if !p.HasAuthority {
		if err := u.query(p.body(), p.pathAt()); err != nil {
			return nil, err
		}
		if p.body() == "" {
			u.note(Valid, "go-empty")
		}
		return u, u.fragment()
	}
	u.Form = 1
	at, _, err := u.authority(allowNoHost | allowUser)
	if err != nil {
		return nil, err
	}
	if at.Host == "" {
		at.Host = "localhost" // section 3.3.2: MUST
	}
	u.At = &at
	switch p.Path {
	case "":
	case "/":
		u.note(Lax, "go-trailing-slash")
	default:
		return nil, u.fail(p.pathAt(), "go-path-not-allowed")
	}
	if p.HasQuery {
		if err = u.form1Query(); err != nil {
			return nil, err
		}
	}
	return u, u.fragment()
}

func (u *Go) form1Query() *Error {
	q, at := u.p.Query, u.p.qAt()
	if q == "" {
		u.note(Valid, "go-empty-query")
	}
	id, ok := strings.CutPrefix(q, "id=")
	if !ok {
		return u.query(q, at)
	}
	id, err := u.word(id, at+3, "go-value")
	if err != nil {
		return err
	}
	u.ID = &id
	return nil
}

// query reads common-name *avpair.
func (u *Go) query(s string, at int) *Error {
	name, rest, more := strings.Cut(s, ";")
	cn, err := u.word(name, at, "go-common-name")
	if err != nil {
		return err
	}
	u.CommonName = &cn
	at += len(name) + 1
	for more {
		var pair string
		pair, rest, more = strings.Cut(rest, ";")
		if err := u.pair(pair, at); err != nil {
			return err
		}
		at += len(pair) + 1
	}
	return nil
}

func (u *Go) pair(s string, at int) *Error {
	k, v, ok := strings.Cut(s, "=")
	if !ok {
		return u.fail(at, "go-avpair-form")
	}
	attr, err := u.word(k, at, "go-attribute")
	if err != nil {
		return err
	}
	if attr == "" {
		u.note(Valid, "go-attribute-empty")
	}
	av := AVPair{Attribute: attr}
	at += len(k) + 1
	if t, value, typed := strings.Cut(v, ","); typed {
		t2, err := u.word(t, at, "go-type")
		if err != nil {
			return err
		}
		av.Type, v, at = &t2, value, at+len(t)+1
	}
	if av.Value, err = u.word(v, at, "go-value"); err != nil {
		return err
	}
	u.Pairs = append(u.Pairs, av)
	return nil
}

// word decodes *(unreserved / escaped) of RFC 2396; section 3.4 wants UTF-8.
func (u *Go) word(s string, at int, what string) (string, *Error) {
	if i, escape := chars.Scan(s, chars.Unreserved2396); i >= 0 {
		switch {
		case escape:
			return "", u.fail(at+i, "bad-percent")
		case s[i] >= 0x80:
			return "", u.fail(at+i, what+"-non-ascii")
		}
		return "", u.fail(at+i, what+"-char")
	}
	d := chars.Decode(s)
	if !utf8.ValidString(d) {
		return "", u.fail(at, "go-not-utf8")
	}
	return d, nil
}

// writeKey: the grammar has no path. writeScheme writes the empty server.
func (*Go) writeKey(w *keyWriter, p *Parts) {
	if !p.HasAuthority {
		w.add(p.body())
		return
	}
	w.addQuery(p)
}

func (u *Go) components() members {
	pairs := make([][3]any, len(u.Pairs))
	for i, p := range u.Pairs {
		pairs[i] = [3]any{p.Attribute, optional(p.Type), p.Value}
	}
	m := members{
		"form": u.Form, "common_name": optional(u.CommonName), "id": optional(u.ID),
		"avpairs": pairs, "server": nil, "port": nil,
	}
	if u.At != nil {
		m["server"], m["port"] = u.At.Host, u.At.Port
	}
	return m
}
