package crawl

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
	"linkcheck/uri"
)

// heard is what readings of archives heard of addresses in a night (HARVEST section 3).
type heard struct {
	mu    sync.Mutex
	byKey map[string]word
}

// word is the answer of an address.
type word struct {
	check.Result
	rest *check.Continuation // of a probe that leads to another host: Result has the redirects so far; nil: it is over
}

// keep takes the answer of an address, in whatever spelling; one that is only inferred gives
// way to one that is there.
func (h *heard) keep(address string, w word, inferred bool) {
	u, err := uri.Parse(address)
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	key := uri.SchemeKey(u)
	if _, there := h.byKey[key]; there && inferred {
		return
	}
	if h.byKey == nil {
		h.byKey = map[string]word{}
	}
	h.byKey[key] = w
}

// find gives what was heard of an address, in whatever spelling.
func (h *heard) find(address string) (w word, ok bool) {
	u, err := uri.Parse(address)
	if err != nil {
		return w, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	w, ok = h.byKey[uri.SchemeKey(u)]
	return w, ok
}

// Remember heeds the hosts of a store that asked to be left alone, and keeps there which do,
// and what the prober wants to know in the next run. others are what Dying gives of other stores.
// The error is one of the store.
func (t *Turns) Remember(st *store.Store, others ...string) error {
	t.st = st
	t.o.useCache(st)
	own, err := Dying(st, t.o.Now())
	for _, key := range slices.Concat(own, others) {
		t.dying[key] = true
	}
	return err
}

// Dying gives the addresses of links that one more failure makes dead, by key and without
// fragments. The error is one of the store.
func Dying(st *store.Store, now time.Time) (keys []string, err error) {
	for l, err := range st.Due(now, store.Filter{States: []judge.State{judge.Failing}}) {
		if err != nil {
			return nil, err
		}
		if u, err := uri.Parse(cmp.Or(l.Target, l.URL)); err == nil && l.DeadByNext {
			keys = append(keys, withoutFragment(uri.SchemeKey(u)))
		}
	}
	return keys, nil
}

// isDying says whether one more failure at an address makes a link dead.
func (t *Turns) isDying(u uri.URI) bool {
	return t != nil && t.dying[withoutFragment(uri.SchemeKey(u))]
}

// whole gives what was heard of an address where that is all of its answer.
func (t *Turns) whole(address string) (check.Result, bool) {
	w, ok := t.heard.find(address)
	return w.Result, ok && w.rest == nil
}

// failed is whole for answers that bring no document.
func (t *Turns) failed(address string) (check.Result, bool) {
	r, ok := t.whole(address)
	return r, ok && !isGood(&r)
}

// endsRedirect is what ends a redirect of a reading at an address: that it failed in this night, or
// led to what the reader had.
func (t *Turns) endsRedirect(w check.Wanted) func(address string) (check.Result, bool) {
	return func(address string) (check.Result, bool) {
		r, ok := t.whole(address)
		if ok && isGood(&r) {
			ok = len(r.Hops) > 0 && w.Had != nil && w.Had(r.FinalURL)
		}
		return r, ok
	}
}

// isGood says whether an answer brings a document.
func isGood(r *check.Result) bool {
	return r.Outcome == check.OK || r.Outcome == check.Moved || r.Outcome == check.Reachable
}

// hears keeps what a reading or a probe heard: be it a failure, it is the answer of this night. The
// same was heard of each address to which it was redirected on the way.
func (t *Turns) hears(u uri.URI, r *check.Result, err error) {
	w := word{Result: *r}
	if away, ok := errors.AsType[*check.Elsewhere](err); ok && away.Rest != nil {
		w.rest = away.Rest
	} else if !mayHaveAsked(r) || r.Outcome == check.Internal {
		return
	}
	t.heard.keep(u.String(), w, false)
	if w.rest != nil {
		return
	}
	for i, hop := range r.Hops {
		t.heard.keep(hop.URL, word{Result: behind(r, i+1)}, true)
	}
}

// behind is a result as it would be had its first redirects been left out.
func behind(r *check.Result, hops int) check.Result {
	s := *r
	if s.Hops = r.Hops[hops:]; len(s.Hops) == 0 {
		s.Hops, s.FinalURL = nil, ""
	}
	if s.Outcome == check.Moved && len(s.Hops) == 0 {
		s.Outcome, s.SuggestedURL = check.OK, ""
	}
	return s
}

// Keep takes what the reader of an archive says of the answer that it had at an address, in
// place of what the reading heard itself.
func (t *Turns) Keep(address string, r check.Result) { t.heard.keep(address, word{Result: r}, false) }

// Once says that no address of the host of a URI is asked for twice in this night: not to try a
// weak failure once more, and not for a second opinion. It holds for every host that a
// reading asks.
func (t *Turns) Once(u uri.URI) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.onceAt[hostName(u)] = true
}

// once says whether that holds for a host. (Of no Turns it does for none.)
func (t *Turns) once(host string) bool {
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.onceAt[host]
}

// asksOnce says whether that holds for a link, be it for a host to which it leads.
func (t *Turns) asksOnce(r *linkResult) bool {
	return t.once(r.host.Name) || slices.ContainsFunc(r.result.Hops, func(h check.Hop) bool {
		u, err := uri.Parse(h.URL)
		return err == nil && t.once(hostName(u))
	})
}

// eachHeard calls take for links, due or not, to which what was heard in this night is news: a
// good answer of one that is not well, or that a living one is gone. Other failures wait until
// the link is due.
func (c *checkRun) eachHeard(take func(store.DueLink)) error {
	f := c.o.Filter
	if c.o.Turns == nil || f.All || len(f.States) > 0 || f.Host != "" {
		return nil
	}
	f = store.Filter{States: []judge.State{judge.Alive, judge.Moved, judge.Suspect, judge.Restricted, judge.Undetermined, judge.Failing, judge.Dead, judge.NotCheckable}}
	for l, err := range c.st.Due(c.o.Now(), f) {
		if err != nil {
			return err
		}
		asked := cmp.Or(l.Target, l.URL)
		if !c.o.Turns.once(l.Host) || c.o.Exclude != nil && (c.o.Exclude(l.URL) || c.o.Exclude(asked)) || c.o.Fragments && asked != withoutFragment(asked) {
			continue
		}
		r, ok := c.o.Turns.whole(withoutFragment(asked))
		good := isGood(&r)
		lives := l.State == judge.Alive || l.State == judge.Moved
		if ok && (good && !lives || lives && r.Outcome == check.Gone && r.Evidence == check.Strong) {
			take(l)
		}
	}
	return nil
}
