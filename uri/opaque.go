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
	if p.Scheme == "ark" && !isARK(u.Rest) {
		u.fail(len("ark:"), "ark-name")
	}
	return u
}

// isARK reports whether rest is that of an ARK: "/", which newer ones leave out, a number
// of five digits or more, or as many of the letters that ARKs use, and a name.
//
//	ark = "ark:" [ "/" ] NAAN "/" name [ qualifier ]   draft-kunze-ark section 2.1
func isARK(rest string) bool {
	naan, name, ok := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	return ok && len(naan) > 4 && len(naan) < 17 && chars.AllIn(naan, chars.Alnum) && strings.ContainsAny(naan[:1], "0123456789bcdfghjkmnpqrstvwxzBCDFGHJKMNPQRSTVWXZ") &&
		strings.Trim(name, "/.-") != ""
}

// writeARK writes the form in which ARKs are compared: without the old slash, hyphens,
// which mean nothing, and slashes and periods at the end (draft-kunze-ark section 2.7).
func writeARK(w *keyWriter, path string) {
	short := strings.TrimPrefix(path, "/")
	if short != path {
		w.mark(stepARKSlash)
	}
	plain := strings.ReplaceAll(short, "-", "")
	if plain != short {
		w.mark(stepARKHyphen)
	}
	ends := strings.TrimRight(plain, "/.")
	if ends != plain {
		w.mark(stepARKEnd)
	}
	w.add(ends)
}

// writeKey folds the namespace identifier of a urn, RFC 8141 section 3.1.
func (*Opaque) writeKey(w *keyWriter, p *Parts) {
	switch p.desc.Name {
	case "urn":
	case "ark":
		writeARK(w, p.Path)
		w.addQuery(p)
		return
	default:
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
