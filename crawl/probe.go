package crawl

import (
	"cmp"
	"context"
	"iter"

	"linkcheck/check"
	"linkcheck/uri"
	"linkcheck/uri/proxied"
)

// Answer is the result of one URI.
type Answer struct {
	URI    string       // as given
	Proxy  proxied.Link // what a URI through a library's proxy leads to; zero: it is no such URI
	Result check.Result
}

// Probe probes URIs once each, without a store and without retry, and yields the
// answers in the order of the URIs. Spellings of one link are probed once
// (OUTCOMES section 4). An answer that the end of the run may amend is held back
// until then, and so are those that follow it. Where fewHosts or more were asked and no
// server said anything, failures are ours (OUTCOMES 5.1.6b): they wait for the first word
// of a server, and become internal without one. The error is that of ctx or
// ErrNetworkDown, at the end.
func Probe(ctx context.Context, uris []string, o Options) iter.Seq2[Answer, error] {
	return func(yield func(Answer, error) bool) {
		p := newProbeList(uris, o)
		for e := range p.dispatcher.events(ctx, nil) {
			switch e.kind {
			case answered:
				p.early[int(e.id)] = e.result
				p.network.count(e.host, nil, &e.result, e.at)
			case backedOff:
				r := check.New(check.Skipped, check.ReasonHostBackoff, "")
				r.At = o.Now()
				p.early[int(e.id)] = r
			}
			if !p.yieldReady(false, yield) {
				return
			}
		}
		if err := cmp.Or(ctx.Err(), p.network.down()); p.yieldReady(true, yield) && err != nil {
			yield(Answer{}, err)
		}
	}
}

// probeList is one Probe under way. The number of a URI is its index in the list.
type probeList struct {
	o          Options
	uris       []string
	proxies    map[int]proxied.Link // of those that lead through a library's proxy
	dispatcher *dispatcher
	lead       []int                // of each URI: the one that is probed for it
	links      map[string]int       // of each host: how many are probed
	early      map[int]check.Result // by lead; they come in any order
	next       int                  // the URI to be yielded next
	network    *network
	hosts      int // that will be asked
}

func newProbeList(uris []string, o Options) *probeList {
	p := &probeList{o: o, uris: uris, proxies: map[int]proxied.Link{}, links: map[string]int{}, early: map[int]check.Result{}}
	p.dispatcher = newDispatcher(o, p)
	p.network = newNetwork(nil, o.Timeout, p.dispatcher.queues)
	p.network.join()
	leads := map[string]int{} // by the key of the store
	for i, s := range uris {
		if l, ok := o.Proxies.Target(s); ok {
			p.proxies[i], s = l, l.Target
		}
		host, key := nameless, s
		if u, err := uri.Parse(s); err == nil {
			host, key = hostName(u), uri.SchemeKey(u)
		}
		lead, known := leads[key]
		if !known {
			lead, leads[key] = i, i
			if p.links[host]++; p.links[host] == 1 && !isNameless(host) {
				p.hosts++
				p.network.record(p.dispatcher.host(host)).atStake = true
			}
			p.dispatcher.queues.Add(p.dispatcher.host(host), uint64(i))
		}
		p.lead = append(p.lead, lead)
	}
	return p
}

// load implements linkSource.
func (p *probeList) load(ids []uint64) (list []assignment) {
	for _, id := range ids {
		list = append(list, assign(p.uris[id], p.proxies[int(id)].Target, false, p.o.Exclude))
	}
	return list
}

// heard implements linkSource: no archives were read.
func (p *probeList) heard(*assignment) {}

// backsOff implements linkSource: nothing is known of earlier runs.
func (p *probeList) backsOff(string) bool { return false }

// asked is what is asked for a URI: what stands behind a library's proxy.
func (p *probeList) asked(at int) string { return cmp.Or(p.proxies[at].Target, p.uris[at]) }

// yieldReady yields the answers that are next, before the end of the run only those
// that are final. It returns false if the caller wants no more.
func (p *probeList) yieldReady(atEnd bool, yield func(Answer, error) bool) bool {
	var amended map[string]check.Amendment
	down := false
	if atEnd {
		amended, down = amendments(p.o.Prober), p.network.nobodyHeard() > 0
	}
	for ; p.next < len(p.uris); p.next++ {
		r, ok := p.early[p.lead[p.next]]
		if !ok || !atEnd && p.waits(p.next, &r) {
			return true
		}
		asked := p.asked(p.lead[p.next])
		if a, ok := amended[withoutFragment(asked)]; ok && mayAmend(p.o.Prober, asked, &r) {
			r = a.Apply(r)
		}
		if down && provesNoDeath(&r) {
			r.Outcome, r.Reason, r.Evidence = check.Internal, check.ReasonOwnNetwork, check.None
		}
		proxy := p.proxies[p.next]
		if proxy.Via != "" {
			r = r.WithFlags(check.FlagProxied)
		}
		if !yield(Answer{p.uris[p.next], proxy, r}, nil) {
			return false
		}
	}
	return true
}

// waits says whether an answer is not final: that several paths of a host redirect to
// one page is known only when all were probed. A host with one path has no such page. A
// failure waits until some server is heard, or is one of a few.
func (p *probeList) waits(at int, r *check.Result) bool {
	if provesNoDeath(r) && p.hosts >= fewHosts && !p.network.heard {
		return true
	}
	if !mayAmend(p.o.Prober, p.asked(at), r) {
		return false
	}
	u, err := uri.Parse(p.asked(at))
	return err != nil || p.links[hostName(u)] > 1
}
