package crawl

import (
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/judge"
)

// mayHaveAsked says whether a probe with this result can have reached a server.
func mayHaveAsked(r *check.Result) bool {
	return setOut(r) && !strings.HasPrefix(string(r.Reason), "dns-")
}

// comesAgain says whether a server asks to be asked again, so soon that it is waited for.
func comesAgain(r *check.Result) bool {
	return judge.AsksBackOff(r) && 0 < r.RetryAfter && r.RetryAfter <= inlineWait
}

// isWeak says whether a failure proves little: such links are tried again.
func isWeak(r *check.Result) bool {
	return r.Outcome == check.Temporary || r.Outcome == check.Unreachable && r.Evidence != check.Strong
}

// failedHost says whether a result is a weak failure of the link's own host. A host
// that redirects has answered.
func failedHost(r *check.Result) bool { return isWeak(r) && len(r.Hops) == 0 }

// lostName says whether the name of the link's own host leads nowhere, or to an address
// of a private network.
func lostName(r *check.Result) bool {
	switch r.Reason {
	case check.ReasonDNSNXDomain, check.ReasonDNSNoAddress, check.ReasonPrivateAddress:
		return len(r.Hops) == 0
	}
	return false
}

// provesNoDeath says whether a result counts for nothing where our own network is down.
func provesNoDeath(r *check.Result) bool {
	return r.Outcome == check.Temporary || r.Outcome == check.Unreachable
}

// setOut says whether a probe set out for a server, as far as it came.
func setOut(r *check.Result) bool {
	if r.Reason == check.ReasonInArchive {
		return false
	}
	switch r.Outcome {
	case check.Invalid, check.NotDereferenceable, check.Unsupported:
		return false
	case check.Skipped:
		return r.Bytes > 0 // of robots.txt
	}
	return true
}

// saysSomething says whether a server said something, be it that it is busy: a machine in
// between can refuse, cut or accept a connection in its place.
func saysSomething(r *check.Result) bool {
	switch {
	case !setOut(r) || r.Outcome == check.Internal || r.Reason == check.ReasonNoUDPReply || r.Outcome == check.Unknown:
		return false
	case len(r.Hops) > 0 || !provesNoDeath(r):
		return true
	}
	return !isServerFailure(r.Reason) && !slices.Contains([]check.Reason{
		check.ReasonTimeout, check.ReasonTCPReset, check.ReasonEOF, check.ReasonClosed}, r.Reason)
}

// isServerFailure says whether all links of the server fail for this reason.
func isServerFailure(r check.Reason) bool {
	return slices.Contains([]check.Reason{
		check.ReasonDNSNXDomain, check.ReasonDNSNoAddress, check.ReasonDNSServFail, check.ReasonDNSTimeout,
		check.ReasonTCPRefused, check.ReasonTCPTimeout, check.ReasonNoRoute,
	}, r)
}

// mayAmend says whether a result may be amended at the end of the run: a page to which
// many paths redirect tells nothing of each. A redirect to the same path elsewhere
// (another scheme, another host, a final slash) is never amended.
func mayAmend(p check.Prober, url string, r *check.Result) bool {
	return p.Hooks().Amendments != nil && r.FinalURL != "" && (r.Outcome == check.OK || r.Outcome == check.Moved) && pathOf(url) != pathOf(r.FinalURL)
}

// amendments are those of a prober, by URI without fragment.
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
