package web

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"linkcheck/check"
)

const (
	siblingLasts    = 30 * 24 * time.Hour // that an answer to a name that cannot exist is believed
	siblingKey      = "soft404/1 "        // of a directory in the cache; the number is that of the coding
	enoughKin       = 3                   // directories of one depth that say no to names that cannot exist
	sameResemblance = 0.9                 // resemblance from which two pages are one
)

// sibling is what a server says to a name that cannot exist, as the cache keeps it. The
// zero value says no, as an honest server does.
type sibling struct {
	Found  bool   `json:"found"`          // 200
	Sent   string `json:"sent,omitempty"` // where a redirect sent it; "" if there was none
	At     string `json:"at,omitempty"`   // where it ended, with its name blanked
	Text   sketch `json:"text,omitempty"`
	unsure bool   // it could not be asked, or said neither yes nor no
}

// weigh says how much of a memo the answer takes. Its directory is as long as where it ended.
func (s sibling) weigh() int { return len(s.Sent) + 2*len(s.At) }

// soft404 says whether a page is what its server answers to any name (Bar-Yossef and
// others, WWW 2004): one name that cannot exist, once for each directory, or for each
// page and parameter where the query says what to show. A page that is the same with another
// query, of which it knows nothing, is there whatever the query: without any it may be a page
// that is asked for itself. Where redirects led to another host, that host is asked: the first
// one is not due now.
func (p *Prober) soft404(ctx context.Context, c *chain) bool {
	from, hops := c.start, len(c.hops)
	if from.hostname() != c.at.hostname() {
		from, hops = c.at, 0
	}
	if q, ok := paramOf(from.query); ok {
		page := from
		page.query = ""
		other := p.sibling(ctx, page.String()+"?"+q.key(), func() (resource, asked) {
			at, value := from, q.random()
			at.query = q.before + value + q.after
			return at, askedValue(value)
		})
		switch own := askedValue(q.value); {
		case other.unsure:
		case !other.alike(c, hops, own):
			return false
		case !p.sibling(ctx, page.String()+"?", func() (resource, asked) {
			at, name := page, randomLetters()
			at.query = "?" + name + "=1"
			return at, askedValue(name)
		}).alike(c, hops, own):
			return true
		}
	}
	if from.path == "/" || c.at.path == "/" {
		return false
	}
	dir := from
	path := strings.TrimSuffix(from.path, "/") // what stands beside /a/b/ is in /a/
	dir.path, dir.query = path[:strings.LastIndexByte(path, '/')+1], ""
	return p.beside(ctx, dir).alike(c, hops, askedPath(from.path))
}

// beside knows what a server says to a name that cannot exist in a directory. Where a few
// directories as deep below the same first one say no, and none says yes, all of them do.
func (p *Prober) beside(ctx context.Context, dir resource) sibling {
	kin := dir
	first, rest, _ := strings.Cut(dir.path[1:], "/")
	kin.path = "/" + first + strings.Repeat("/*", strings.Count(rest, "/")) + "/"
	key := siblingKey + kin.String()
	if rest != "" && p.kin.allSayNo(key, p.cache) {
		return sibling{}
	}
	asks := false
	s := p.sibling(ctx, dir.String(), func() (resource, asked) {
		at := dir
		at.path += randomLetters()
		asks = true
		return at, askedPath(at.path)
	})
	if asks && !s.unsure && p.kin.heard(key, s.Found) && p.cache != nil {
		p.cache.CachePut(key, []byte("{}"), p.opt.Now().Add(siblingLasts))
	}
	return s
}

// kin counts for directories of one depth how many say no to names that cannot exist; -1: one
// of them says yes. The zero value is ready.
type kin struct {
	mu sync.Mutex
	no map[string]int
}

// heard counts an answer, and says whether it makes enough.
func (k *kin) heard(key string, yes bool) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch n := k.no[key]; {
	case k.no == nil || len(k.no) >= maxMemo:
		k.no = map[string]int{}
	case n < 0:
		return false
	}
	if k.no[key]++; yes {
		k.no[key] = -1
	}
	return k.no[key] == enoughKin
}

// allSayNo says whether enough did, in this run or lately.
func (k *kin) allSayNo(key string, cache check.Cache) bool {
	k.mu.Lock()
	n := k.no[key]
	k.mu.Unlock()
	if n == 0 && cache != nil {
		_, known := cache.CacheGet(key)
		return known
	}
	return n >= enoughKin
}

// alike says whether a chain with so many redirects ended as that for the sibling did.
func (s sibling) alike(c *chain, hops int, own asked) bool {
	if !s.Found || hops == 0 && s.Sent == c.at.String() { // sent to our page: that one exists
		return false
	}
	sentThere := func(h check.Hop) bool { return own.blank(h.URL) == s.At }
	return slices.ContainsFunc(c.hops[len(c.hops)-hops:], sentThere) || resemblance(s.Text, textOf(&c.end, own)) >= sameResemblance
}

// sibling knows what a server says to a name that cannot exist, by the key of its
// directory or parameter, or asks for the one that invent makes.
func (p *Prober) sibling(ctx context.Context, key string, invent func() (resource, asked)) sibling {
	return p.siblings.get(ctx, key, func() (sibling, bool) { return p.recallSibling(ctx, key, invent) })
}

// recallSibling knows the answer of the last 30 days, or asks. OUTCOMES section 1.3, soft-404.
func (p *Prober) recallSibling(ctx context.Context, key string, invent func() (resource, asked)) (s sibling, keep bool) {
	key = siblingKey + key
	if p.cache != nil {
		if b, ok := p.cache.CacheGet(key); ok && json.Unmarshal(b, &s) == nil {
			return s, true
		}
	}
	s = p.askSibling(ctx, invent)
	if b, err := json.Marshal(s); !s.unsure && err == nil && p.cache != nil {
		p.cache.CachePut(key, b, p.opt.Now().Add(siblingLasts))
	}
	return s, ctx.Err() == nil
}

// askSibling asks for a name that cannot exist. Where it is sent to an address without that
// name, there is a page of its own, which is not asked for. What failed or was refused today
// may go another way tomorrow.
func (p *Prober) askSibling(ctx context.Context, invent func() (resource, asked)) sibling {
	at, name := invent()
	if _, no := p.forbidden(ctx, at, nil); no {
		return sibling{unsure: true}
	}
	c := newChain(at)
	c.earlier = func(address string) (r check.Result, ends bool) { return r, !strings.Contains(address, name.words[0]) }
	if p.follow(ctx, c, nil); c.stop != nil {
		return sibling{unsure: true}
	}
	switch {
	case c.heard != nil:
		return sibling{Found: true, Sent: c.at.String(), At: c.at.String()}
	case c.elsewhere != nil, c.end.status == 404, c.end.status == 410:
		return sibling{}
	case c.end.status != 200, p.challenged(&c.end):
		return sibling{unsure: true}
	}
	s := sibling{Found: true, At: name.blank(c.at.String()), Text: textOf(&c.end, name)}
	if len(c.hops) > 0 {
		s.Sent = c.at.String()
	}
	return s
}

// textOf sketches the title and text of an answer with what was asked for blanked: error
// pages like to repeat it.
func textOf(a *answer, name asked) sketch {
	var s sketcher
	for w := range strings.FieldsSeq(name.blank(a.page().title)) {
		s.add(w)
	}
	a.eachWord(wordsTo(func(w string) { s.add(name.blank(w)) }))
	if s.words.n == 0 {
		s.add(digest(a.body, a.page()))
	}
	return s.sum()
}
