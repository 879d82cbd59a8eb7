package web

import (
	"fmt"
	"net/http"
	"strings"

	"linkcheck/check"
)

// secondOpinion makes r, where it is the answer to a second question, the result of both;
// where it would settle that the link is dead, it gives the second question. That one is
// asked from the beginning, on a new connection, when the link's host has its turn
// again. OUTCOMES 5.1.18.
func (v *visit) secondOpinion(r *check.Result) *check.Continuation {
	switch {
	case v.first != nil:
		*r = bothAnswers(*v.first, *r)
	case v.settles != nil && manneredFailure(r) && v.settles(r):
		again := &visit{p: v.p, uri: v.uri, first: new(*r), chain: newChain(resourceOf(v.uri)), begin: v.begin, spent: v.spent}
		again.chain.browser = true
		v.p.CloseIdle(again.chain.at.hostname())
		return &check.Continuation{URI: v.uri, Run: again.ask}
	}
	return nil
}

// manneredFailure says whether a server may have failed because of who asked and how: it
// took the connection. One that asks to be left alone is.
func manneredFailure(r *check.Result) bool {
	switch r.Outcome {
	case check.Gone:
		return true
	case check.Temporary:
		return r.RetryAfter == 0 && !timedOutConnecting(*r) && r.Reason != check.ReasonDNSServFail
	}
	return false
}

// bothAnswers is the result of two questions: what they agree on, or the weaker word. Where
// only one of them failed, the server tells its visitors apart.
func bothAnswers(first, second check.Result) check.Result {
	const part = 220 // octets of each reply: both are kept
	r := second
	switch second.Outcome {
	case check.Internal, check.Skipped:
		return second // it was not asked
	case check.Gone, check.Temporary, check.Unreachable:
		if first.Outcome == check.Temporary || second.Outcome == check.Gone {
			r = first
		}
	default:
		r.Outcome, r.Reason, r.Evidence, r.SuggestedURL = check.Blocked, check.ReasonAnswersDiffer, check.None, ""
	}
	r.Reply = check.CleanReply(fmt.Sprintf("%s; asked as browsers ask: %s", shorten(words(&first), part), shorten(words(&second), part)))
	r.Took, r.Bytes = second.Took, first.Bytes+second.Bytes
	return r.WithFlags(check.FlagSecondOpinion)
}

// words are those of the server, or ours for what it did.
func words(r *check.Result) string {
	if r.Reply == "" {
		return string(r.Reason)
	}
	return r.Reply
}

// browserFields are what a browser sends where somebody types an address. The user
// agent still says who we are, in a comment (RFC 9110 sections 5.6.5 and 10.1.5).
func browserFields(o check.Options) http.Header {
	h := fieldsOf(o)
	h.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 ("+strings.TrimSpace(o.UserAgent)+")")
	h.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	h.Set("Accept-Language", "en-US,en;q=0.5")
	h.Set("Upgrade-Insecure-Requests", "1")
	h.Set("Sec-Fetch-Dest", "document")
	h.Set("Sec-Fetch-Mode", "navigate")
	h.Set("Sec-Fetch-Site", "none")
	return h
}
