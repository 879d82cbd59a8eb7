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

func parseOpaque(p Parts) URI {
	u := &Opaque{base: newBase(p), Rest: p.body()}
	if p.HasAuthority && p.Host != "" {
		at, _ := u.authority(allowUser)
		u.At = &at
	}
	u.forgiving(u.Rest, len(p.Scheme)+1, chars.Fragment, "opaque-char")
	if u.Rest == "" {
		u.fail(len(p.raw), "opaque-empty")
	}
	return u
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
	w.add(folded, p.Path[len(nid):])
}

func (u *Opaque) components() members { return members{"rest": text(u.Rest)} }
