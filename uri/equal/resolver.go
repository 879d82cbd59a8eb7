package equal

import (
	"slices"
	"strings"

	"linkcheck/uri"
	"linkcheck/uri/internal/chars"
	"linkcheck/uri/registry"
)

// resolve turns an address of the service s into the identifier it resolves.
func resolve(s *registry.Resolver, u uri.URI, p *uri.Parts) bool {
	h, ok := u.(*uri.HTTP)
	if !ok || h.User != nil || p.HasQuery || p.HasPort || !slices.Contains(s.Hosts, p.Host) {
		return false
	}
	id, ok := strings.CutPrefix(p.Path, s.Path)
	return ok && id != "" && strings.HasPrefix(id, s.Require) && becomeInfo(p, s.Namespace, id)
}

// becomeInfo makes p an info URI.
func becomeInfo(p *uri.Parts, namespace, id string) bool {
	path := namespace + "/" + chars.Recode(id, 0, chars.Info)
	return set(p, uri.Parts{Scheme: "info", Path: path, Fragment: p.Fragment, HasFragment: p.HasFragment})
}

// doiIsHandle: a DOI is a handle with the prefix 10.
func doiIsHandle(u *uri.Info, p *uri.Parts) bool {
	return u.Namespace == "hdl" && strings.HasPrefix(u.Identifier, "10.") && set(&p.Path, "doi"+strings.TrimPrefix(p.Path, "hdl"))
}

// toInfo reads an unregistered scheme as the namespace of that name.
func toInfo(name, require string) func(*uri.Opaque, *uri.Parts) bool {
	return func(u *uri.Opaque, p *uri.Parts) bool {
		return u.Scheme() == name && u.At == nil && strings.HasPrefix(p.Path, require) && becomeInfo(p, name, p.Path)
	}
}
