package crawl

import (
	"context"
	"iter"

	"linkcheck/check"
	"linkcheck/store"
	"linkcheck/uri"
)

// Answer is what one probe of one URI gave.
type Answer struct {
	URI    string
	Result check.Result
}

// Probe asks about URIs once each, without a store and without retry, and yields
// the answers in the order of the URIs. Spellings of one link are asked about
// together (OUTCOMES section 4). An answer that the end of the run may
// amend is held back until then, and those that follow it. It ends early with the
// error of ctx.
func Probe(ctx context.Context, uris []string, o CheckOptions) iter.Seq2[Answer, error] {
	return func(yield func(Answer, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		p := &oneShot{uris: uris, engine: newEngine(o.withDefaults()), answers: make(chan answered, len(uris))}
		p.load, p.emit, p.rested = p.aims, p.answer, p.leave
		p.mates, p.again = map[string]int{}, map[int][]int{}
		leads := map[string]int{}
		for i, s := range uris {
			name, key := hostOf(s), linkOf(s)
			if lead, known := leads[key]; known {
				p.again[lead], p.lead = append(p.again[lead], i), append(p.lead, lead)
				continue
			}
			leads[key], p.lead = i, append(p.lead, i)
			p.mates[name]++
			p.add(p.host(name), uint64(i))
		}
		done := make(chan error, 1)
		go func() {
			defer close(p.answers)
			done <- p.run(ctx, nil)
		}()
		if p.inOrder(yield) {
			if err := <-done; err != nil || ctx.Err() != nil {
				yield(Answer{}, ctx.Err())
			}
			return
		}
		cancel()
		<-done
	}
}

type oneShot struct {
	*engine
	uris    []string
	lead    []int          // of each URI, the one that is asked about
	again   map[int][]int  // of each of these, the others
	mates   map[string]int // links of a host
	answers chan answered
}

type answered struct {
	at     int
	result check.Result
}

func (p *oneShot) aims(ids []uint64) []aim {
	list := make([]aim, len(ids))
	for i, id := range ids {
		list[i].target, list[i].known = target(&store.Link{URL: p.uris[id]}, p.o)
	}
	return list
}

func (p *oneShot) answer(_ *host, id uint64, r check.Result) error {
	p.say(int(id), r)
	return nil
}

func (p *oneShot) say(at int, r check.Result) {
	p.answers <- answered{at, r}
	for _, other := range p.again[at] {
		p.answers <- answered{other, r}
	}
}

// leave answers for the links of a host that asked to be left alone.
func (p *oneShot) leave(h *host, links []uint64) error {
	for _, id := range links {
		r := check.New(check.Skipped, check.ReasonHostBackoff, "")
		r.At = p.o.Now()
		p.say(int(id), r)
	}
	return nil
}

// inOrder yields the answers as the URIs were given; false if the caller wants no more.
func (p *oneShot) inOrder(yield func(Answer, error) bool) bool {
	early := map[int]check.Result{}
	next := 0
	for a := range p.answers {
		early[a.at] = a.result
		for r, ok := early[next]; ok && !p.waits(next, &r); r, ok = early[next] {
			delete(early, next)
			if !yield(Answer{p.uris[next], r}, nil) {
				return false
			}
			next++
		}
	}
	amended := amendments(p.o.Prober)
	for ; next < len(p.uris); next++ {
		r, ok := early[next]
		if !ok {
			break // the run was cut short
		}
		asked := p.uris[p.lead[next]]
		if a, ok := amended[withoutFragment(asked)]; ok && mayAmend(p.o.Prober, asked, &r) {
			r = a.Apply(r)
		}
		if !yield(Answer{p.uris[next], r}, nil) {
			return false
		}
	}
	return true
}

// waits says whether an answer is not final: a page to which several paths of a
// host lead shows only when all were asked. One alone is no such page.
func (p *oneShot) waits(at int, r *check.Result) bool {
	return mayAmend(p.o.Prober, p.uris[at], r) && p.mates[hostOf(p.uris[at])] > 1
}

// hostOf names the gate at which a URI as written waits.
func hostOf(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return nameless
	}
	return hostName(u)
}

// linkOf is what all spellings of a link share: the key of the store.
func linkOf(s string) string {
	u, err := uri.Parse(s)
	if err != nil {
		return s
	}
	return uri.SchemeKey(u)
}

// hostName names the gate at which a URI waits.
func hostName(u uri.URI) string {
	if at, ok := u.Endpoint(); ok && at.Host != "" {
		return at.Host
	}
	return nameless + u.Scheme()
}
