package web

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"linkcheck/check"
)

const maxRetryAfter = 60 * 24 * time.Hour // no server is left alone for longer

// outcomeOf is the table of OUTCOMES section 1.3 for the status of a GET.
func outcomeOf(status int) check.Outcome {
	is := func(list ...int) bool { return slices.Contains(list, status) }
	switch {
	case is(204, 205):
		return check.Suspect
	case status >= 200 && status < 300, is(300, 304):
		return check.OK
	case is(401, 402, 407):
		return check.Auth
	case is(403, 429, 451, 999):
		return check.Blocked
	case is(404, 410):
		return check.Gone
	case is(408, 421, 425), status >= 500 && status < 600 && !is(501, 505):
		return check.Temporary
	}
	return check.Undetermined
}

// judge makes the result of a walk, by its last status alone.
func (p *Prober) judge(w *walk, prior *check.Result) check.Result {
	var r check.Result
	switch {
	case w.stop != nil:
		r = *w.stop
	case w.end.status == http.StatusNoContent, w.end.status == http.StatusResetContent:
		r = check.New(check.Suspect, check.ReasonEmpty, w.end.line)
	case p.hosts.challenged(&w.end):
		r = check.New(check.Blocked, check.ReasonChallenge, w.end.line)
	default:
		r = check.New(outcomeOf(w.end.status), check.ReasonHTTP(w.end.status), w.end.line)
	}
	r.Hops, r.Bytes = w.hops, w.bytes
	if len(w.hops) > 0 {
		r.FinalURL = w.at.String()
	}
	if w.stop != nil {
		return r
	}
	r.RetryAfter = retryAfter(w.end.header, p.opt.Now())
	if r.Outcome != check.OK {
		return r
	}
	if w.end.status == http.StatusMultipleChoices {
		r = r.WithFlags(check.FlagMultipleChoices)
	}
	r = p.permanent(w, r)
	if w.end.status == http.StatusNotModified && prior != nil {
		r.ContentType, r.Title, r.Digest, r.ETag, r.LastModified = prior.ContentType, prior.Title, prior.Digest, prior.ETag, prior.LastModified
		return r
	}
	return describe(w, prior, r)
}

// permanent turns ok into moved, as far as the leading hops are permanent.
// A change of scheme or of the final slash alone is a flag; a resolver of
// persistent identifiers redirects by trade.
func (p *Prober) permanent(w *walk, r check.Result) check.Result {
	n := 0
	for n < len(w.hops) && (w.hops[n].Code == http.StatusMovedPermanently || w.hops[n].Code == http.StatusPermanentRedirect) {
		n++
	}
	if n == 0 || p.hosts.persistent(w.start) {
		return r
	}
	if flags, same := trivial(w.start, w.trail[n-1]); same {
		return r.WithFlags(flags...)
	}
	r.Outcome, r.SuggestedURL = check.Moved, w.trail[n-1].String()
	return r
}

// describe keeps what later probes compare with, and flags what changed.
func describe(w *walk, prior *check.Result, r check.Result) check.Result {
	r.ContentType = check.CleanReply(w.end.header.Get("Content-Type"))
	r.ETag, r.LastModified = validator(w.end.header.Get("ETag")), validator(w.end.header.Get("Last-Modified"))
	if w.end.broken != nil {
		r = r.WithFlags(check.FlagIncomplete)
	}
	if w.head {
		return r
	}
	page := w.end.page()
	r.Title, r.Digest = page.title, digest(w.end.body, page)
	if page.refresh {
		r = r.WithFlags(check.FlagMetaRefresh)
	}
	if prior == nil || prior.Digest == "" {
		return r
	}
	if mediaType(prior.ContentType) != mediaType(r.ContentType) {
		r = r.WithFlags(check.FlagContentTypeChanged)
	} else if drifted(prior.Digest, r.Digest) {
		r = r.WithFlags(check.FlagDrift)
	}
	return r
}

// validator keeps a short one-line value to send back one day.
func validator(s string) string {
	if len(s) > 200 || s != check.CleanReply(s) {
		return ""
	}
	return s
}

// retryAfter reads seconds or a date, RFC 9110 section 10.2.3.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	if v == "" {
		return 0
	}
	var d time.Duration
	if n, err := strconv.ParseUint(v, 10, 31); err == nil {
		d = time.Duration(n) * time.Second
	} else if t, err := http.ParseTime(v); err == nil {
		d = t.Sub(now)
	}
	return min(max(d, 0), maxRetryAfter)
}
