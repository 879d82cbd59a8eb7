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
	if !ok || h.User != nil || p.HasQuery || p.HasPort {
		return false
	}
	id, ok := strings.CutPrefix(p.Path, s.Path)
	if !ok || id == "" || !strings.HasPrefix(id, s.Require) {
		return false
	}
	if !slices.Contains(s.Hosts, p.Host) {
		return false
	}
	becomeInfo(p, s.Namespace, id)
	return true
}

// becomeInfo makes p an info URI.
func becomeInfo(p *uri.Parts, namespace, id string) {
	*p = uri.Parts{Scheme: "info", Path: namespace + "/" + chars.Recode(id, 0, chars.Info), Fragment: p.Fragment, HasFragment: p.HasFragment}
}

// doiIsHandle: a DOI is a handle with the prefix 10.
func doiIsHandle(u *uri.Info, p *uri.Parts) bool {
	if u.Namespace != "hdl" || !strings.HasPrefix(u.Identifier, "10.") {
		return false
	}
	p.Path = "doi" + strings.TrimPrefix(p.Path, "hdl")
	return true
}

// toInfo reads an unregistered scheme as the namespace of that name.
func toInfo(name, require string) func(*uri.Opaque, *uri.Parts) bool {
	return func(u *uri.Opaque, p *uri.Parts) bool {
		if u.Scheme() != name || u.At != nil || !strings.HasPrefix(p.Path, require) {
			return false
		}
		becomeInfo(p, name, p.Path)
		return true
	}
}
