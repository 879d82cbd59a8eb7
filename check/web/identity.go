package web

import (
	"path"
	"strings"

	"golang.org/x/net/publicsuffix"

	"linkcheck/check/likeness"
)

// site is the domain of a resource as its owner registered it, by the public suffix
// list; of an address or a name without one, that.
func site(p resource) string {
	host := strings.TrimSuffix(p.hostname(), ".")
	if name, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return name
	}
	return host
}

// oneSite says whether two resources are of one site, for which the list is seldom needed.
func oneSite(a, b resource) bool { return a.host == b.host || site(a) == site(b) }

// leavesSite says whether a chain leads, or is to lead for good, to another site.
func (c *chain) leavesSite() bool {
	return !oneSite(c.start, c.at) || c.lasting > 0 && !oneSite(c.start, c.moved)
}

// look is the look at the page on which the chain ended.
func (c *chain) look() likeness.Look {
	l := c.end.page().look
	if !oneSite(c.start, c.at) {
		l = l.At(site(c.at))
	}
	return l
}

// samePage says whether the address to which a chain leads for good may be proposed for
// the one where it began (OUTCOMES section 1.5). On its own site that needs no proof, as
// long as the text is none other than the one that is known; a front page that sends its
// readers to a page behind it stays the address to cite. On another site either enough of
// the known text is there, or nothing is known, and the name of the page or the site was
// kept.
func (p *Prober) samePage(c *chain) bool {
	look, title := c.seen()
	alike := c.known.Compare(look, title)
	switch {
	case p.hosts.persistent(c.moved):
		return true
	case !c.leavesSite():
		return (alike != likeness.Other || c.known.Looks < likeness.KnownWell) && (!root(c.start) || c.hops[c.lasting-1].Code != 200)
	case alike == likeness.Other:
		return false
	case alike == likeness.Same && c.known.Site == 0:
		return c.known.Proves(look, title)
	}
	return sameName(c.start, c.moved)
}

// seen is the text at the end of the chain, and its title.
func (c *chain) seen() (likeness.Look, string) {
	if c.heard != nil {
		return c.heard.Look, c.heard.Title
	}
	return c.look(), c.end.page().title
}

// sameName says whether a page kept its name, or a front page that of its site: what
// those who take over a domain send elsewhere as a whole does not.
func sameName(from, to resource) bool {
	if root(from) {
		label := func(p resource) string { name, _, _ := strings.Cut(site(p), "."); return name }
		return root(to) && label(from) == label(to)
	}
	name := func(p resource) string {
		base := path.Base(p.path)
		if base == "/" || indexName.MatchString(base) {
			base = ""
		}
		return strings.ToLower(base + p.query)
	}
	return name(from) != "" && name(from) == name(to)
}
