package crawl

import (
	"strings"

	"linkcheck/check"
)

// mayHaveAsked says whether a probe with this result can have reached a server.
func mayHaveAsked(r *check.Result) bool {
	switch r.Outcome {
	case check.Invalid, check.NotDereferenceable, check.Unsupported:
		return false
	case check.Skipped:
		return r.Bytes > 0
	}
	return !strings.HasPrefix(string(r.Reason), "dns-")
}

// isWeak says whether a failure proves little: the end of the run tries it again.
func isWeak(r *check.Result) bool {
	switch r.Outcome {
	case check.Temporary:
		return true
	case check.Unreachable:
		return r.Evidence != check.Strong
	}
	return false
}

// failedHost says whether a weak failure is that of the link's own host: one that
// redirects has answered.
func failedHost(r *check.Result) bool { return isWeak(r) && len(r.Hops) == 0 }

// isServerFailure says whether a failure is one of the server, not of a link.
func isServerFailure(r check.Reason) bool {
	switch r {
	case check.ReasonDNSNXDomain, check.ReasonDNSNoAddress, check.ReasonDNSServFail, check.ReasonDNSTimeout,
		check.ReasonTCPRefused, check.ReasonTCPTimeout, check.ReasonNoRoute:
		return true
	}
	return false
}

// mayAmend says whether the end of the run may know better: many paths that lead
// to one page make it a sink. A redirect to the same path elsewhere (another
// scheme, another host, a slash) cannot be one.
func mayAmend(p check.Prober, url string, r *check.Result) bool {
	return p.Hooks().Amendments != nil && r.FinalURL != "" && (r.Outcome == check.OK || r.Outcome == check.Moved) && pathOf(url) != pathOf(r.FinalURL)
}

// amendments asks a prober what it knows better now, by URI without fragment.
func amendments(p check.Prober) map[string]check.Amendment {
	amended := map[string]check.Amendment{}
	if hook := p.Hooks().Amendments; hook != nil {
		for _, a := range hook() {
			amended[withoutFragment(a.URI)] = a
		}
	}
	return amended
}

func withoutFragment(s string) string {
	base, _, _ := strings.Cut(s, "#")
	return base
}

// pathOf is what follows the authority, without a final slash.
func pathOf(s string) string {
	_, rest, _ := strings.Cut(s, "://")
	_, path, _ := strings.Cut(rest, "/")
	return strings.TrimSuffix(path, "/")
}
