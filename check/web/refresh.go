package web

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"linkcheck/check"
	"linkcheck/internal/markup"
	"linkcheck/uri"
)

const (
	longestRefresh = 10 // seconds after which a page that sends its readers on is one to be read
	fewWords       = 30 // of a page that is otherwise empty
)

// refreshOf gives what a meta element says that sends the reader elsewhere; "" if it
// does not.
func refreshOf(tag []byte) string {
	var equiv, content string
	for name, value := range markup.Attributes(tag) {
		switch strings.ToLower(string(name)) {
		case "http-equiv":
			equiv = strings.ToLower(string(value))
		case "content":
			content = markup.UnescapeAttr(string(value))
		}
	}
	if equiv != "refresh" || !strings.Contains(strings.ToLower(content), "url=") {
		return ""
	}
	return content
}

// refreshText matches what a Refresh says: seconds, and an address, which may stand in
// quotes (HTML section 4.2.5.3, "shared declarative refresh steps").
var refreshText = regexp.MustCompile(`(?i)^\s*([0-9]+)[0-9.]*\s*(?:[;,]\s*|\s)(?:url\s*=\s*)?(?:'([^']*).*|"([^"]*).*|(.*?))\s*$`)

// refreshTarget gives the address to which a Refresh sends the reader soon; "" if it
// does not.
func refreshTarget(text string) string {
	m := refreshText.FindStringSubmatch(text[:min(len(text), maxRefresh)])
	if m == nil {
		return ""
	}
	if seconds, err := strconv.Atoi(m[1]); err != nil || seconds > longestRefresh {
		return ""
	}
	return m[2] + m[3] + m[4]
}

const maxRefresh = 4 << 10 // octets of a Refresh that are read

// refreshed gives the address to which the last answer sends its reader soon, by its
// header or else by its page; "" if it does not, or to where the chain has been before:
// such pages follow each other in a circle, and are there.
func (p *Prober) refreshed(c *chain) string {
	if c.end.status != http.StatusOK || c.head {
		return ""
	}
	text := c.end.header.Get("Refresh")
	if text == "" && c.end.html() {
		text = c.end.page().refresh
	}
	if text == "" {
		return ""
	}
	target := refreshTarget(text)
	next, _, why := c.at.redirectTo(target)
	if target == "" || why != "" || next == c.start || next == c.at || len(c.hops) >= p.opt.MaxRedirects ||
		slices.ContainsFunc(c.hops, func(h check.Hop) bool { return h.URL == check.CutURL(next.String()) }) {
		return ""
	}
	return target
}

// goOn goes on where the last answer sends the reader; false where it is the end.
func (p *Prober) goOn(ctx context.Context, c *chain) bool {
	location := c.end.header.Get("Location")
	if !redirects(c.end) {
		if location = p.refreshed(c); location == "" {
			return false
		}
		c.flags = append(c.flags, check.FlagMetaRefresh)
	}
	c.keepCookies()
	p.hop(ctx, c, location)
	return c.stop == nil && c.elsewhere == nil && !c.had
}

// scriptRedirect matches a script that sends the reader elsewhere.
var scriptRedirect = regexp.MustCompile(`(?i)\blocation(?:\.href)?\s*=\s*(?:"[^"]+"|'[^']+')|\blocation\.(?:replace|assign)\(\s*(?:"[^"]+"|'[^']+')\s*\)`)

// sentByScript gives the words of a script by which a page that holds next to nothing
// else sends its reader elsewhere; "" if there are none. No script is run.
func (a *answer) sentByScript() string {
	if !a.html() || a.page().words > fewWords || !strings.Contains(a.body, "location") {
		return ""
	}
	for z := range tokens(a.utf8()) {
		if z.Kind() == markup.Text && z.Element() == "script" {
			if found := scriptRedirect.Find(z.Raw()); found != nil {
				return html.UnescapeString(check.CleanReply(string(found)))
			}
		}
	}
	return ""
}

// hears takes what was heard in this run of where the chain is: the answer, where a redirect
// led there, or where it leads. A failure does not count where this is the question in another
// manner and that one was not; nor a redirect by which this chain came itself, for it
// may have been given a cookie since.
func (p *Prober) hears(c *chain) {
	if c.earlier == nil {
		return
	}
	r, ok := c.earlier(c.at.String())
	switch {
	case !ok:
	case r.Outcome == check.Unknown && len(r.Hops) > 0:
		if !c.cameBy() && p.goAlong(c, r.Hops) {
			p.hears(c)
		}
	case len(c.hops) > 0 && !(c.likeBrowsers() && manneredFailure(&r) && !slices.Contains(r.Flags, string(check.FlagSecondOpinion))):
		c.heard, c.end = &r, answer{line: c.end.line}
	}
}

// cameBy says whether the chain was before where it is.
func (c *chain) cameBy() bool {
	at := check.CutURL(c.at.String())
	return len(c.hops) > 0 && (c.at == c.start || slices.ContainsFunc(c.hops[:len(c.hops)-1], func(h check.Hop) bool { return h.URL == at }))
}

// goAlong goes along redirects that were heard of in this run, be the last to another host. One that is too long to be kept whole is asked for again. It says
// whether the chain goes on at this host.
func (p *Prober) goAlong(c *chain, hops []check.Hop) bool {
	to := make([]uri.URI, len(hops))
	for i, hop := range hops {
		u, err := uri.Parse(hop.URL)
		if _, web := u.(*uri.HTTP); err != nil || hop.URL != check.CutURL(u.String()) || !web && i+1 < len(hops) {
			return false
		}
		to[i] = u
	}
	if c.before+len(c.hops)+len(hops) > p.opt.MaxRedirects {
		c.stop = new(check.New(check.Undetermined, check.ReasonRedirectTooMany, c.end.line))
		return false
	}
	from := c.at.hostname()
	for i, u := range to {
		c.end = answer{status: hops[i].Code}
		if at, web := u.(*uri.HTTP); web {
			c.advance(resourceOf(at))
		} else {
			c.leave(u)
		}
	}
	if c.at.hostname() != from {
		c.elsewhere = to[len(to)-1]
	}
	return c.elsewhere == nil
}
