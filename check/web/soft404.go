package web

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"time"
)

const (
	siblingLetters = 25                  // of a name that cannot exist
	siblingLasts   = 30 * 24 * time.Hour // that an answer to one is believed
	siblingKey     = "soft404/1 "        // of a directory in the memory; the number is that of the form
	sameFrom       = 0.9                 // resemblance from which two pages are one
)

// sibling is what a directory says to a name that cannot exist, in the form in
// which the memory keeps it. The zero value says no, as an honest server does.
type sibling struct {
	Found bool   `json:"found"`          // 200
	Sent  string `json:"sent,omitempty"` // where a redirect sent it; "" if there was none
	At    string `json:"at,omitempty"`   // where it ended, with its name blanked
	Text  sketch `json:"text,omitempty"`
}

// soft404 says whether a page is what its directory answers to any name
// (Bar-Yossef and others, WWW 2004): one random sibling, once per directory. Where
// redirects led to another host, that host is asked: the first has no turn now.
func (p *Prober) soft404(ctx context.Context, w *walk) bool {
	from, hops := w.start, w.hops
	if from.hostname() != w.at.hostname() {
		from, hops = w.at, nil
	}
	dir := from
	dir.path, dir.query = from.path[:strings.LastIndexByte(from.path, '/')+1], ""
	s := p.siblings.get(ctx, dir.String(), func() (sibling, bool) { return p.recallSibling(ctx, dir) })
	if !s.Found || len(hops) == 0 && s.Sent == w.at.String() { // sent to our page: that one exists
		return false
	}
	if len(hops) > 0 && blanked(w.at.String(), from.path) == s.At {
		return true
	}
	return resemblance(s.Text, textOf(&w.end, from.path)) >= sameFrom
}

// recallSibling knows the answer of a directory from the last 30 days, or asks.
// OUTCOMES section 1.3, soft-404.
func (p *Prober) recallSibling(ctx context.Context, dir place) (s sibling, keep bool) {
	key := siblingKey + dir.String()
	if p.memory != nil {
		if b, ok := p.memory.CacheGet(key); ok && json.Unmarshal(b, &s) == nil {
			return s, true
		}
	}
	s, sure := p.askSibling(ctx, dir)
	if b, err := json.Marshal(s); sure && err == nil && p.memory != nil {
		p.memory.CachePut(key, b, p.opt.Now().Add(siblingLasts))
	}
	return s, ctx.Err() == nil
}

// askSibling asks for a name that cannot exist. The second result says whether
// the server spoke its mind: what failed or was refused today may go another way
// tomorrow.
func (p *Prober) askSibling(ctx context.Context, dir place) (sibling, bool) {
	letters := make([]byte, siblingLetters)
	for i := range letters {
		letters[i] = byte('a' + rand.IntN(26))
	}
	at := dir
	at.path += string(letters)
	if _, no := p.forbidden(ctx, at); no {
		return sibling{}, false
	}
	w := &walk{start: at, at: at}
	if p.walk(ctx, w, nil); w.stop != nil {
		return sibling{}, false
	}
	switch {
	case w.onward != nil, w.end.status == 404, w.end.status == 410:
		return sibling{}, true
	case w.end.status != 200, p.hosts.challenged(&w.end):
		return sibling{}, false
	}
	s := sibling{Found: true, At: blanked(w.at.String(), at.path), Text: textOf(&w.end, at.path)}
	if len(w.hops) > 0 {
		s.Sent = w.at.String()
	}
	return s, true
}

// textOf sketches the title and text of an answer with the path it was asked by
// blanked: error pages like to repeat it.
func textOf(a *answer, path string) sketch {
	words := strings.Fields(blanked(a.page().title, path))
	a.eachWord(func(w string) { words = append(words, blanked(w, path)) })
	if len(words) == 0 {
		words = []string{digest(a.body, a.page())}
	}
	return sketchOf(words)
}

// blanked replaces a path in s, or a word that is the path's last part.
func blanked(s, path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if name != "" && strings.Trim(s, "\"'`.,:;()[]!?«»“”‘’") == name {
		return "*"
	}
	if len(path) > 1 {
		s = strings.ReplaceAll(s, path, "*")
	}
	return s
}
