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
	mu      sync.Mutex
	byKey   map[string]word
	awaited map[string]bool // addresses to which redirects lead, by key
}

// word is the answer of an address, or, with the outcome Unknown, the redirects that lead from
// it to another host.
type word struct {
	check.Result
	rest *check.Continuation // of the probe that was led there; nil: there is none
}

// leads says whether the address leads to another host.
func (w *word) leads() bool { return w.Outcome == check.Unknown }

// keep takes the answer of an address, in whatever spelling; one that is only inferred gives
// way to one that is there.
func (h *heard) keep(address string, w word, inferred bool) {
	key, ok := keyOf(address)
	if !ok {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
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
	key, ok := keyOf(address)
	h.mu.Lock()
	defer h.mu.Unlock()
	w, there := h.byKey[key]
	return w, ok && there
}

// keyOf is what an address that is asked for is known by, in whatever spelling.
func keyOf(address string) (key string, ok bool) {
	u, err := uri.Parse(address)
	if err != nil {
		return "", false
	}
	return withoutFragment(uri.SchemeKey(u)), true
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
	return cmp.Or(err, st.Heard(t.o.Now(), func(address string, r check.Result) { // in a run that was cut off
		if u, err := uri.Parse(address); err == nil {
			t.Once(u)
			t.hears(address, &r, nil)
		}
	}))
}

// Dying gives the addresses of links that one more failure makes dead, and those to which they
// were redirected when they were last asked, by key and without fragments. The error is one of
// the store.
func Dying(st *store.Store, now time.Time) (keys []string, err error) {
	var ids []uint64
	var addresses []string
	for l, err := range st.Due(now, store.Filter{States: []judge.State{judge.Failing}}) {
		if err != nil {
			return nil, err
		}
		if l.DeadByNext {
			ids, addresses = append(ids, l.ID), append(addresses, cmp.Or(l.Target, l.URL))
		}
	}
	err = st.Each(ids, func(l *store.Link, err error) {
		if err == nil {
			for _, hop := range l.Last.Hops {
				addresses = append(addresses, hop.URL)
			}
		}
	})
	for _, address := range addresses {
		if key, ok := keyOf(address); ok {
			keys = append(keys, key)
		}
	}
	return keys, err
}

// isDying says whether one more failure at an address makes a link dead.
func (t *Turns) isDying(address string) bool {
	key, _ := keyOf(address)
	return t.dying[key]
}

// known gives what was heard of an address, be it where it leads.
func (t *Turns) known(address string) (check.Result, bool) {
	w, ok := t.heard.find(address)
	return w.Result, ok
}

// whole gives what was heard of an address where that is an answer.
func (t *Turns) whole(address string) (check.Result, bool) {
	w, ok := t.heard.find(address)
	return w.Result, ok && !w.leads()
}

// endsRedirect is what ends a redirect of a reading at an address: that it failed in this night,
// leads to another host, or to what the reader had or asked for. A probe that goes on from there
// ends at whatever was heard.
func (t *Turns) endsRedirect(w check.Wanted) func(address string) (check.Result, bool) {
	return func(address string) (check.Result, bool) {
		r, ok := t.known(address)
		return r, ok && (!isGood(&r) || t.isOver() || knows(w, cmp.Or(r.FinalURL, address)))
	}
}

// knows says whether the reader has no need to see what stands at an address.
func knows(w check.Wanted, address string) bool {
	return w.Had != nil && w.Had(address) || w.Asked != nil && w.Asked(address)
}

// behindRedirects has a target asked for once more behind the redirects that it is known to have.
func behindRedirects(target check.Target, hops []check.Hop) func(address string) (check.Result, bool) {
	start, _ := keyOf(target.URI.String())
	before := target.Heard
	return func(address string) (check.Result, bool) {
		if key, _ := keyOf(address); key == start {
			return check.Result{Hops: hops}, len(hops) > 0
		}
		r, ok := before(address)
		return r, ok && !comesAgain(&r)
	}
}

func (t *Turns) isOver() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.over
}

// isGood says whether an answer brings a document.
func isGood(r *check.Result) bool {
	return r.Outcome == check.OK || r.Outcome == check.Moved || r.Outcome == check.Reachable
}

// hears keeps what a reading or a probe heard: be it a failure, it is the answer of this night. The
// same was heard of each address to which it was redirected on the way. Where it was led to
// another host, what is heard there is of interest too.
func (t *Turns) hears(address string, r *check.Result, err error) {
	w, hops := word{Result: *r}, r.Hops
	if away, ok := errors.AsType[*check.Elsewhere](err); ok {
		w.rest = away.Rest
	}
	switch n := len(hops); {
	case w.leads() && n == 0, !w.leads() && (!mayHaveAsked(r) || r.Outcome == check.Internal):
		return
	case w.leads():
		t.await(hops[n-1].URL)
		hops = hops[:n-1]
	}
	t.heard.keep(address, w, false)
	for i, hop := range hops {
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
	return t.once(r.host.Name) || t.leadsToOnce(&r.result)
}

// leadsToOnce says whether it holds for a host to which a link was redirected.
func (t *Turns) leadsToOnce(r *check.Result) bool {
	isOnce := func(address string) bool {
		u, err := uri.Parse(address)
		return err == nil && t.once(hostName(u))
	}
	return t != nil && r != nil && (isOnce(r.FinalURL) || slices.ContainsFunc(r.Hops, func(h check.Hop) bool { return isOnce(h.URL) }))
}

// await says that what is heard of an address is of interest, whatever its host.
func (t *Turns) await(address string) {
	t.heard.mu.Lock()
	defer t.heard.mu.Unlock()
	if t.heard.awaited == nil {
		t.heard.awaited = map[string]bool{}
	}
	key, _ := keyOf(address)
	t.heard.awaited[key] = true
}

// hearsLink keeps what was heard of a link so far, where that is of interest.
func (t *Turns) hearsLink(r *linkResult) {
	if t == nil || r.slip != nil {
		return
	}
	key, ok := keyOf(r.asked)
	t.heard.mu.Lock()
	awaited := t.heard.awaited[key]
	t.heard.mu.Unlock()
	if ok && (awaited || t.asksOnce(r)) {
		t.hears(r.asked, &r.result, nil)
	}
}

// eachHeard calls take for links, due or not, to which what was heard in this night is news: a
// good answer of one that is not well, or that a living one is gone. Other failures wait until
// the link is due.
func (c *checkRun) eachHeard(take func(store.DueLink)) error {
	f := c.o.Filter
	if c.o.Turns == nil || f.All || f.Wished || len(f.States) > 0 || f.Host != "" {
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
