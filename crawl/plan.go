package crawl

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"linkcheck/extract"
	"linkcheck/judge"
	"linkcheck/store"
)

// planned is one link of the plan. A plan may have millions.
type planned struct {
	id   uint64
	turn uint32 // its rank, and in the lower 30 bits since when it is due, in minutes since 1970
	host uint32 // its number
}

// turnOf is the place of a link in the plan: first those that a person wants.
func turnOf(t *store.DueLink) uint32 {
	if t.Again {
		return 0
	}
	return rank(t.State)<<30 | uint32(min(max(t.Next.Unix()/60, 1), 1<<30-1))
}

// rank is the order of a run: new, failing, living, dead (OUTCOMES section 5).
func rank(s judge.State) uint32 {
	switch s {
	case judge.New:
		return 0
	case judge.Failing:
		return 1
	case judge.Dead:
		return 3
	}
	return 2
}

// compare is the order of the plan.
func (p planned) compare(q planned) int {
	return cmp.Or(cmp.Compare(p.turn, q.turn), cmp.Compare(p.id, q.id))
}

// plan reads from the store what is due and queues it.
func (c *checkRun) plan() error {
	if err := c.readRuns(); err != nil {
		return err
	}
	p := planning{c: c, now: c.o.Now(), alike: map[string][]follower{}}
	var names []string
	var named []store.DueLink // by those names
	due := map[uint64]bool{}
	err := c.eachDue(func(t store.DueLink) {
		if c.o.Turns != nil {
			due[t.ID] = true
		}
		if name := c.nameOf(cmp.Or(t.Target, t.URL)); name != "" {
			names, named = append(names, name), append(named, t)
		} else {
			p.add(&t, false)
		}
	})
	if err == nil {
		err = c.eachHeard(func(t store.DueLink) {
			if !due[t.ID] {
				p.add(&t, false)
			}
		})
	}
	if err == nil {
		c.inSources, err = c.st.FindNames(names)
	}
	if err != nil {
		return err
	}
	for i, name := range names {
		_, here := c.inSources[name]
		p.add(&named[i], here)
	}
	list := slices.Concat(p.parts...)
	p.parts = nil
	if err = c.shareProbes(p.alike, list); err != nil {
		return err
	}
	slices.SortFunc(list, planned.compare)
	c.dispatcher.queues.Reserve(len(list))
	for _, p := range list {
		switch h := c.dispatcher.queues.At(p.host); {
		case h.BackedOff: // since a reading of this night
			c.sum.BackedOff++
		case !c.follows[p.id]:
			c.dispatcher.queues.Add(h, p.id)
		}
	}
	c.sum.Planned = len(list)
	return nil
}

// nameOf is the name by which the sources may hold what a link leads to.
func (c *checkRun) nameOf(url string) string {
	if c.o.NameOf != nil {
		return c.o.NameOf(url)
	}
	return extract.NameOf(url)
}

const planPart = 1 << 12

// planning is a plan that is being made.
type planning struct {
	c     *checkRun
	now   time.Time
	parts [][]planned           // of planPart links each: a list that grows leaves its copies behind
	alike map[string][]follower // links by what they share with others
}

// add plans a link. One that leads to what is here, in the sources, waits for no host: not
// even its name is asked for.
func (p *planning) add(t *store.DueLink, here bool) {
	c, name := p.c, t.Host
	if name == "" && !here {
		a := assign(t.URL, t.Target, t.Relative, c.o.Exclude)
		if u := c.repaired(&a); u != nil {
			name = hostName(u)
		}
	}
	if name == "" || here {
		scheme, _, _ := strings.Cut(t.URL, ":")
		name = namelessHost(scheme[:min(len(scheme), 20)])
	}
	host := c.dispatcher.host(name)
	if t.Host != "" && !here {
		c.network.expect(host, t, p.now)
	}
	asked := cmp.Or(t.Target, t.URL)
	if base, _, cut := strings.Cut(asked, "#"); (cut || asked != t.URL) && t.Host != "" {
		p.alike[base] = append(p.alike[base], follower{t.ID, t.URL, asked})
	}
	last := len(p.parts) - 1
	if last < 0 || len(p.parts[last]) == planPart {
		p.parts, last = append(p.parts, make([]planned, 0, planPart)), last+1
	}
	p.parts[last] = append(p.parts[last], planned{t.ID, turnOf(t), host.Number})
}

// Planned gives up to most addresses about which Check would ask, in their order where all
// servers are equally fast. Nothing is asked and nothing is kept.
func Planned(st *store.Store, o Options, most int) (urls []string, err error) {
	c := newCheckRun(st, o)
	if err := c.plan(); err != nil {
		return nil, err
	}
	for now := time.Now(); len(urls) < most; {
		turn, _, ok := c.dispatcher.queues.Next(now)
		if !ok {
			break
		}
		if a := c.load([]uint64{turn.ID})[0]; a.known == nil {
			urls = append(urls, a.url)
		}
		c.dispatcher.queues.Done(turn, now, 0)
	}
	return urls, nil
}

// maxEarly is how many links of a host are asked before they are due.
const maxEarly = 1000

// eachDue calls take for the links to probe. Where a silent host may be found dead
// tonight by one of its links, its other failing links come with that one, due or not:
// else each would wait for a night of its own (OUTCOMES 5.1.6e).
func (c *checkRun) eachDue(take func(store.DueLink)) error {
	dying, early := map[string]bool{}, map[string][]store.DueLink{}
	f := c.o.Filter
	f.Failing = true
	for t, err := range c.st.Due(c.o.Now(), f) {
		switch {
		case err != nil:
			return err
		case !t.Early:
			take(t)
			if t.DeadByNext && !t.HostLives && t.Host != "" {
				dying[t.Host] = true
			}
		case t.Host != "" && len(early[t.Host]) < maxEarly:
			early[t.Host] = append(early[t.Host], t)
		}
	}
	for _, host := range slices.Sorted(maps.Keys(dying)) {
		for i := range early[host] {
			take(early[host][i])
		}
	}
	return nil
}

// readRuns finds since when runs are not believed.
func (c *checkRun) readRuns() error {
	since := &c.network.since
	for r, err := range c.st.Runs() {
		switch {
		case err != nil:
			return err
		case r.Distrusted && since.IsZero():
			*since = r.Started
		case !r.Distrusted && r.Checked > 0:
			*since = time.Time{}
		}
	}
	return nil
}

// shareProbes makes links that differ in the fragment or in a library's proxy alone follow
// one of them: the one without either if it is due. alike has them by what they share.
func (c *checkRun) shareProbes(alike map[string][]follower, list []planned) error {
	if len(alike) == 0 {
		return nil
	}
	due := make(map[uint64]bool, len(list))
	for _, p := range list {
		due[p.id] = true
	}
	c.follows, c.followers = map[uint64]bool{}, map[uint64][]follower{}
	for base, links := range alike {
		l, found, err := c.st.Find(base)
		if err != nil {
			return err
		}
		lead := links[0].id
		if found && due[l.ID] {
			lead = l.ID
		}
		for _, f := range links {
			if f.id != lead {
				c.follows[f.id] = true
				c.followers[lead] = append(c.followers[lead], f)
			}
		}
	}
	return nil
}
