package pdf

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

const (
	maxBlock  = 128 << 10 // octets of text that are searched together
	maxJoined = 4         // lines that are searched as one
)

// textLine is lines of a block that are searched as one: no line of text ends behind "://".
type textLine struct {
	lines []int
	end   int // in the text
}

// search looks for addresses in the lines of a block. What a link that stands there says is
// not said again.
func (w *pages) search(p *page, s *setting, block []int, over map[int][]*link, items *[]item) {
	text, all := w.text[:0], w.textLines[:0]
	defer func() { w.text, w.textLines = text[:0], all[:0] }()
	end := func() {
		if textscan.MayHold(text) {
			w.searchText(p, s, text, all, over, items)
		}
		text, all = text[:0], all[:0]
	}
	goesOn := false
	for k, i := range block {
		n := &s.lines[i]
		if !goesOn {
			all = append(all, textLine{})
		}
		t := &all[len(all)-1]
		text, t.lines = append(text, s.text[n.from:n.to]...), block[k-len(t.lines):k+1]
		t.end = len(text)
		if goesOn = k+1 < len(block) && len(t.lines) < maxJoined && bytes.HasSuffix(text, []byte("://")); goesOn {
			continue
		}
		if text = append(text, '\n'); len(text) > maxBlock {
			end()
		}
	}
	end()
}

// at gives the line in which a column of a line of text stands, and its place in the text of
// the page.
func (s *setting) at(t *textLine, column int) (i, off int) {
	for _, i := range t.lines {
		n := &s.lines[i]
		if column < n.to-n.from {
			return i, n.from + column
		}
		column -= n.to - n.from
	}
	i = t.lines[len(t.lines)-1]
	return i, s.lines[i].to - 1
}

func (w *pages) searchText(p *page, s *setting, text []byte, all []textLine, over map[int][]*link, items *[]item) {
	feed := textscan.NewFeed(w.f.d, func(f doc.Found) bool {
		i, off := s.at(&all[f.Line-1], f.Column-1)
		n := &s.lines[i]
		f.Locator, f.Line, f.Column = fmt.Sprintf("%s line %d", placeOf(p.number), n.row), 0, 0
		if off >= 0 && !said(over[i], n, float64(s.xs[off]), f.URI) {
			*items = append(*items, item{s.key(n, off), f})
		}
		return true
	})
	feed.Measure(func(eol int) int {
		k, _ := slices.BinarySearchFunc(all, eol, func(t textLine, eol int) int { return cmp.Compare(t.end, eol) })
		if k >= len(all) {
			return 0
		}
		if n := &s.lines[all[k].lines[len(all[k].lines)-1]]; !n.cut {
			return n.room()
		}
		return textscan.Cut
	})
	feed.Add(text, 1, 1)
	feed.Flush()
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

// said says whether a link that is clicked at a place of a line says the same address, or
// more or less of it.
func said(links []*link, n *line, x float64, uri string) bool {
	uri = bareOf(uri)
	for _, l := range links {
		if !strings.HasPrefix(uri, l.bare) && !strings.HasPrefix(l.bare, uri) {
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
