package pdf

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"linkcheck/extract/doc"
)

// howAnnotation is Found.How of what a reader can click.
const howAnnotation = "annotation"

const (
	maxAnnotations = 20_000 // of a page
	flagHidden     = 1 << 1 // of an annotation (ISO 32000-1 table 165)
	flagNoView     = 1 << 5
)

var errAnnotations = errors.New("pdf: a page with more than 20000 annotations: the rest is not read")

// rect is a rectangle whose first corner is the lower left one.
type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) height() float64 { return r.y1 - r.y0 }

// link is what one or several annotations link.
type link struct {
	found doc.Found
	areas []rect // in which a reader can click it
	bare  string // what it says; see bareOf
}

// links gives those of a page's annotations (ISO 32000-1 section 12.5.6.5).
func (w *pages) links(p *page) (links []link) {
	left := maxAreas
	for i, v := range w.f.array(p.dict["Annots"]) {
		if i >= maxAnnotations {
			w.f.tell(errAnnotations)
			break
		}
		if w.f.d.Stopped() {
			break
		}
		a := w.f.dict(v)
		if flags := integer(w.f.get(a["F"])); flags&(flagHidden|flagNoView) != 0 {
			continue
		}
		raw := w.f.address(w.f.dict(a["A"]))
		uri, ok := resolve(w.base, raw)
		if !ok {
			continue
		}
		areas := w.f.areas(a, min(left, maxQuads))
		left -= len(areas)
		links = append(links, link{doc.Found{URI: uri, Raw: raw, How: howAnnotation, Locator: placeOf(p.number)}, areas, bareOf(uri)})
	}
	return links
}

// address is where an action leads: to a URI, or to a document elsewhere whose file is named
// by one (sections 12.6.4.7, 12.6.4.3 and 7.11.5); "" for others.
func (f *file) address(action dict) string {
	switch f.name(action["S"]) {
	case "URI":
		return strings.TrimSpace(addressOf(f.str(action["URI"])))
	case "GoToR", "Launch":
		file := f.dict(action["F"])
		if f.name(file["FS"]) == "URL" {
			return strings.TrimSpace(addressOf(f.str(file["F"])))
		}
	}
	return ""
}

// resolve makes what an action leads to absolute; false for what is no link.
func resolve(base, raw string) (uri string, ok bool) {
	switch doc.SchemeOf(raw) {
	case "javascript", "vbscript", "data", "about":
		return "", false
	}
	if raw == "" || raw[0] == '#' {
		return "", false
	}
	return doc.Resolve(base, doc.EscapeOctets(strings.ReplaceAll(doc.WithoutControls(raw), " ", "%20"))), true
}

const (
	maxQuads = 1000    // of an annotation
	maxAreas = 200_000 // of all of a page
)

// areas gives the parts of a page in which an annotation is active: its quadrilaterals, or
// its rectangle; no more than most.
func (f *file) areas(a dict, most int) (areas []rect) {
	quads := f.array(a["QuadPoints"])
	for ; len(quads) >= 8 && len(areas) < most; quads = quads[8:] {
		r := rect{f.number(quads[0], 0), f.number(quads[1], 0), f.number(quads[0], 0), f.number(quads[1], 0)}
		for i := 2; i < 8; i += 2 {
			x, y := f.number(quads[i], 0), f.number(quads[i+1], 0)
			r = rect{min(r.x0, x), min(r.y0, y), max(r.x1, x), max(r.y1, y)}
		}
		areas = append(areas, r)
	}
	if r, ok := f.rect(a["Rect"]); ok && len(areas) == 0 && most > 0 {
		areas = append(areas, r)
	}
	return areas
}

func (f *file) rect(v value) (r rect, ok bool) {
	a := f.array(v)
	if len(a) < 4 {
		return r, false
	}
	var n [4]float64
	for i := range n {
		n[i] = f.number(a[i], 0)
	}
	return rect{min(n[0], n[2]), min(n[1], n[3]), max(n[0], n[2]), max(n[1], n[3])}, true
}

func (r rect) turned(turn int16) rect {
	x0, y0 := turned(r.x0, r.y0, turn)
	x1, y1 := turned(r.x1, r.y1, turn)
	return rect{min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)}
}

// above gives the first of the lines of a turn that are not above y.
func (s *setting) above(turn int16, y float64) int {
	i, _ := slices.BinarySearchFunc(s.lines, y, func(n line, y float64) int {
		return cmp.Or(cmp.Compare(n.turn, turn), cmp.Compare(y, n.y+0.4*n.size))
	})
	return i
}

const maxUnder = 200 // lines that are looked at for an area

// in calls f with the lines that go through an area, in their order.
func (s *setting) in(a rect, f func(i int, a rect) bool) {
	for _, turn := range []int16{0, 90, 180, 270} {
		b := a.turned(turn)
		from := s.above(turn, b.y1)
		for i := from; i < min(len(s.lines), from+maxUnder); i++ {
			n := &s.lines[i]
			if n.turn != turn || n.y+n.size < b.y0 {
				break
			}
			if n.y >= b.y0-0.3*n.size && n.x0 <= b.x1 && n.x1 >= b.x0 && !f(i, b) {
				return
			}
		}
	}
}

// under is the text in areas.
func (s *setting) under(areas []rect) []byte {
	var text []byte
	for _, a := range areas {
		s.in(a, func(i int, b rect) bool {
			n := &s.lines[i]
			for k := s.behind(n, b.x0-0.2*n.size); k < n.to && float64(s.xs[k]) < b.x1-0.1*n.size && len(text) < 4*doc.ContextSize; k++ {
				text = append(text, s.text[k])
			}
			text = append(text, ' ')
			return len(text) < 4*doc.ContextSize
		})
		if len(text) >= 4*doc.ContextSize {
			break
		}
	}
	return bytes.ToValidUTF8(text, nil)
}

// behind gives the first octet of a line that does not stand before x.
func (s *setting) behind(n *line, x float64) int {
	i, _ := slices.BinarySearch(s.xs[n.from:n.to], float32(x))
	return n.from + i
}

// maxOver is how many links of a line are compared with what its text says.
const maxOver = 256

// over gives the links that can be clicked on each line.
func (s *setting) over(links []link) map[int][]*link {
	over := map[int][]*link{}
	for k := range links {
		for _, a := range links[k].areas {
			s.in(a, func(i int, _ rect) bool {
				if l := over[i]; len(l) < maxOver && (len(l) == 0 || l[len(l)-1] != &links[k]) {
					over[i] = append(l, &links[k])
				}
				return true
			})
		}
	}
	return over
}

// said says whether a link that is clicked at a place of a line says the same address, more or
// less of it, or another of the same host: characters may be drawn that are none.
func said(links []*link, n *line, x float64, uri string) bool {
	uri = bareOf(uri)
	for _, l := range links {
		host, _, _ := strings.Cut(l.bare, "/")
		if !strings.HasPrefix(uri, host+"/") && !strings.Contains(l.bare, uri) {
			continue
		}
		for _, a := range l.areas {
			if a := a.turned(n.turn); x >= a.x0-0.3*n.size && x <= a.x1 && a.y0 <= n.y+0.6*n.size && a.y1 >= n.y {
				return true
			}
		}
	}
	return false
}
