package uri

import (
	"strings"

	"linkcheck/uri/internal/chars"
)

// Schemes of the generic syntax (RFC 3986 section 3) that need no type of their own.
var genericSchemes = []Descriptor{
	generic("gemini", 1965, "Gemini protocol specification 0.24.1, section 2", dotsGone),
	generic("rtsp", 554, "RFC 2326 section 3.2", dotsKept),
	generic("ws", 80, "RFC 6455 section 3", dotsGone, alias{"wss", 443, "RFC 6455 section 3"}),
}

// generic describes such a scheme.
func generic(name string, port int, spec string, d dots, aliases ...alias) Descriptor {
	return Descriptor{
		Name: name, DefaultPort: port, Spec: spec, Text: SpelledSlashes,
		aliases: aliases, syntax: syntaxQuery, relative: d == dotsGone, dots: d, unres: chars.Unreserved, parse: parseGeneric,
	}
}

// Generic is a URL with a host, a path and a query: gemini, rtsp, ws and wss. Path and
// Query are raw.
type Generic struct {
	base
	At    Endpoint
	Path  string
	Query *string
}

// Endpoint implements [URI].
func (u *Generic) Endpoint() (Endpoint, bool) { return u.At, true }

// parseGeneric refuses user names in gemini, whose specification has none, and fragments in
// those of RFC 6455.
func parseGeneric(p Parts) URI {
	u := &Generic{base: newBase(p), Path: p.Path}
	allowed := allowUser
	if p.desc.Name == "gemini" {
		allowed = 0
	}
	u.At, _ = u.authority(allowed)
	u.text(p.Path, p.pathAt(), chars.Pchar|chars.Slash, p.desc.Name+"-char")
	if p.HasQuery {
		u.text(p.Query, p.qAt(), chars.Fragment, p.desc.Name+"-char")
		u.Query = &u.p.Query
	}
	if p.HasFragment && strings.HasPrefix(p.desc.Name, "ws") {
		u.note(Lax, "ws-fragment")
	}
	return u
}

// writeKey: an empty path is "/", RFC 3986 section 6.2.3, RFC 6455 section 3.
func (*Generic) writeKey(w *keyWriter, p *Parts) {
	if p.Path == "" && p.desc.Name != "rtsp" {
		w.mark(stepPathEmpty)
		w.add("/")
	}
	w.addPath(p)
}

func (u *Generic) components() members {
	return members{"path": text(u.Path), "query": optional(u.Query)}
}
