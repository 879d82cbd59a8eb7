package web

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"time"
)

const (
	siblingLetters  = 25                  // of a name that cannot exist
	siblingLasts    = 30 * 24 * time.Hour // that an answer to one is believed
	siblingKey      = "soft404/1 "        // of a directory in the cache; the number is that of the coding
	sameResemblance = 0.9                 // resemblance from which two pages are one
)

// sibling is what a directory says to a name that cannot exist, as the
// cache keeps it. The zero value says no, as an honest server does.
type sibling struct {
	Found bool   `json:"found"`          // 200
	Sent  string `json:"sent,omitempty"` // where a redirect sent it; "" if there was none
	At    string `json:"at,omitempty"`   // where it ended, with its name blanked
	Text  sketch `json:"text,omitempty"`
}

// weigh says how much of a memo the answer takes. Its directory is as long as where it ended.
func (s sibling) weigh() int { return len(s.Sent) + 2*len(s.At) }

// soft404 says whether a page is what its directory answers to any name
// (Bar-Yossef and others, WWW 2004): one random sibling, once per directory. Where
// redirects led to another host, that host is asked: the first one is not due now.
func (p *Prober) soft404(ctx context.Context, c *chain) bool {
	from, hops := c.start, c.hops
	if from.hostname() != c.at.hostname() {
		from, hops = c.at, nil
	}
	dir := from
	dir.path, dir.query = from.path[:strings.LastIndexByte(from.path, '/')+1], ""
	s := p.siblings.get(ctx, dir.String(), func() (sibling, bool) { return p.recallSibling(ctx, dir) })
	if !s.Found || len(hops) == 0 && s.Sent == c.at.String() { // sent to our page: that one exists
		return false
	}
	return len(hops) > 0 && blanked(c.at.String(), from.path) == s.At ||
		resemblance(s.Text, textOf(&c.end, from.path)) >= sameResemblance
}

// recallSibling knows the answer of a directory from the last 30 days, or asks.
// OUTCOMES section 1.3, soft-404.
func (p *Prober) recallSibling(ctx context.Context, dir resource) (s sibling, keep bool) {
	key := siblingKey + dir.String()
	if p.cache != nil {
		if b, ok := p.cache.CacheGet(key); ok && json.Unmarshal(b, &s) == nil {
			return s, true
		}
	}
	s, sure := p.askSibling(ctx, dir)
	if b, err := json.Marshal(s); sure && err == nil && p.cache != nil {
		p.cache.CachePut(key, b, p.opt.Now().Add(siblingLasts))
	}
	return s, ctx.Err() == nil
}

// askSibling asks for a name that cannot exist. The second result says whether
// the answer holds for longer: what failed or was refused today may go another way
// tomorrow.
func (p *Prober) askSibling(ctx context.Context, dir resource) (sibling, bool) {
	letters := make([]byte, siblingLetters)
	for i := range letters {
		letters[i] = byte('a' + rand.IntN(26))
	}
	at := dir
	at.path += string(letters)
	if _, no := p.forbidden(ctx, at); no {
		return sibling{}, false
	}
	c := newChain(at)
	if p.follow(ctx, c, nil); c.stop != nil {
		return sibling{}, false
	}
	switch {
	case c.elsewhere != nil, c.end.status == 404, c.end.status == 410:
		return sibling{}, true
	case c.end.status != 200, p.challenged(&c.end):
		return sibling{}, false
	}
	s := sibling{Found: true, At: blanked(c.at.String(), at.path), Text: textOf(&c.end, at.path)}
	if len(c.hops) > 0 {
		s.Sent = c.at.String()
	}
	return s, true
}

// textOf sketches the title and text of an answer with the path it was asked by
// blanked: error pages like to repeat it.
func textOf(a *answer, path string) sketch {
	var s sketcher
	for w := range strings.FieldsSeq(blanked(a.page().title, path)) {
		s.add(w)
	}
	a.eachWord(func(w string) { s.add(blanked(w, path)) })
	if s.words.n == 0 {
		s.add(digest(a.body, a.page()))
	}
	return s.sum()
}

// blanked replaces a path in s, or a word that is the path's last part.
func blanked(s, path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if name != "" && strings.Contains(s, name) && strings.Trim(s, "\"'`.,:;()[]!?«»“”‘’") == name {
		return "*"
	}
	if len(path) > 1 {
		s = strings.ReplaceAll(s, path, "*")
	}
	return s
}
