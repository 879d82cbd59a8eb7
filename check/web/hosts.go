package web

import (
	"crypto/tls"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/internal/hostsettings"
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

// PersistentHosts are the hosts that are known to resolve identifiers that are meant to last.
func PersistentHosts() []string { return slices.Clone(persistentHosts) }

var persistentHosts = []string{"doi.org", "hdl.handle.net", "handle.net", "purl.org", "purl.oclc.org", "purl.net",
	"purl.com", "purl.access.gpo.gov", "purl.fdlp.gov", "n2t.net", "arks.org", "w3id.org", "identifiers.org",
	"nbn-resolving.org", "nbn-resolving.de", "urn.nb.no", "urn.fi", "urn.kb.se", "resolver.kb.nl", "persistent-identifier.nl",
	"lccn.loc.gov", "id.loc.gov", "hdl.loc.gov", "urn.bn.pt", "resolver.sub.uni-goettingen.de"}

// proxied says whether the resource is a link through a library's proxy (EZproxy).
func proxied(p resource) bool {
	return p.path == "/login" && (strings.HasPrefix(p.query, "?url=") || strings.HasPrefix(p.query, "?qurl="))
}

// settings are those that the person gave a server; nil: none.
func (p *Prober) settings(at origin) *hostsettings.Settings {
	if p.opt.Hosts.Empty() {
		return nil
	}
	return of(p.opt.Hosts, at.scheme, at.address())
}

// of gives the settings of the server at "host:port".
func of(hosts *hostsettings.Table, scheme, address string) *hostsettings.Settings {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil
	}
	n, _ := strconv.Atoi(port)
	return hosts.For(scheme, host, n)
}

// timeout is that of a visit of a server.
func (p *Prober) timeout(at origin) time.Duration {
	if s := p.settings(at); s != nil && s.Timeout > 0 {
		return s.Timeout
	}
	return p.opt.Timeout
}

// withUserAgent gives the fields of a request with the user agent of the host in place of ours.
func (p *Prober) withUserAgent(h http.Header, s *hostsettings.Settings) http.Header {
	if s == nil || s.UserAgent == "" || h.Get("User-Agent") != p.opt.UserAgent {
		return h
	}
	h = h.Clone()
	h.Set("User-Agent", s.UserAgent)
	return h
}

// withSecrets adds the secrets of the host, which the chain remembers so as to hide them.
// That of a root wins over them.
func (c *chain) withSecrets(h http.Header, s *hostsettings.Settings) http.Header {
	ofHost, ofRoot := s != nil && len(s.Header) > 0, c.reading != nil && c.reading.secret != ""
	if !ofHost && !ofRoot {
		return h
	}
	h = h.Clone()
	if ofHost {
		maps.Copy(h, s.Header)
		c.hideFrom(s.Secrets...)
	}
	if ofRoot {
		h.Set("Authorization", c.reading.secret)
		c.hideFrom(c.reading.hidden...)
	}
	return h
}

// hideFrom remembers secrets that were sent.
func (c *chain) hideFrom(secrets ...string) {
	for _, secret := range secrets {
		if !slices.Contains(c.secrets, secret) {
			c.secrets = append(c.secrets, secret)
		}
	}
}

// minSecret is how long a secret must be to be looked for in what a server says.
const minSecret = 4

// hide leaves out of a result the secrets that its servers were sent: they may repeat them.
func (c *chain) hide(r *check.Result) {
	if len(c.secrets) == 0 {
		return
	}
	for _, s := range []*string{&r.Reply, &r.FinalURL, &r.SuggestedURL, &r.ContentType, &r.Title, &r.ETag, &r.LastModified} {
		*s = c.hidden(*s)
	}
	r.Hops = slices.Clone(r.Hops)
	for i := range r.Hops {
		r.Hops[i].URL = c.hidden(r.Hops[i].URL)
	}
}

// hidden is what a server says without the secrets that it was sent.
func (c *chain) hidden(s string) string {
	for _, secret := range c.secrets {
		if len(secret) >= minSecret {
			s = strings.ReplaceAll(s, secret, "***")
			s = strings.ReplaceAll(s, url.QueryEscape(secret), "***")
		}
	}
	return s
}

// withHost sets what TLS with a host is to know, and gives our certificate for it, an empty
// one where there is none.
func withHost(config *tls.Config, hosts *hostsettings.Table, address string) *tls.Certificate {
	if !hosts.Empty() {
		if s := of(hosts, "https", address); s != nil {
			if s.Roots != nil {
				config.RootCAs = s.Roots
			}
			if s.Certificate != nil {
				return s.Certificate
			}
		}
	}
	return new(tls.Certificate)
}

// SkippedBy is the result for a host whose links are not asked.
func SkippedBy(s *hostsettings.Settings) (check.Result, bool) {
	if s == nil || s.Skip == "" {
		return check.Result{}, false
	}
	return check.New(check.Skipped, check.ReasonExcluded, "by your setting for "+s.Match+": "+s.Skip), true
}

// verdicts are the outcomes of the words of settings.
var verdicts = map[string]check.Outcome{"alive": check.OK, "blocked": check.Blocked, "gone": check.Gone, "temporary": check.Temporary}

// decided is the result where the person said what the last status of a host means. Nothing
// doubts it, and what the page says does not count.
func (p *Prober) decided(c *chain) (r check.Result, ok bool) {
	s := p.settings(c.at.origin())
	if s == nil || c.stop != nil || c.elsewhere != nil {
		return r, false
	}
	word, ok := s.Verdict[c.end.status]
	if !ok {
		return r, false
	}
	r = check.New(verdicts[word], check.ReasonHTTP(c.end.status), c.end.line+", "+word+" by your setting for "+s.Match)
	if r.Hops, r.Bytes = c.hops, c.bytes; len(c.hops) > 0 {
		r.FinalURL = c.at.String()
	}
	r.RetryAfter = check.RetryAfter(c.end.header, p.opt.Now, maxRetryAfter)
	if r.Outcome == check.OK {
		p.permanent(c, &r)
	}
	return r, true
}
