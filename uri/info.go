package uri

import "strings"

var infoScheme = Descriptor{
	Name: "info", Spec: "draft-vandesompel-info-uri-01, RFC 4452", Text: SpelledInfo,
	syntax: syntaxFlat, unres: cUnres96, parse: parseInfo,
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

// cInfo is pchar of the draft's Part B, and '/'.
const cInfo = cUnres96 | cSlash | cAt | cSub

func (*Info) Endpoint() (Endpoint, bool) { return Endpoint{}, false }

func parseInfo(sp Parts) (URI, *Error) {
	u := &Info{base: newBase(sp)}
	ns, id, ok := strings.Cut(sp.body(), "/")
	if !ok {
		return nil, u.fail(len(sp.raw), "info-slash-missing")
	}
	if err := u.namespace(ns); err != nil {
		return nil, err
	}
	at := sp.pathAt() + len(ns) + 1
	if i, escape := scan(id, cInfo); i >= 0 {
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
	u.Identifier = decode(id)
	if i, _ := scan(sp.Fragment, cInfo|cQuest); i >= 0 {
		return nil, u.fail(sp.fragAt()+i, "info-fragment-char")
	}
	return u, nil
}

func (u *Info) namespace(ns string) *Error {
	if err := u.text(ns, u.sp.pathAt(), cScheme, "info-namespace-syntax"); err != nil {
		return err
	}
	name := lower(decode(ns))
	if name == "" || !is(name[0], cAlpha) || !allIn(name, cScheme) {
		return u.fail(u.sp.pathAt(), "info-namespace-syntax")
	}
	if strings.IndexByte(ns, '%') >= 0 {
		u.note(Lax, "info-namespace-escaped")
	}
	u.Namespace = name
	return nil
}

func (*Info) writeKey(p *keyWriter, sp *Parts) { p.addPath(sp) }
