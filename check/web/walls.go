package web

import (
	"fmt"
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/internal/walls"
)

// wall is the page of an answer as the rules of walls see it, read once.
func (p *Prober) wall(a *answer) *walls.Page {
	if a.seen == nil {
		page := a.page()
		a.seen = p.walls.Read(page.title, a.body, page.words)
	}
	return a.seen
}

// challenged says whether an answer asks for proof of a human reader.
func (p *Prober) challenged(a *answer) bool {
	action := strings.ToLower(a.header.Get("X-Amzn-Waf-Action"))
	if a.header.Get("Cf-Mitigated") != "" || action == "challenge" || action == "captcha" {
		return true
	}
	return slices.Contains([]int{200, 202, 403, 405, 429, 503}, a.status) && a.html() && p.wall(a).Challenge(a.status >= 400)
}

// parked says whether a chain ended at a seller of domains, or its page is one.
func (p *Prober) parked(c *chain) bool {
	return len(c.hops) > 0 && p.walls.ParkedHost(c.at.hostname()) && !p.walls.ParkedHost(c.start.hostname()) ||
		c.end.html() && p.wall(&c.end).Parked(c.start.hostname())
}

// login makes r the result of a chain that ended at a login page, and says whether it
// did. What a login page answers, or that programs are kept from it, says nothing of
// the page behind it. A link to a login page itself is judged as any other.
func (p *Prober) login(c *chain, r *check.Result) bool {
	if !mayBeLogin(r) {
		return false
	}
	sure, perhaps := false, false
	if len(c.hops) > 0 {
		sure, perhaps = p.walls.LoginAddress(c.start.hostname(), c.at.hostname(), c.at.path, c.at.query)
	}
	page := c.stop == nil && !c.head && c.end.status/100 == 2 && c.end.html()
	switch {
	case sure, perhaps && !page:
	case page && p.wall(&c.end).Login(perhaps || len(c.hops) > 0 && pathKey(c.start) != pathKey(c.at)):
	default:
		return false
	}
	if p.walls.LoginItself(c.start.path, c.start.query) {
		return false
	}
	reply := r.Reply
	if page {
		reply = titled(&c.end)
	}
	was := *r
	*r = check.New(check.Auth, check.ReasonLoginPage, reply)
	r.Hops, r.FinalURL, r.Bytes, r.RetryAfter, r.ContentType, r.Title = was.Hops, was.FinalURL, was.Bytes, was.RetryAfter, was.ContentType, was.Title
	return true
}

// mayBeLogin says whether a server answered what a login page may answer: all but that
// there is no such page.
func mayBeLogin(r *check.Result) bool {
	switch r.Outcome {
	case check.OK, check.Moved, check.Suspect, check.Auth, check.Blocked, check.Undetermined:
		return true
	case check.Temporary:
		return strings.HasPrefix(string(r.Reason), "http-")
	}
	return false
}

// titled is the server's own words about a page: its status and its title.
func titled(a *answer) string {
	if title := a.page().title; title != "" {
		return fmt.Sprintf("%s, %q", a.line, title)
	}
	return a.line
}

// noAccess makes r the result of a page whose text is not open to us, and says whether
// that is so.
func (p *Prober) noAccess(c *chain, r *check.Result) bool {
	whole := !c.end.cut && c.end.broken == nil
	rule := p.walls.NoAccess(c.at.hostname(), c.at.path, p.wall(&c.end), whole, func() string {
		var b strings.Builder
		c.end.eachWord(wordsTo(func(word string) {
			b.WriteString(word)
			b.WriteByte(' ')
		}))
		return b.String()
	})
	if rule == "" {
		return false
	}
	r.Outcome, r.Reason, r.Evidence, r.SuggestedURL = check.Auth, check.ReasonNoAccess, check.None, ""
	r.Reply = fmt.Sprintf("%s; not open by the rule %q", c.end.line, rule)
	return true
}
