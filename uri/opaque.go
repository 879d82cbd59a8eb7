package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

// Opaque is a URI of a known scheme that has no parts of interest (urn, cid,
// mid, data, tel, finger, ldap ...). At is the server where the scheme names one.
type Opaque struct {
	base
	Rest string // what follows the colon, raw, without the fragment
	At   *Endpoint
}

// Endpoint implements [URI].
func (u *Opaque) Endpoint() (Endpoint, bool) { return optionalServer(u.At) }

func parseOpaque(p Parts) (URI, *Error) {
	u := &Opaque{base: newBase(p), Rest: p.body()}
	if p.HasAuthority && p.Host != "" {
		at, _, err := u.authority(allowUser)
		if err != nil {
			return nil, err
		}
		u.At = &at
	}
	const forgiven = chars.Pchar | chars.Slash | chars.Question | chars.Wild
	for i := 0; i < len(p.body()); i++ {
		switch c := p.body()[i]; {
		case c == '%':
			if !chars.IsEscape(p.body(), i) {
				u.note(Lax, "bad-percent")
			}
		case !chars.Is(c, forgiven):
			return nil, u.fail(len(u.Scheme())+1+i, "control-char")
		case !chars.Is(c, chars.Fragment):
			u.note(Lax, "opaque-char")
		}
	}
	if p.body() == "" {
		return nil, u.fail(len(p.raw), "opaque-empty")
	}
	return u, nil
}

// writeKey folds the namespace identifier of a urn, RFC 8141 section 3.1.
func (*Opaque) writeKey(w *keyWriter, p *Parts) {
	if p.desc.Name != "urn" {
		w.addPath(p)
		return
	}
	nid, _, _ := strings.Cut(p.Path, ":")
	folded := chars.Lower(nid)
	if folded != nid {
		w.mark(stepURNNamespaceCase)
	}
	w.add(folded)
	w.add(p.Path[len(nid):])
}

func (u *Opaque) components() members {
	m := members{"rest": text(u.Rest)}
	if u.At != nil {
		m.at(*u.At)
	}
	return m
}
