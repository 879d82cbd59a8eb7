package web

import (
	"bytes"
	"slices"
	"strings"
)

// hosts knows sites by name. The lists are small on purpose: the operator adds
// what he meets.
type hosts struct {
	park, keep []string
	markers    [][]byte
}

func newHosts(o Options) hosts {
	h := hosts{park: slices.Concat(parkedHosts, o.ParkedHosts), keep: slices.Concat(persistentHosts, o.PersistentHosts)}
	for _, m := range slices.Concat(parkedMarkers, o.ParkedMarkers) {
		h.markers = append(h.markers, []byte(m))
	}
	return h
}

// under says whether host is one of the names or below one.
func under(host string, names []string) bool {
	for _, n := range names {
		if rest, ok := strings.CutSuffix(host, n); ok && (rest == "" || rest[len(rest)-1] == '.') {
			return true
		}
	}
	return false
}

// persistent says whether the redirects of a place are its service: DOI, Handle,
// PURL, ARK, URN resolvers.
func (h hosts) persistent(p place) bool {
	return h.resolver(p) || strings.Contains(p.path, "/ark:")
}

// resolver says whether all that the host of a place does is to resolve identifiers.
func (h hosts) resolver(p place) bool { return under(p.hostname(), h.keep) }

// parked says whether a walk ended at a seller of domains, or its page is one.
func (h hosts) parked(w *walk) bool {
	if len(w.hops) > 0 && under(w.at.hostname(), h.park) && !under(w.start.hostname(), h.park) {
		return true
	}
	if !w.end.html() {
		return false
	}
	body := bytes.ToLower(w.end.body)
	for _, m := range h.markers {
		if bytes.Contains(body, m) {
			return true
		}
	}
	return false
}

var persistentHosts = []string{"doi.org", "hdl.handle.net", "handle.net", "purl.org", "purl.oclc.org", "purl.net",
	"purl.com", "purl.access.gpo.gov", "purl.fdlp.gov", "n2t.net", "arks.org", "w3id.org", "identifiers.org",
	"nbn-resolving.org", "nbn-resolving.de", "urn.nb.no", "urn.fi", "urn.kb.se", "resolver.kb.nl", "persistent-identifier.nl",
	"lccn.loc.gov", "id.loc.gov", "hdl.loc.gov", "urn.bn.pt", "resolver.sub.uni-goettingen.de"}

var parkedHosts = []string{"sedo.com", "sedoparking.com", "parkingcrew.net", "bodis.com", "above.com", "dan.com",
	"afternic.com", "hugedomains.com", "buydomains.com", "parklogic.com", "domainsponsor.com", "parked.com",
	"undeveloped.com", "uniregistry.com", "smartname.com", "cashparking.com", "voodoo.com", "skenzo.com",
	"domainmarket.com", "namedrive.com", "fabulous.com", "ww38.com"}

// parkedMarkers are texts of parking pages, in lower case, long enough to mean nothing else.
var parkedMarkers = []string{
	"window.park = \"", "data-adblockkey=", "sedoparking.com", "parkingcrew.net", "bodiscdn.com",
	"img1.wsimg.com/parking-lander", "window.location.href=\"/lander\"", "cdn.parklogic.com", "this domain is parked", "this domain may be for sale",
	"domain is registered and parked", "hugedomains.com/domain_profile.cfm",
}

// challenged says whether an answer asks for proof of a human reader.
func challenged(a *answer) bool {
	if a.header.Get("Cf-Mitigated") != "" {
		return true
	}
	switch strings.ToLower(a.header.Get("X-Amzn-Waf-Action")) {
	case "challenge", "captcha":
		return true
	}
	if !slices.Contains([]int{200, 202, 403, 429, 503}, a.status) || !a.html() {
		return false
	}
	if a.status == 200 && len(a.body) > maxWall {
		return false // pages behind a wall carry its script too
	}
	for _, m := range wallMarkers {
		if bytes.Contains(a.body, m) {
			return true
		}
	}
	return false
}

// maxWall is the length of the longest page that is nothing but a wall.
const maxWall = 16 << 10

// wallMarkers are texts that only the walls against programs send.
var wallMarkers = [...][]byte{
	[]byte("<title>Just a moment...</title>"), []byte("<title>Attention Required! | Cloudflare</title>"), []byte("captcha-delivery.com"),
	[]byte("px-captcha"), []byte("/.within.website/x/cmd/anubis/"), []byte("<title>DDoS-Guard</title>"), []byte("sgcaptcha"),
}

// proxied says whether the place is a link through a library's proxy (EZproxy).
func proxied(p place) bool {
	return p.path == "/login" && (strings.HasPrefix(p.query, "?url=") || strings.HasPrefix(p.query, "?qurl="))
}
