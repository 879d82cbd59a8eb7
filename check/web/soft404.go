package web

import (
	"context"
	"math/rand/v2"
	"strings"
)

const (
	siblingLetters = 25  // of a name that cannot exist
	sameFrom       = 0.9 // resemblance from which two pages are one
)

// sibling is what a directory says to a name that cannot exist. The zero value
// says no, as an honest server does.
type sibling struct {
	found bool   // 200
	sent  string // where a redirect sent it; "" if there was none
	at    string // where it ended, with its name blanked
	text  sketch
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
	s := p.siblings.get(ctx, dir.String(), func() (sibling, bool) { return p.askSibling(ctx, dir) })
	if !s.found || len(hops) == 0 && s.sent == w.at.String() { // sent to our page: that one exists
		return false
	}
	if len(hops) > 0 && blank(w.at.String(), from.path) == s.at {
		return true
	}
	return resemblance(s.text, textOf(&w.end, from.path)) >= sameFrom
}

// askSibling asks for a name that cannot exist. The second result says whether
// the answer is worth keeping.
func (p *Prober) askSibling(ctx context.Context, dir place) (sibling, bool) {
	letters := make([]byte, siblingLetters)
	for i := range letters {
		letters[i] = byte('a' + rand.IntN(26))
	}
	at := dir
	at.path += string(letters)
	if _, no := p.forbidden(ctx, at); no {
		return sibling{}, true
	}
	w := &walk{start: at, at: at}
	if p.walk(ctx, w, nil); w.stop != nil {
		return sibling{}, ctx.Err() == nil
	}
	if w.onward != nil || w.end.status != 200 || challenged(&w.end) {
		return sibling{}, true
	}
	s := sibling{found: true, at: blank(w.at.String(), at.path), text: textOf(&w.end, at.path)}
	if len(w.hops) > 0 {
		s.sent = w.at.String()
	}
	return s, true
}

// textOf sketches the title and text of an answer with the path it was asked by
// blanked: error pages like to repeat it.
func textOf(a *answer, path string) sketch {
	page := a.page()
	words := strings.Fields(blank(page.title, path))
	for _, w := range page.words {
		words = append(words, blank(w, path))
	}
	if len(words) == 0 {
		words = []string{digest(a.body, page)}
	}
	return sketchOf(words)
}

// blank replaces a path in s, or a word that is the path's last part.
func blank(s, path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if name != "" && strings.Trim(s, "\"'`.,:;()[]!?«»“”‘’") == name {
		return "*"
	}
	if len(path) > 1 {
		s = strings.ReplaceAll(s, path, "*")
	}
	return s
}
