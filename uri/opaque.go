package uri

import "strings"

// Opaque is a URI of a known scheme that has no parts of interest (urn, cid,
// mid, data, tel, finger, ldap ...). At is the server where the scheme names one.
type Opaque struct {
	base
	Rest string // what follows the colon, raw, without the fragment
	At   *Endpoint
}

func (u *Opaque) Endpoint() (Endpoint, bool) { return optionalServer(u.At) }

func parseOpaque(sp Parts) (URI, *Error) {
	u := &Opaque{base: newBase(sp), Rest: sp.body()}
	if sp.HasAuthority && sp.Host != "" {
		at, _, err := u.authority(allowUser)
		if err != nil {
			return nil, err
		}
		u.At = &at
	}
	const forgiven = cPchar | cSlash | cQuest | cWild
	for i := 0; i < len(sp.body()); i++ {
		switch c := sp.body()[i]; {
		case c == '%':
			if !isEscape(sp.body(), i) {
				u.note(Lax, "bad-percent")
			}
		case !is(c, forgiven):
			return nil, u.fail(len(u.Scheme())+1+i, "control-char")
		case !is(c, cFragment):
			u.note(Lax, "opaque-char")
		}
	}
	if sp.body() == "" {
		return nil, u.fail(len(sp.raw), "opaque-empty")
	}
	return u, nil
}

// writeKey folds the namespace identifier of a urn, RFC 8141 section 3.1.
func (*Opaque) writeKey(p *keyWriter, sp *Parts) {
	if sp.desc.Name != "urn" {
		p.addPath(sp)
		return
	}
	nid, _, _ := strings.Cut(sp.Path, ":")
	folded := lower(nid)
	if folded != nid {
		p.mark("urn-namespace-case")
	}
	p.add(folded)
	p.add(sp.Path[len(nid):])
}
