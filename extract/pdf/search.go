package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"linkcheck/extract/doc"
)

// item is what is given out, in the order of the page.
type item struct {
	at    int // see setting.key
	found doc.Found
}

// page reads the text of a page and its links, and gives both out in order.
func (w *pages) page(p *page) {
	links := w.links(p)
	l := &w.f.layout
	l.reset()
	if l.shows, _ = w.f.rect(p.box); p.box == nil {
		l.shows, _ = w.f.rect(p.media)
	}
	rows := 0
	flush := func() {
		var s *setting
		s, rows = l.set(rows)
		w.give(p, s, links)
		links = nil
		l.reset()
	}
	l.full = flush
	w.show(p)
	flush()
}

// show runs the contents of a page and the appearances of what stands on it.
func (w *pages) show(p *page) {
	c := &content{f: w.f, resources: w.f.dict(p.resources), fonts: &fonts{read: &w.fonts, named: map[name]*font{}}, text: newTextState(&w.f.layout)}
	streams, isArray := w.f.get(p.dict["Contents"]).(array)
	if !isArray {
		streams = array{p.dict["Contents"]}
	}
	r := &joined{f: w.f, streams: streams}
	w.f.contentError(c.run(r))
	r.close()
	for i, v := range w.f.array(p.dict["Annots"]) {
		a := w.f.dict(v)
		if flags := integer(w.f.get(a["F"])); i >= maxAnnotations || flags&(flagHidden|flagNoView) != 0 || w.f.name(a["Subtype"]) == "Popup" {
			continue
		}
		if s, ok := w.f.appearance(a); ok {
			area, _ := w.f.rect(a["Rect"])
			box, _ := w.f.rect(s.dict["BBox"])
			c.text = newTextState(&w.f.layout)
			c.text.ctm = matrix{1, 0, 0, 1, area.x0 - box.x0, area.y0 - box.y0}
			c.runForm(s)
		}
	}
}

// appearance is what a viewer shows of an annotation (ISO 32000-1 section 12.5.5).
func (f *file) appearance(a dict) (*stream, bool) {
	switch v := f.get(f.dict(a["AP"])["N"]).(type) {
	case *stream:
		return v, true
	case dict:
		s, ok := f.get(v[f.name(a["AS"])]).(*stream)
		return s, ok
	}
	return nil, false
}

// give gives out the links of a page and the addresses in its text.
func (w *pages) give(p *page, s *setting, links []link) {
	slices.SortStableFunc(links, func(a, b link) int { return cmp.Compare(s.place(a.areas), s.place(b.areas)) })
	links = w.join(s, links)
	var items []item
	for i := range links {
		l := &links[i]
		if l.found.Raw == "" {
			continue
		}
		l.found.Context = doc.Shown(s.under(l.areas), doc.ContextSize)
		items = append(items, item{s.place(l.areas), l.found})
	}
	t := &w.text
	t.setting, t.over, t.items, t.page = s, s.over(links), &items, p.number
	t.looked, t.divided = 0, 0
	for _, b := range s.blocks {
		w.search(b)
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.at, b.at) })
	for _, i := range items {
		if !w.yield(i.found) {
			return
		}
	}
}

// bareOf is an address without what text often leaves out.
func bareOf(uri string) string {
	_, rest, ok := strings.Cut(uri, ":")
	if !ok {
		rest = uri
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(rest), "//"), "/")
}

// key orders what stands at an octet of a line: block by block.
func (s *setting) key(n *line, off int) int { return n.block<<32 + off }

// place is the key of a link among the text of the page.
func (s *setting) place(areas []rect) int {
	at := -1
	if len(areas) == 0 {
		return math.MaxInt
	}
	s.in(areas[0], func(i int, b rect) bool {
		n := &s.lines[i]
		if k := s.behind(n, b.x0-0.2*n.size); k < n.to {
			at = s.key(n, k)
		}
		return at < 0
	})
	if at >= 0 {
		return at
	}
	if i := s.above(0, areas[0].y1); i < len(s.lines) && s.lines[i].turn == 0 {
		return s.key(&s.lines[i], s.lines[i].from)
	}
	return math.MaxInt
}
