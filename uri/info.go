package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

var infoScheme = Descriptor{
	Name: "info", Spec: "draft-vandesompel-info-uri-01, RFC 4452", Text: SpelledInfo,
	syntax: syntaxFlat, unres: chars.Unreserved2396, parse: parseInfo,
}

// Info is an info URI. Identifier is unescaped.
//
//	info-URI   = "info" ":" namespace "/" identifier [ "#" fragment ]   draft-vandesompel-info-uri-01 section 5.1
//	namespace  = scheme
//	identifier = segment *( "/" segment )
type Info struct {
	base
	Namespace  string // lower case
	Identifier string
}

// Endpoint implements [URI].
func (*Info) Endpoint() (Endpoint, bool) { return Endpoint{}, false }

func parseInfo(p Parts) (URI, *Error) {
	u := &Info{base: newBase(p)}
	ns, id, ok := strings.Cut(p.body(), "/")
	if !ok {
		return nil, u.fail(len(p.raw), "info-slash-missing")
	}
	if err := u.namespace(ns); err != nil {
		return nil, err
	}
	at := p.pathAt() + len(ns) + 1
	if i, escape := chars.Scan(id, chars.Info); i >= 0 {
		switch {
		case escape:
			return nil, u.fail(at+i, "bad-percent")
		case id[i] >= 0x80:
			return nil, u.fail(at+i, "info-identifier-non-ascii")
		}
		return nil, u.fail(at+i, "info-identifier-char")
	}
	if id == "" {
		u.note(Valid, "info-identifier-empty")
	}
	u.Identifier = chars.Decode(id)
	if i, _ := chars.Scan(p.Fragment, chars.Info|chars.Question); i >= 0 {
		return nil, u.fail(p.fragAt()+i, "info-fragment-char")
	}
	return u, nil
}

func (u *Info) namespace(ns string) *Error {
	if err := u.text(ns, u.p.pathAt(), chars.SchemeName, "info-namespace-syntax"); err != nil {
		return err
	}
	name := chars.Lower(chars.Decode(ns))
	if name == "" || !chars.Is(name[0], chars.Alpha) || !chars.AllIn(name, chars.SchemeName) {
		return u.fail(u.p.pathAt(), "info-namespace-syntax")
	}
	if strings.IndexByte(ns, '%') >= 0 {
		u.note(Lax, "info-namespace-escaped")
	}
	u.Namespace = name
	return nil
}

func (*Info) writeKey(w *keyWriter, p *Parts) { w.addPath(p) }

func (u *Info) components() members {
	return members{"namespace": u.Namespace, "identifier": text(u.Identifier), "fragment": u.fragmentOf()}
}
