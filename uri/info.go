package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

var infoScheme = Descriptor{
	Name: "info", Spec: "draft-vandesompel-info-uri-01, RFC 4452", Text: SpelledInfo,
	syntax: syntaxFlat, unres: chars.Unreserved2396, parse: parseInfo, ownFragment: true,
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

func parseInfo(p Parts) URI {
	u := &Info{base: newBase(p)}
	ns, id, ok := strings.Cut(p.body(), "/")
	if !ok {
		u.fail(len(p.raw), "info-slash-missing")
	}
	u.namespace(ns)
	u.ascii(id, p.pathAt()+len(ns)+1, chars.Info, "info-identifier")
	if id == "" {
		u.note(Valid, "info-identifier-empty")
	}
	u.Identifier = chars.Decode(id)
	if i, _ := chars.Scan(p.Fragment, chars.Info|chars.Question); i >= 0 {
		u.fail(p.fragAt()+i, "info-fragment-char")
	}
	return u
}

func (u *Info) namespace(ns string) {
	u.text(ns, u.p.pathAt(), chars.SchemeName, "info-namespace-syntax")
	u.Namespace = chars.Lower(chars.Decode(ns))
	if chars.SchemeLen(u.Namespace+":") != len(u.Namespace) {
		u.fail(u.p.pathAt(), "info-namespace-syntax")
	}
	if strings.IndexByte(ns, '%') >= 0 {
		u.note(Lax, "info-namespace-escaped")
	}
}

func (*Info) writeKey(w *keyWriter, p *Parts) { w.addPath(p) }

func (u *Info) components() members {
	return members{"namespace": u.Namespace, "identifier": text(u.Identifier), "fragment": nil}
}
