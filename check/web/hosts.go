package web

import (
	"slices"
	"strings"
)

// knownHosts knows sites by name and by what their pages say. The lists are small on
// purpose: the operator adds what he meets.
type knownHosts struct {
	parking, resolvers      []string
	wallTexts, parkingTexts *textFinder
}

func newKnownHosts(o Options) knownHosts {
	return knownHosts{
		parking:      slices.Concat(parkedHosts, o.ParkedHosts),
		resolvers:    slices.Concat(persistentHosts, o.PersistentHosts),
		wallTexts:    newTextFinder(wallMarkers),
		parkingTexts: newTextFinder(parkedMarkers, o.ParkedMarkers),
	}
}

// under says whether host is one of the names or below one.
func under(host string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		rest, ok := strings.CutSuffix(host, name)
		return ok && (rest == "" || strings.HasSuffix(rest, "."))
	})
}

// persistent says whether the redirects of a resource are its service: DOI, Handle,
// PURL, ARK, URN resolvers.
func (h knownHosts) persistent(p resource) bool {
	return h.resolver(p) || strings.Contains(p.path, "/ark:")
}

// resolver says whether all that the host of a resource does is to resolve identifiers.
func (h knownHosts) resolver(p resource) bool { return under(p.hostname(), h.resolvers) }

// parked says whether a chain ended at a seller of domains, or its page is one.
func (h knownHosts) parked(c *chain) bool {
	return len(c.hops) > 0 && under(c.at.hostname(), h.parking) && !under(c.start.hostname(), h.parking) ||
		c.end.html() && h.parkingTexts.in(c.end.body)
}

var persistentHosts = []string{"doi.org", "hdl.handle.net", "handle.net", "purl.org", "purl.oclc.org", "purl.net",
	"purl.com", "purl.access.gpo.gov", "purl.fdlp.gov", "n2t.net", "arks.org", "w3id.org", "identifiers.org",
	"nbn-resolving.org", "nbn-resolving.de", "urn.nb.no", "urn.fi", "urn.kb.se", "resolver.kb.nl", "persistent-identifier.nl",
	"lccn.loc.gov", "id.loc.gov", "hdl.loc.gov", "urn.bn.pt", "resolver.sub.uni-goettingen.de"}

var parkedHosts = []string{"sedo.com", "sedoparking.com", "parkingcrew.net", "bodis.com", "above.com", "dan.com",
	"afternic.com", "hugedomains.com", "buydomains.com", "parklogic.com", "domainsponsor.com", "parked.com",
	"undeveloped.com", "uniregistry.com", "smartname.com", "cashparking.com", "voodoo.com", "skenzo.com",
	"domainmarket.com", "namedrive.com", "fabulous.com", "ww38.com"}

// parkedMarkers are texts of parking pages, long enough to mean nothing else.
var parkedMarkers = []string{
	"window.park = \"", "data-adblockkey=", "sedoparking.com", "parkingcrew.net", "bodiscdn.com",
	"img1.wsimg.com/parking-lander", "window.location.href=\"/lander\"", "cdn.parklogic.com", "this domain is parked", "this domain may be for sale",
	"domain is registered and parked", "hugedomains.com/domain_profile.cfm",
}

// challenged says whether an answer asks for proof of a human reader.
func (h knownHosts) challenged(a *answer) bool {
	action := strings.ToLower(a.header.Get("X-Amzn-Waf-Action"))
	if a.header.Get("Cf-Mitigated") != "" || action == "challenge" || action == "captcha" {
		return true
	}
	if a.status == 200 && len(a.body) > maxWall {
		return false // pages behind a wall carry its script too
	}
	return slices.Contains([]int{200, 202, 403, 429, 503}, a.status) && a.html() && h.wallTexts.in(a.body)
}

// maxWall is the length of the longest page that is nothing but a wall.
const maxWall = 16 << 10

// wallMarkers are texts that only the walls against programs send.
var wallMarkers = []string{"<title>Just a moment...</title>", "<title>Attention Required! | Cloudflare</title>",
	"captcha-delivery.com", "px-captcha", "/.within.website/x/cmd/anubis/", "<title>DDoS-Guard</title>", "sgcaptcha"}

// proxied says whether the resource is a link through a library's proxy (EZproxy).
func proxied(p resource) bool {
	return p.path == "/login" && (strings.HasPrefix(p.query, "?url=") || strings.HasPrefix(p.query, "?qurl="))
}
