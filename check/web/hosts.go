package web

import (
	"slices"
	"strings"

	"linkcheck/internal/walls"
)

// knownHosts knows sites by name. The list is small on purpose: the operator adds what
// he meets.
type knownHosts struct{ resolvers []string }

func newKnownHosts(o Options) knownHosts {
	return knownHosts{slices.Concat(persistentHosts, o.PersistentHosts)}
}

// persistent says whether the redirects of a resource are its service: DOI, Handle,
// PURL, ARK, URN resolvers.
func (h knownHosts) persistent(p resource) bool {
	return h.resolver(p) || strings.Contains(p.path, "/ark:")
}

// resolver says whether all that the host of a resource does is to resolve identifiers.
func (h knownHosts) resolver(p resource) bool { return walls.Under(p.hostname(), h.resolvers) }

var persistentHosts = []string{"doi.org", "hdl.handle.net", "handle.net", "purl.org", "purl.oclc.org", "purl.net",
	"purl.com", "purl.access.gpo.gov", "purl.fdlp.gov", "n2t.net", "arks.org", "w3id.org", "identifiers.org",
	"nbn-resolving.org", "nbn-resolving.de", "urn.nb.no", "urn.fi", "urn.kb.se", "resolver.kb.nl", "persistent-identifier.nl",
	"lccn.loc.gov", "id.loc.gov", "hdl.loc.gov", "urn.bn.pt", "resolver.sub.uni-goettingen.de"}

// proxied says whether the resource is a link through a library's proxy (EZproxy).
func proxied(p resource) bool {
	return p.path == "/login" && (strings.HasPrefix(p.query, "?url=") || strings.HasPrefix(p.query, "?qurl="))
}
