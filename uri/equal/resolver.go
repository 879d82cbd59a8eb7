package uri

import "strings"

// ladderRules lists the rules of the levels protocol, resolver and heuristic in
// order; resolvers and heuristics are where the latter two start. Resolver rules
// read addresses of services that resolve identifiers, and identifiers that are
// handles of another kind.
func (r *InfoRegistry) ladderRules() (list []rule, resolvers, heuristics int) {
	list = append(list, protocolRules...)
	resolvers = len(list)
	list = append(list,
		rule{kInfo, "doi-is-handle", true, doiIsHandle},
		rule{kOpaque, "doi-scheme", true, toInfo("doi", "doi", "10.")},
		rule{kOpaque, "hdl-scheme", true, toInfo("hdl", "hdl", "")},
	)
	for _, s := range r.resolvers {
		list = append(list, rule{kHTTP, s.Code, true, s.apply})
	}
	heuristics = len(list)
	return append(list, heuristicRules...), resolvers, heuristics
}

// apply turns an address of the service into the identifier it resolves.
func (s *InfoResolver) apply(u URI, d *draft) bool {
	h, ok := u.(*HTTP)
	if !ok || h.User != nil || d.HasQuery || d.HasPort {
		return false
	}
	id, ok := strings.CutPrefix(d.Path, s.Path)
	if !ok || id == "" || !strings.HasPrefix(id, s.Require) {
		return false
	}
	for _, host := range s.Hosts {
		if d.Host == host {
			d.become(s.Namespace, id)
			return true
		}
	}
	return false
}

// become makes d an info URI.
func (d *draft) become(namespace, id string) {
	*d = draft{Scheme: "info", Path: namespace + "/" + recoded(id, 0, cInfo), Fragment: d.Fragment, HasFragment: d.HasFragment}
}

// doiIsHandle: a DOI is a handle with the prefix 10.
func doiIsHandle(u URI, d *draft) bool {
	i, ok := u.(*Info)
	if !ok || i.Namespace != "hdl" || !strings.HasPrefix(i.Identifier, "10.") {
		return false
	}
	d.Path = "doi" + strings.TrimPrefix(d.Path, "hdl")
	return true
}

// toInfo reads an unregistered scheme as a namespace.
func toInfo(scheme, namespace, require string) func(URI, *draft) bool {
	return func(u URI, d *draft) bool {
		o, ok := u.(*Opaque)
		if !ok || o.Scheme() != scheme || o.At != nil || !strings.HasPrefix(d.Path, require) {
			return false
		}
		d.become(namespace, d.Path)
		return true
	}
}
