package report

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"linkcheck/check"
	"linkcheck/uri"
)

// Where the links of a host lead, if not to one other site.
const (
	atHome   = ""
	disagree = "?"
)

// movedSites gathers what it takes to say that a site has moved as a whole (OUTCOMES
// section 1.5).
type movedSites struct {
	leads    map[string]string // by host: the site to which its links lead, or one of the above
	unproven []move            // to another site, by links of whose own text nothing is known
}

// add notes where a link leads, if a server has said so.
func (s *movedSites) add(r *Row) {
	switch r.Last.Outcome {
	case check.OK, check.Moved, check.Reachable, check.Suspect, check.Auth, check.Blocked, check.Undetermined:
	default:
		return
	}
	if r.Host == "" {
		return
	}
	lead := atHome
	if r.Last.FinalURL != "" {
		lead = siteOf(r.Last.FinalURL)
	}
	known := r.Text.Looks > 0 && r.Text.Site == 0
	switch {
	case r.Text.Others > 0, r.Standing == Drift, r.Standing == OtherSite && known:
		lead = disagree
	case r.Standing == OtherSite && r.Via == "" && forGood(&r.Last):
		s.unproven = append(s.unproven, move{old: r.Key, new: r.Last.FinalURL})
	}
	if was, ok := s.leads[r.Host]; !ok {
		s.leads[strings.Clone(r.Host)] = strings.Clone(lead)
	} else if was != lead {
		s.leads[r.Host] = disagree
	}
}

// seenThere says whether the text that was known of a link at its own site was met when
// it was last asked for.
func seenThere(r *Row) bool {
	return r.Text.Looks > 0 && r.Text.Site == 0 && r.Text.Others == 0 && r.Text.Seen.Unix() == r.Last.At.Unix()
}

// forGood says whether permanent redirects alone led to where a probe ended.
func forGood(r *check.Result) bool {
	return len(r.Hops) > 0 && !slices.ContainsFunc(r.Hops, func(h check.Hop) bool { return h.Code != 301 && h.Code != 308 })
}

// siteOf gives the registrable domain of an address, by the public suffix list.
func siteOf(address string) string {
	u, err := uri.Parse(address)
	if err != nil {
		return disagree
	}
	at, ok := u.Endpoint()
	if !ok {
		return disagree
	}
	return siteOfHost(at.Host)
}

func siteOfHost(host string) string {
	host = strings.TrimSuffix(host, ".")
	if name, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return name
	}
	return host
}

// addTo counts with each rewrite the unproven links that lead where it says, if their
// site has moved as a whole: rewriteProof texts were met again at the new site, and no
// link of the old site leads elsewhere, is still there or has become another text.
func (s *movedSites) addTo(rewrites []Rewrite) {
	whole := map[prefixes]*Rewrite{}
	if len(s.unproven) > 0 {
		sites := s.bySite()
		for i := range rewrites {
			w := &rewrites[i]
			to := siteOf(w.New + "/")
			if w.alike >= rewriteProof && to != disagree && sites[siteOf(w.Old+"/")] == to {
				whole[prefixes{w.Old, w.New}] = w
			}
		}
	}
	if len(whole) == 0 {
		return
	}
	slices.SortFunc(s.unproven, func(a, b move) int { return cmp.Compare(a.old, b.old) })
	for _, m := range s.unproven {
		for i := len(m.old) - 1; i > 0; i-- {
			if m.old[i] != '/' {
				continue
			}
			new, ok := strings.CutSuffix(m.new, m.old[i:])
			if !ok { // nor does a longer tail agree
				break
			}
			if w := whole[prefixes{m.old[:i], new}]; w != nil {
				if w.Also++; len(w.AlsoLike) < rewriteProof {
					w.AlsoLike = append(w.AlsoLike, Example{m.old, m.new})
				}
				break
			}
		}
	}
}

// bySite joins what the hosts of a site say.
func (s *movedSites) bySite() map[string]string {
	sites := map[string]string{}
	for host, lead := range s.leads {
		site := siteOfHost(host)
		if was, ok := sites[site]; ok && was != lead {
			lead = disagree
		}
		sites[site] = lead
	}
	return sites
}
