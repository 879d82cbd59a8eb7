package web

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/check/wire"
)

// manner is how a question is asked.
type manner int

const (
	asProgram  manner = iota // as ourselves
	asBrowsers               // by us, with the fields of a browser
	byBrowser                // by a browser
)

// secondOpinion gives the next question where r would settle that the link is dead. It is
// asked from the beginning, on a new connection, when the link's host has its turn
// again. OUTCOMES 5.1.18.
func (v *visit) secondOpinion(r check.Result) *check.Continuation {
	last := asBrowsers
	if v.p.opt.Browser != nil {
		last = byBrowser
	}
	if v.chain.manner == last || v.settles == nil || !manneredFailure(&r) || v.chain.mannered {
		return nil
	}
	first := new(r)
	if !v.settles(first) {
		return nil
	}
	again := &visit{p: v.p, uri: v.uri, settles: v.settles, once: v.once, first: first, chain: newChain(resourceOf(v.uri)), begin: v.begin, spent: v.spent}
	again.chain.manner, again.chain.earlier = v.chain.manner+1, v.chain.earlier
	v.p.CloseIdle(again.chain.at.hostname())
	return &check.Continuation{URI: v.uri, Run: again.ask}
}

// likeBrowsers says whether we ask with the fields of a browser.
func (c *chain) likeBrowsers() bool { return c.manner == asBrowsers || c.mannered }

// compare is the result of the questions before and of this one.
func (v *visit) compare(before, r check.Result) check.Result {
	if v.chain.manner == byBrowser {
		return withBrowser(before, r)
	}
	return bothAnswers(before, r)
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

// Browser asks for one page by a browser: it follows no redirect, and keeps no cookie
// from one to the next. What is no answer of the server is an error that check.Classify
// makes internal. User-Agent and Cookie are the only fields that it is given.
type Browser interface {
	http.RoundTripper
	// Turn waits until a browser is free, which then is that of the requests under the
	// context that it gives.
	Turn(ctx context.Context) (turn context.Context, release func(), err error)
}

// BrowserTime is the longest that a visit by a browser takes, the starts of the browser among it.
const BrowserTime = time.Minute

// askBrowser makes one request of a chain by the browser.
func (p *Prober) askBrowser(ctx context.Context, at resource, header http.Header) (a answer, err error) {
	if !wire.LineSafe(at.host, at.path, at.query) {
		return a, wire.ErrControl
	}
	// Opaque: a browser takes the address as it is written.
	req := &http.Request{Method: http.MethodGet, URL: &url.URL{Scheme: at.scheme, Opaque: "//" + at.host + at.path + at.query}, Host: at.host, Header: header}
	resp, err := p.opt.Browser.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	a = answer{status: resp.StatusCode, line: resp.Status, header: resp.Header}
	a.read(resp.Body, new(bytes.Buffer), p.opt.MaxBytes)
	return a, nil
}

// doubtBrowser is doubt for what a browser got, without another question: a page that
// itself says that there is none is no other answer than those before.
func (p *Prober) doubtBrowser(c *chain, r check.Result) check.Result {
	if r.Outcome != check.OK && r.Outcome != check.Moved {
		return r
	}
	doubted := func(why check.Reason) check.Result {
		return check.New(check.Suspect, why, titled(&c.end))
	}
	switch {
	case p.parked(c):
		return doubted(check.ReasonParked)
	case len(c.hops) > 0 && errorPage.MatchString(c.at.path):
		return doubted(check.ReasonRedirectToError)
	case !c.end.html() || root(c.start):
		return r
	}
	if title, page := p.wall(&c.end).Error(); title || page {
		return doubted(check.ReasonErrorText)
	}
	return r
}

// withBrowser is the result of our own questions, on which all that they asked failed,
// and of the one by a browser: what they agree on, or the weaker word. A browser that
// could not be asked, or got nothing of the server, has no say.
func withBrowser(before, browser check.Result) check.Result {
	const part, rest = 150, 340 // octets of each reply: both are kept
	r, verb := before, "asked also by a browser"
	switch browser.Outcome {
	case check.Gone, check.Temporary, check.Unreachable:
		if before.Outcome != check.Temporary && browser.Outcome != check.Gone {
			r = browser
		}
	case check.Internal, check.Skipped:
		if browser.Reason == check.ReasonCancelled {
			return browser
		}
		verb = "a browser could not be asked"
	default:
		if !agrees(browser.Reason) {
			r = browser
			r.Outcome, r.Reason, r.Evidence, r.SuggestedURL = check.Blocked, check.ReasonAnswersDiffer, check.None, ""
		}
	}
	r.Reply = check.CleanReply(fmt.Sprintf("%s; %s: %s", shorten(words(&before), rest), verb, shorten(words(&browser), part)))
	r.At, r.Took, r.Bytes = browser.At, browser.Took, before.Bytes+browser.Bytes
	r.Look = nil
	if !slices.Contains(r.Flags, string(check.FlagSecondOpinion)) {
		r = r.WithFlags(check.FlagSecondOpinion)
	}
	return r
}

// agrees says whether a browser that got no page, or one that says that there is none,
// speaks for those who were not given one either. A browser refuses the old TLS that we
// still speak.
func agrees(why check.Reason) bool {
	switch why {
	case check.ReasonParked, check.ReasonErrorText, check.ReasonRedirectToError, check.ReasonTLSHandshake:
		return true
	}
	return false
}
