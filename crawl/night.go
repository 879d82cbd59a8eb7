package crawl

import (
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/extract"
	"linkcheck/store"
	"linkcheck/uri"
)

// maxHeld bounds the answers that wait for the end of the run; beyond it they are
// kept as they came.
const maxHeld = 100000

const progressEvery = 200 * time.Millisecond

// night is one Check under way.
type night struct {
	*engine
	st     *store.Store
	o      CheckOptions
	writer *writer
	sum    Summary

	same     map[uint64][]uint64    // link -> links that differ in the fragment alone
	weak     []held                 // weak failures, which the end of the run decides about
	moved    []held                 // redirected answers, which the prober may amend
	first    map[uint64]held        // in the second pass: the first answers not yet replaced
	follow   map[uint64]bool        // links that same gives their answers
	named    map[string]store.Place // messages and parts that links name, which stand in the sources
	told     time.Time
	aliveAll int // hosts that lived before this run
	alive    int // of them probed
	failing  int // of them without any answer so far
	silent   int // of them one after another, since a host was heard
	heard    time.Time
}

// held is an answer that is not kept yet.
type held struct {
	h      *host
	id     uint64
	result check.Result
}

// plan asks the store what is due and queues it.
func (n *night) plan() error {
	var list plan
	var names []string
	numbers := map[string]uint32{}
	fragments := map[string][]uint64{}
	var wanted []string
	for t, err := range n.st.Due(n.o.Now(), n.o.Filter) {
		if err != nil {
			return err
		}
		name := t.Host
		if name == "" {
			scheme, _, _ := strings.Cut(t.URL, ":")
			name = nameless + strings.ToLower(scheme[:min(len(scheme), 20)])
		}
		k, ok := numbers[name]
		if !ok {
			name = strings.Clone(name)
			k = uint32(len(names))
			names, numbers[name] = append(names, name), k
		}
		if h := n.host(name); t.HostLives && !h.alive && t.Host != "" {
			h.alive = true
			n.aliveAll++
		}
		if base, _, cut := strings.Cut(t.URL, "#"); cut && !n.o.Fragments && t.Host != "" {
			fragments[base] = append(fragments[base], t.ID)
		}
		if named := extract.NameOf(t.URL); named != "" {
			wanted = append(wanted, named)
		}
		list.add(planned{t.ID, t.Next.Unix(), rank(t.State), k})
	}
	if err := n.share(fragments, &list); err != nil {
		return err
	}
	var err error
	if n.named, err = n.st.Named(wanted); err != nil {
		return err
	}
	for p := range list.sorted() {
		if !n.follow[p.id] {
			n.add(n.host(names[p.host]), p.id)
		}
	}
	n.sum.Planned = list.n
	return nil
}

// share lets links that differ in the fragment alone follow one of them: the one
// without a fragment if it is due.
func (n *night) share(fragments map[string][]uint64, list *plan) error {
	if len(fragments) == 0 {
		return nil
	}
	due := make(map[uint64]bool, list.n)
	for p := range list.each {
		due[p.id] = true
	}
	n.follow, n.same = map[uint64]bool{}, map[uint64][]uint64{}
	for base, ids := range fragments {
		l, found, err := n.st.Find(base)
		if err != nil {
			return err
		}
		lead := ids[0]
		if found && due[l.ID] {
			lead = l.ID
		}
		for _, id := range ids {
			if id != lead {
				n.follow[id] = true
				n.same[lead] = append(n.same[lead], id)
			}
		}
	}
	return nil
}

// loadLinks makes the aims of links.
func (n *night) loadLinks(ids []uint64) []aim {
	aims := make([]aim, 0, len(ids))
	take := func(l *store.Link, err error) {
		a := aim{}
		if err != nil {
			r := check.New(check.Internal, check.ReasonInternalError, err.Error())
			a.known = &r
		} else {
			a = n.aimAt(l)
		}
		aims = append(aims, a)
	}
	if err := n.st.Each(ids, take); err != nil {
		for range ids[len(aims):] {
			take(nil, err)
		}
	}
	return aims
}

func (n *night) aimAt(l *store.Link) (a aim) {
	if a.target, a.known = target(l, n.o); a.known == nil {
		a.known = n.inArchive(l)
	}
	if a.known == nil && l.Last.Outcome != check.Unknown {
		prior := l.Last // apart, so that a link without one stays off the heap
		a.target.Prior = &prior
	}
	return a
}

// inArchive answers for a link to a message or a part of one that stands in the
// sources themselves (RFC 2392, RFC 5538): nobody has to be asked.
func (n *night) inArchive(l *store.Link) *check.Result {
	at, ok := n.named[extract.NameOf(l.URL)]
	if !ok {
		return nil
	}
	r := check.New(check.OK, check.ReasonInArchive, placeOf(at))
	return &r
}

// placeOf says where a message or a part of it stands.
func placeOf(at store.Place) string {
	f := extract.Found{Source: at.Source, Member: at.Member, Line: at.Line}
	return strings.TrimSpace(f.Location() + " " + at.Locator)
}

// target parses a link; what cannot be asked has its result at once.
func target(l *store.Link, o CheckOptions) (check.Target, *check.Result) {
	decided := func(r check.Result) (check.Target, *check.Result) { return check.Target{}, &r }
	if strings.HasPrefix(l.Key, store.RelativeMark) {
		return decided(check.New(check.NotDereferenceable, check.ReasonURI("scheme-missing"), "a relative reference whose base is not known"))
	}
	u, err := uri.Parse(l.URL)
	if err != nil {
		r := check.InvalidResult(err)
		if mended, sure := uri.Repair(l.URL); sure && r.Outcome == check.Invalid {
			r.SuggestedURL = mended // OUTCOMES 1.1: a repair is suggested if one is sure
		}
		return decided(r)
	}
	if o.Exclude != nil && o.Exclude(l.URL) {
		return decided(check.New(check.Skipped, check.ReasonExcluded, ""))
	}
	return check.Target{URI: u}, nil
}

// take takes an answer, and gives it to the links that share it.
func (n *night) take(h *host, id uint64, r check.Result) error {
	if err := n.takeOne(h, id, r); err != nil {
		return err
	}
	for _, other := range n.same[id] {
		if err := n.takeOne(h, other, r); err != nil {
			return err
		}
	}
	n.progress()
	if n.mostDown() {
		return ErrNetworkDown
	}
	return nil
}

func (n *night) takeOne(h *host, id uint64, r check.Result) error {
	n.count(h, id, &r)
	if _, again := n.first[id]; again {
		delete(n.first, id)
		r.Attempts = 2
	}
	if isWeak(&r) && len(n.weak) < maxHeld {
		n.weak = append(n.weak, held{h, id, r})
		return nil
	}
	if amendable, err := n.amendable(id, &r); err != nil || amendable {
		n.moved = append(n.moved, held{h, id, r})
		return err
	}
	return n.keep(id, r)
}

// amendable says whether the answer of a link waits for the end of the run.
func (n *night) amendable(id uint64, r *check.Result) (bool, error) {
	if r.FinalURL == "" || len(n.moved) >= maxHeld {
		return false, nil
	}
	l, err := n.st.Link(id)
	return err == nil && mayAmend(n.o.Prober, l.URL, r), err
}

// mayAmend says whether the end of the run may know better: many paths that lead
// to one page make it a sink. A redirect to the same path elsewhere (another
// scheme, another host, a slash) cannot be one.
func mayAmend(p check.Prober, url string, r *check.Result) bool {
	return p.Hooks().Amendments != nil && r.FinalURL != "" && (r.Outcome == check.OK || r.Outcome == check.Moved) && pathOf(url) != pathOf(r.FinalURL)
}

// amendments asks a prober what it knows better now, by URI without fragment.
func amendments(p check.Prober) map[string]check.Amendment {
	amended := map[string]check.Amendment{}
	if amendments := p.Hooks().Amendments; amendments != nil {
		for _, a := range amendments() {
			amended[withoutFragment(a.URI)] = a
		}
	}
	return amended
}

func withoutFragment(s string) string {
	base, _, _ := strings.Cut(s, "#")
	return base
}

// pathOf is what follows the authority, without a final slash.
func pathOf(s string) string {
	_, rest, _ := strings.Cut(s, "://")
	_, path, _ := strings.Cut(rest, "/")
	return strings.TrimSuffix(path, "/")
}

// leave counts the links of a host that rests; they stay due.
func (n *night) leave(_ *host, links []uint64) error {
	n.sum.Resting += len(links)
	return nil
}

func (n *night) keep(id uint64, r check.Result) error {
	n.sum.Checked++
	if n.o.Kept != nil {
		l, err := n.st.Link(id)
		if err != nil {
			return err
		}
		n.o.Kept(l.URL, r)
	}
	return n.writer.add(store.Checked{ID: id, Result: r})
}

// settle keeps what was held back: amended where the prober knows better now,
// and without weight where our own network was down.
func (n *night) settle(networkDown bool) error {
	amended := amendments(n.o.Prober)
	for _, m := range n.moved {
		l, err := n.st.Link(m.id)
		if err != nil {
			return err
		}
		if a, ok := amended[withoutFragment(l.URL)]; ok {
			m.result = a.Apply(m.result)
		}
		if err := n.keep(m.id, m.result); err != nil {
			return err
		}
	}
	for _, w := range n.weak {
		if networkDown {
			w.result.Outcome, w.result.Reason, w.result.Evidence = check.Internal, check.ReasonOwnNetwork, check.None
		}
		if err := n.keep(w.id, w.result); err != nil {
			return err
		}
	}
	n.moved, n.weak = nil, nil
	return nil
}

// progress tells how far the run is, now and then.
func (n *night) progress() {
	if n.o.Progress == nil || time.Since(n.told) < progressEvery {
		return
	}
	n.told = time.Now()
	n.o.Progress(Progress{
		Planned: n.sum.Planned, Done: n.sum.Checked + len(n.moved) + len(n.weak), UnderWay: n.inflight,
		Retry: len(n.weak) + len(n.first), Hosts: len(n.hosts),
	})
}
