package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/report/words"
	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/secret"
)

// Sentence says in words what a probe of a link found. Asked is the link, or the target
// behind a library's proxy.
func Sentence(w *words.Catalogue, asked string, res *check.Result) string {
	r := Row{Entry: store.Entry{Link: store.Link{URL: asked, Last: *res}}}
	if u, err := uri.Parse(secret.Mask(asked)); err == nil {
		at, _ := u.Endpoint()
		r.Scheme, r.Host = u.Scheme(), at.Host
	} else if e, ok := err.(*uri.Error); ok {
		r.Scheme = e.Scheme
	}
	r.Standing = Standing(judge.Alive)
	return message(w, &r)
}

// MessageKey gives the key of the sentence for a result. A good or merely reachable
// object needs no reason: only what went wrong does.
func MessageKey(w *words.Catalogue, res *check.Result) string {
	outcome := "what.outcome." + res.Outcome.String()
	if res.Reason == check.ReasonInArchive { // not there, but here
		return "what.in-archive"
	}
	switch res.Outcome {
	case check.OK:
		for _, f := range []check.Flag{check.FlagOtherSite, check.FlagScriptRedirect} {
			if slices.Contains(res.Flags, string(f)) {
				return "doubt." + string(f)
			}
		}
		return outcome
	case check.Unknown, check.Moved:
		return outcome
	}
	if res.Outcome == check.Auth { // some reasons mean another thing with this outcome
		if key := "what." + string(res.Reason) + ".auth"; w.Text(key) != "" {
			return key
		}
	}
	if key, ok := w.Find("what.", string(res.Reason)); ok {
		return key
	}
	return outcome
}

// StepKey gives the key of the advice for a row.
func StepKey(w *words.Catalogue, r *Row) string {
	state := "step." + r.Standing.String()
	switch {
	case r.Standing >= Drift:
		return state
	case r.Archived != "" && r.State == judge.Dead:
		return "step.dead.archived"
	case r.State == judge.Invalid && r.Suggested != "":
		return "step.invalid.repair"
	case r.State == judge.Moved && r.Suggested == "":
		return "step.moved.keep"
	case r.State == judge.Failing && r.Needed > 0 && r.Strikes >= r.Needed:
		return "step.failing.span"
	case r.State == judge.Failing && r.Needed > 0:
		return "step.failing.of"
	}
	if r.Last.Reason == "" || r.State == judge.Alive || r.State == judge.Moved || r.State == judge.Invalid {
		return state
	}
	if key, ok := w.Find(state+".", string(r.Last.Reason)); ok {
		return key
	}
	return state
}

// message says what happened to a link.
func message(w *words.Catalogue, r *Row) string {
	if r.Standing >= Drift {
		return doubtOf(w, r)
	}
	return words.Fill(w.Text(MessageKey(w, &r.Last)), "host", cmp.Or(blamed(r), r.Scheme), "scheme", r.Scheme, "code", codeOf(r.Last.Reason),
		"new", cmp.Or(r.Suggested, r.Last.FinalURL))
}

// blamed is the host of which a sentence speaks: where redirects led, that of the last one.
func blamed(r *Row) string {
	if n := len(r.Last.Hops); n > 0 {
		if u, err := uri.Parse(r.Last.Hops[n-1].URL); err == nil {
			if at, ok := u.Endpoint(); ok && at.Host != "" {
				return at.Host
			}
		}
	}
	return r.Host
}

// doubtOf says what the page of a link was, as far as that is known, and what it is.
func doubtOf(w *words.Catalogue, r *Row) string {
	if r.Standing == OldResolver {
		return w.Get("doubt.old-resolver")
	}
	text := w.Get("doubt."+r.Standing.String(), "new", r.Last.FinalURL)
	if r.Standing == SiteMoved {
		text = w.Count("doubt.site-moved", r.siteMove.alike)
	}
	if m := &r.Text; m.Looks > 0 && m.Others > 0 {
		key := "doubt.was"
		if m.Title == "" {
			key += ".untitled"
		}
		text += " " + w.Get(key, "day", w.Day(m.Seen), "title", m.Title)
	}
	if r.Last.Title != "" {
		text += " " + w.Get("doubt.is", "title", r.Last.Title)
	}
	return text
}

// step says what to do about a link.
func step(w *words.Catalogue, r *Row) string {
	text := w.Text(StepKey(w, r))
	if !strings.Contains(text, "{") { // most rows: spare the words for dates and numbers
		return text
	}
	next := w.Get("unknown-day")
	if !r.NextCheck.IsZero() {
		next = w.Day(r.NextCheck)
	}
	by := ""
	if r.Pin != nil {
		by = oneLine(r.Pin.By)
	}
	return words.Fill(text, "new", cmp.Or(r.Suggested, r.Last.FinalURL), "copy", r.Archived, "strikes", w.Count("strike", r.Strikes), "n", w.Number(r.Strikes), "needed", w.Number(r.Needed), "next", next, "by", by)
}

// codeOf gives the number in a reason: 404 of http-404.
func codeOf(reason check.Reason) string {
	_, code, _ := strings.Cut(string(reason), "-")
	if code == "" || !unicode.IsDigit(rune(code[0])) {
		return string(reason)
	}
	return code
}
