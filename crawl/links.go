package crawl

import (
	"cmp"
	"slices"
	"strings"

	"linkcheck/check"
	"linkcheck/check/likeness"
	"linkcheck/extract"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/repair"
	"linkcheck/uri/secret"
)

// load reads from the store what to probe for links, in their order. (linkSource)
func (c *checkRun) load(ids []uint64) []assignment {
	list := make([]assignment, 0, len(ids))
	take := func(l *store.Link, err error) {
		if err != nil {
			list = append(list, assignment{known: new(check.New(check.Internal, check.ReasonInternalError, err.Error()))})
		} else {
			list = append(list, c.assign(l))
		}
	}
	if err := c.st.Each(ids, take); err != nil {
		for range ids[len(list):] {
			take(nil, err)
		}
	}
	for i, id := range ids { // behind Each, for these use the store
		a := &list[i]
		if u := c.repaired(a); u != nil {
			a.slip, a.known, a.target.URI = a.known, nil, u
		} else if a.known == nil && c.o.HeldBack != nil {
			if why := c.o.HeldBack(id, a.asked); why != "" {
				a.known = new(check.New(check.Skipped, check.ReasonHeldBack, why))
			}
		}
		c.secondOpinion(a, id)
	}
	return list
}

// secondOpinion lets a prober ask in another manner before one of the links that share an
// answer counts as dead (OUTCOMES 5.1.18).
func (c *checkRun) secondOpinion(a *assignment, id uint64) {
	if a.known != nil {
		return
	}
	t := c.o.Turns
	a.target.Once = t != nil // a redirect may lead to a host that is asked once
	if t.once(hostName(a.target.URI)) || t.leadsToOnce(a.target.Prior) {
		a.target.AsBrowsers = t.isDying
		return
	}
	for _, f := range c.followers[id] {
		_ = c.st.Each([]uint64{f.id}, func(l *store.Link, err error) { // of one that cannot be read nothing is known
			if err == nil && l.Failing != nil {
				a.failing = append(a.failing, l.Failing)
			}
		})
	}
	if failing, comesAgain := a.failing, c.first == nil && !c.o.NoRetry; len(failing) > 0 {
		a.target.Settles = func(r *check.Result) bool {
			if comesAgain && isWeak(r) { // it is tried once more anyway
				return false
			}
			return slices.ContainsFunc(failing, func(j *judge.Judgement) bool { return j.DiesBy(r) })
		}
	}
}

// heard gives a link the answer that was had in this night at its address, be it the first
// part of one, and that of what it redirects to. (linkSource) By that no link dies of which a web server was not asked in the manner of
// a second opinion: it is asked so.
func (c *checkRun) heard(a *assignment) {
	base, fragment, cut := strings.Cut(a.asked, "#")
	if c.o.Turns != nil {
		a.target.Heard = c.o.Turns.known
	}
	if c.o.Turns == nil || a.known != nil || cut && c.o.Fragments {
		return
	}
	w, ok := c.o.Turns.heard.find(base)
	if !ok {
		return
	}
	r := w.Result
	if w.leads() {
		if w.rest != nil {
			a.known, a.rest = &r, w.rest
		}
		return
	}
	a.known = &r
	_, web := a.target.URI.(*uri.HTTP)
	if web && (r.Outcome == check.Gone || r.Outcome == check.Temporary) && !slices.Contains(r.Flags, string(check.FlagSecondOpinion)) &&
		slices.ContainsFunc(a.failing, func(j *judge.Judgement) bool { return j.DiesBy(&r) }) {
		a.known, a.target.AsBrowsers = nil, func(string) bool { return true }
		return
	}
	if cut && r.SuggestedURL != "" {
		r.SuggestedURL += "#" + fragment
	}
	if p := a.target.Prior; p != nil && r.NotModified() && r.Look == nil && p.Outcome == check.OK && p.ETag == r.ETag && p.LastModified == r.LastModified {
		r.ContentType, r.Title, r.Digest, r.Look = p.ContentType, p.Title, p.Digest, likeness.SameAsBefore()
	}
}

// assign is the function assign, with what is known besides. It does not use the store: a reading
// of it within another one waits for good where a writer of it waits between the two.
func (c *checkRun) assign(l *store.Link) assignment {
	a := assign(l.URL, l.Target, l.Relative, c.o.Exclude)
	if a.known != nil {
		return a
	}
	if at, ok := c.inSources[c.nameOf(a.asked)]; ok {
		// It is in the sources themselves (RFC 2392, RFC 5538; a mirror): no server is asked.
		f := extract.Found{Source: at.Source, Member: at.Member, Line: at.Line}
		a.known = new(check.New(check.OK, check.ReasonInArchive, strings.TrimSpace(f.Location()+" "+at.Locator)))
	} else if l.Last.Outcome != check.Unknown {
		a.target.Prior = new(l.Last) // apart, so that a link without one stays off the heap
		a.target.Prior.Hops = nil    // many links are loaded ahead
		a.target.Known = new(l.Text)
	}
	if l.Failing != nil {
		a.failing = append(a.failing, l.Failing)
	}
	return a
}

// repaired is the address that an invalid link must have meant, where it may be asked:
// whether it is there proves the repair (OUTCOMES section 1.1). nil: there is none.
func (c *checkRun) repaired(a *assignment) uri.URI {
	if a.known == nil || a.known.Outcome != check.Invalid || a.known.SuggestedURL == "" {
		return nil
	}
	r := assign(a.known.SuggestedURL, "", false, c.o.Exclude)
	if r.known != nil || c.backsOff(hostName(r.target.URI)) {
		return nil
	}
	return r.target.URI
}

// backsOff says whether a host asked in an earlier run to be left alone. (linkSource)
func (c *checkRun) backsOff(host string) bool { return leftAlone(c.st, host).After(c.o.Now()) }

// assign parses a link, or its target if it leads through a library's proxy. One that
// cannot be probed has its result at once.
func assign(url, target string, relative bool, exclude func(string) bool) assignment {
	a := assignment{url: url, asked: cmp.Or(target, url)}
	if relative {
		a.known = new(check.New(check.NotDereferenceable, check.ReasonURI("scheme-missing"), "a relative reference whose base is not known"))
		return a
	}
	u, err := uri.Parse(a.asked)
	switch {
	case err != nil:
		r := check.InvalidResult(err)
		if mended, sure := repair.Slips(a.asked); sure {
			if r.Outcome == check.Unsupported { // of a scheme that is none, but a slip: OUTCOMES 1.4
				r = check.New(check.Invalid, check.ReasonURI("scheme-misspelt"), r.Reply)
			}
			r.SuggestedURL = mended // OUTCOMES 1.1: a repair is suggested if one is sure
		}
		a.known = &r
	case exclude != nil && (exclude(url) || exclude(a.asked)):
		a.known = new(check.New(check.Skipped, check.ReasonExcluded, ""))
	case secret.Hidden(a.asked): // nobody knows what was meant
		a.known = new(check.New(check.Skipped, check.ReasonSecretHidden, ""))
	default:
		a.target.URI = u
	}
	return a
}
