package web

import (
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/check/netguard"
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
	case is(401, 402, 407, 495, 496): // the last two: nginx, a client's certificate
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

// classifyAnswer makes the result of a chain, by its last status alone.
func (p *Prober) classifyAnswer(c *chain, prior *check.Result) check.Result {
	var r check.Result
	switch {
	case c.stop != nil:
		r = *c.stop
	case c.end.status == http.StatusNoContent, c.end.status == http.StatusResetContent:
		r = check.New(check.Suspect, check.ReasonEmpty, c.end.line)
	case wantsCertificate(&c.end):
		r = check.New(check.Auth, check.ReasonClientCertificate, c.end.line)
	case p.challenged(&c.end):
		r = check.New(check.Blocked, check.ReasonChallenge, c.end.line)
	default:
		r = check.New(outcomeOf(c.end.status), check.ReasonHTTP(c.end.status), c.end.line)
	}
	r.Hops, r.Bytes = c.hops, c.bytes
	if len(c.hops) > 0 {
		r.FinalURL = c.at.String()
	}
	if c.stop != nil {
		return r
	}
	r.RetryAfter = check.RetryAfter(c.end.header, p.opt.Now, maxRetryAfter)
	if r.Outcome != check.OK {
		return r
	}
	if c.end.status == http.StatusMultipleChoices {
		r = r.WithFlags(check.FlagMultipleChoices)
	}
	p.permanent(c, &r)
	if c.end.status == http.StatusNotModified && prior != nil {
		r.ContentType, r.Title, r.Digest, r.ETag, r.LastModified = prior.ContentType, prior.Title, prior.Digest, prior.ETag, prior.LastModified
		r.Look = likeness.SameAsBefore()
		if slices.Contains(prior.Flags, string(check.FlagErrorTitle)) { // the page is the same
			r = r.WithFlags(check.FlagErrorTitle)
		}
		return r
	}
	describe(c, prior, &r)
	return r
}

// permanent turns ok into moved, as far as the leading hops are permanent.
// A change of scheme or of the final slash alone is a flag; a resolver of
// persistent identifiers redirects as its service.
func (p *Prober) permanent(c *chain, r *check.Result) {
	if c.lasting == 0 || p.hosts.persistent(c.start) {
		return
	}
	if flags, same := trivial(c.start, c.moved); same {
		*r = r.WithFlags(flags...)
	} else if p.samePage(c) {
		r.Outcome, r.SuggestedURL = check.Moved, c.moved.String()
	}
}

// describe keeps what later probes compare with, and flags what changed.
func describe(c *chain, prior, r *check.Result) {
	r.ContentType = check.CleanReply(c.end.header.Get("Content-Type"))
	r.ETag, r.LastModified = validator(c.end.header.Get("ETag")), validator(c.end.header.Get("Last-Modified"))
	if c.end.broken != nil {
		*r = r.WithFlags(check.FlagIncomplete)
	}
	if c.head {
		return
	}
	page := c.end.page()
	r.Title, r.Digest, r.Look = page.title, digest(c.end.body, page), c.look()
	if page.refresh != "" {
		*r = r.WithFlags(check.FlagMetaRefresh)
	}
	if prior != nil && prior.Digest != "" && mediaType(prior.ContentType) != mediaType(r.ContentType) {
		*r = r.WithFlags(check.FlagContentTypeChanged)
	}
}

// validator keeps a short one-line value to send back one day.
func validator(s string) string {
	if len(s) > 200 || s != check.CleanReply(s) {
		return ""
	}
	return s
}

// wantsCertificate says whether an answer asks for a certificate of the reader: nginx
// says so with 400, IIS with the numbers behind its 403 (7 there is none, 13 it was
// revoked, 16 it is not trusted, 12 and 17 alike).
func wantsCertificate(a *answer) bool {
	switch a.status {
	case 400:
		return strings.Contains(a.body, "No required SSL certificate was sent") || strings.Contains(a.body, "The SSL certificate error")
	case 403:
		return certificateText.MatchString(a.body)
	}
	return false
}

var certificateText = regexp.MustCompile(`(?i)\b403\.(?:7|12|13|16|17)\b|client certificate (?:is )?required`)

// badAnswer is the error of net/http about an answer that it could not read; it has no
// type by which classify could know it.
type badAnswer struct {
	error
	http2 bool
}

// Unwrap returns the error of net/http.
func (b *badAnswer) Unwrap() error { return b.error }

// classify adds to check.Classify what only the web knows.
func classify(err error) check.Result {
	r := check.Classify(err)
	var plain tls.RecordHeaderError
	if errors.As(err, &plain) && string(plain.RecordHeader[:]) == "HTTP/" {
		return check.New(check.Undetermined, check.ReasonProtocolMismatch, "an HTTP answer where TLS was spoken")
	}
	var bad *badAnswer
	switch {
	case r.Reason != check.ReasonGarbled || !errors.As(err, &bad):
		return r
	case errors.Is(err, http.ErrLineTooLong):
		return check.New(check.Undetermined, check.ReasonTooLong, bad.Error())
	case bad.http2: // a stream or its connection ended
		return check.Classify(errors.Join(io.ErrUnexpectedEOF, err))
	}
	return check.New(check.Undetermined, check.ReasonGarbled, strings.TrimPrefix(bad.Error(), "net/http: HTTP/1.x transport connection broken: "))
}

// isRelays says whether an error is that of a proxy, or its word.
func isRelays(err error) bool {
	_, its := errors.AsType[*netguard.RelayError](err)
	_, word := errors.AsType[*netguard.UnreachedError](err)
	return its || word
}

// notConnected says whether a probe failed before a connection stood: then it fails
// so for every page of the host.
func notConnected(r check.Result) bool {
	return r.Outcome == check.Unreachable || r.Outcome == check.Skipped || r.Reason == check.ReasonCancelled ||
		r.Reason == check.ReasonDNSServFail || timedOutConnecting(r)
}

// timedOutConnecting says whether the time ran out before a connection stood.
func timedOutConnecting(r check.Result) bool {
	return r.Reason == check.ReasonTCPTimeout || r.Reason == check.ReasonDNSTimeout
}
