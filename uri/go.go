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
	User       *User     // of a server of RFC 2396 section 3.2.2; never sent
	CommonName *string
	ID         *string
	Pairs      []AVPair
}

// Endpoint implements [URI].
func (u *Go) Endpoint() (Endpoint, bool) { return optionalServer(u.At) }

func parseGo(p Parts) URI {
	u := &Go{base: newBase(p), Form: 2}
	if !p.HasAuthority {
		u.query(p.body(), p.pathAt())
		if p.body() == "" {
			u.note(Valid, "go-empty")
		}
		return u
	}
	u.Form = 1
	at, user := u.authority(allowNoHost | allowUser)
	u.User = user
	if at.Host == "" {
		at.Host = "localhost" // section 3.3.2: MUST
	}
	u.At = &at
	switch p.Path {
	case "":
	case "/":
		u.note(Lax, "go-trailing-slash")
	default:
		u.fail(p.pathAt(), "go-path-not-allowed")
	}
	if !p.HasQuery {
		return u
	}
	if p.Query == "" {
		u.note(Valid, "go-empty-query")
	}
	if id, ok := strings.CutPrefix(p.Query, "id="); ok {
		u.ID = new(u.word(id, p.qAt()+len("id="), "go-value"))
	} else {
		u.query(p.Query, p.qAt())
	}
	return u
}

// query reads common-name *avpair.
func (u *Go) query(s string, at int) {
	name, rest, more := strings.Cut(s, ";")
	u.CommonName = new(u.word(name, at, "go-common-name"))
	at += len(name) + 1
	for more && u.valid != Invalid {
		var pair string
		pair, rest, more = strings.Cut(rest, ";")
		u.pair(pair, at)
		at += len(pair) + 1
	}
}

func (u *Go) pair(s string, at int) {
	k, v, ok := strings.Cut(s, "=")
	if !ok {
		u.fail(at, "go-avpair-form")
	}
	av := AVPair{Attribute: u.word(k, at, "go-attribute")}
	if k == "" {
		u.note(Valid, "go-attribute-empty")
	}
	at += len(k) + 1
	if t, value, typed := strings.Cut(v, ","); typed {
		av.Type, v, at = new(u.word(t, at, "go-type")), value, at+len(t)+1
	}
	av.Value = u.word(v, at, "go-value")
	u.Pairs = append(u.Pairs, av)
}

// word decodes *(unreserved / escaped) of RFC 2396; section 3.4 wants UTF-8.
func (u *Go) word(s string, at int, what string) string {
	u.ascii(s, at, chars.Unreserved2396, what)
	d := chars.Decode(s)
	if !utf8.ValidString(d) {
		u.fail(at, "go-not-utf8")
	}
	return d
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
	if u.User != nil {
		m.user(u.User)
	}
	return m
}
