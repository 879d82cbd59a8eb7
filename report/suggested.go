package report

import (
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri/proxied"
)

// suggested gives the new address of a moved link or the sure repair of an
// invalid one; "" for persistent identifiers, which are meant to redirect, but for the
// newer address of their resolver.
func suggested(l *store.Link, standing Standing) string {
	if standing == OldResolver {
		return newerResolver(l)
	}
	if slices.Contains(l.Last.Flags, "persistent-id") {
		return ""
	}
	switch {
	case standing == OtherSite:
		return ""
	case standing == SiteMoved:
		return asWritten(l, l.Last.FinalURL)
	case l.State == judge.Moved && l.Last.Outcome == check.Moved && l.Last.SuggestedURL == "":
		return asWritten(l, l.Last.FinalURL)
	case l.State == judge.Moved, l.State == judge.Invalid:
		return asWritten(l, l.Last.SuggestedURL)
	}
	return ""
}

// newerResolver gives the address of a DOI at today's resolver, with the identifier as it
// is written, for a link that is alive at dx.doi.org; else "". No other spelling of an
// identifier is proposed, and never what it leads to.
func newerResolver(l *store.Link) string {
	const old = "://dx.doi.org/10."
	if l.Host != "dx.doi.org" || l.State != judge.Alive || l.Via != "" || l.Last.Outcome != check.OK && l.Last.Outcome != check.Reachable {
		return ""
	}
	i := strings.Index(strings.ToLower(l.URL[:min(len(l.URL), len("https")+len(old))]), old)
	if scheme := l.URL[:max(i, 0)]; !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return ""
	}
	return "https://doi.org/10." + l.URL[i+len(old):]
}

// asWritten writes another target as the link is written: with the library's proxy, if it
// leads through one; "" if that cannot be.
func asWritten(l *store.Link, target string) string {
	if l.Via == "" || target == "" {
		return target
	}
	link, _ := proxied.Wrap(l.Via, target)
	return link
}
