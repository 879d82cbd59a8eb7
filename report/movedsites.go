package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
)

// Where the links of a site lead, if not to one other site.
const (
	atHome   = ""
	disagree = "?"
)

// siteMove is what the other links of its site say of one whose own text is not known
// (OUTCOMES section 1.5): that the site has moved as a whole, by a rule that this one
// follows too; or, as the zero value, that other texts stand where it leads.
type siteMove struct {
	rule  prefixes
	alike int // texts that were met again where the rule says
}

// movedSites gathers what it takes to say that a site has moved as a whole.
type movedSites struct {
	leads    map[string]string // by site: the site to which its links lead, or one of the above
	moves    []move            // whose new address is proposed
	unproven []move            // to another site, by links of whose own text nothing is known
	named    []move            // to another site, proposed by their names alone
	unlike   map[prefixes]bool // sites: a text of the first was not met again at the second
}

// findMovedSites judges the links of sites that lead to another one. The store as a whole
// is asked, whatever part of it the report shows.
func (s *Scope) findMovedSites(ctx context.Context) error {
	m := movedSites{leads: map[string]string{}, unlike: map[prefixes]bool{}}
	err := s.eachLink(ctx, store.Pick{Doubt: check.FlagOtherSite}, func(l *store.Link) { m.leads[siteOfHost(l.Host)] = atHome })
	if err != nil || len(m.leads) == 0 {
		return err
	}
	seen := map[string]bool{} // sites of which a link was added
	err = s.eachLink(ctx, store.Pick{}, func(l *store.Link) {
		if site := siteOfHost(l.Host); l.Host != "" {
			if _, wanted := m.leads[site]; wanted {
				m.add(l, site, seen)
			}
		}
	})
	s.siteMoves = m.whole()
	for _, link := range m.named {
		if m.unlike[prefixes{link.old, link.new}] {
			s.siteMoves[link.id] = siteMove{}
		}
	}
	return err
}

// eachLink calls f for the picked links that have a mention.
func (s *Scope) eachLink(ctx context.Context, pick store.Pick, f func(*store.Link)) error {
	for e, err := range s.src.Scan(pick) {
		if err != nil {
			return fmt.Errorf("report: read links: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.Mentions > 0 {
			f(&e.Link)
		}
	}
	return nil
}

// add notes where a link leads, if a server has said so.
func (m *movedSites) add(l *store.Link, site string, seen map[string]bool) {
	switch l.Last.Outcome {
	case check.OK, check.Moved, check.Reachable, check.Suspect, check.Auth, check.Blocked, check.Undetermined:
	default:
		return
	}
	lead := atHome
	if l.Last.FinalURL != "" {
		lead = siteOf(l.Last.FinalURL)
	}
	standing := standingOf(l)
	known := l.Text.Looks > 0 && l.Text.Site == 0
	if known && l.Text.Others > 0 {
		m.unlike[prefixes{site, lead}] = true
	}
	if l.State == judge.Moved && lead != site && !seenThere(l) {
		m.named = append(m.named, move{id: l.ID, old: site, new: lead})
	}
	switch {
	case l.Text.Others > 0, standing == Drift, standing == OtherSite && known && !seenThere(l):
		lead = disagree
	case standing == OtherSite && followsForGood(l):
		m.unproven = append(m.unproven, move{id: l.ID, old: l.Key, new: l.Last.FinalURL})
	case l.State == judge.Moved && l.Last.Outcome == check.Moved:
		if to := suggested(l, standing); to != "" {
			m.moves = append(m.moves, move{old: l.Key, new: to, alike: seenThere(l)})
		}
	}
	if seen[site] && m.leads[site] != lead {
		lead = disagree
	}
	seen[site], m.leads[site] = true, lead
}

// seenThere says whether the text that was known of a link at its own site was met when
// it was last asked for.
func seenThere(l *store.Link) bool {
	return l.Text.Looks > 0 && l.Text.Site == 0 && l.Text.Others == 0 && l.Text.Seen.Unix() == l.Last.At.Unix()
}

// followsForGood says whether permanent redirects alone led a link to a good answer.
func followsForGood(l *store.Link) bool {
	return l.Via == "" && l.Last.Outcome == check.OK && len(l.Last.Hops) > 0 &&
		!slices.ContainsFunc(l.Last.Hops, func(h check.Hop) bool { return h.Code != 301 && h.Code != 308 })
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

// whole gives the unproven links that lead where a rewrite says, if their site has moved
// as a whole: rewriteProof texts were met again at the new site, and no link of the old
// site leads elsewhere, is still there or has become another text.
func (m *movedSites) whole() map[uint64]siteMove {
	rules := map[prefixes]int{}
	for _, w := range findRewrites(m.moves) {
		to := siteOf(w.New + "/")
		if w.alike >= rewriteProof && to != disagree && m.leads[siteOf(w.Old+"/")] == to {
			rules[prefixes{w.Old, w.New}] = w.alike
		}
	}
	found := map[uint64]siteMove{}
	for _, link := range m.unproven {
		for i := len(link.old) - 1; i > 0; i-- {
			if link.old[i] != '/' {
				continue
			}
			new, ok := strings.CutSuffix(link.new, link.old[i:])
			if !ok { // nor does a longer tail agree
				break
			}
			rule := prefixes{link.old[:i], new}
			if alike, ok := rules[rule]; ok {
				found[link.id] = siteMove{rule, alike}
				break
			}
		}
	}
	return found
}
