package pdf

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
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

// blockText is the text of a block that is searched. Its memory is used again.
type blockText struct {
	*setting
	text  []byte
	of    []textLine
	over  map[int][]*link
	items *[]item
	page  int

	block  int // that is searched
	looked int // how often a word was looked for on the page
}

// search looks for addresses in the lines of a block. What a link that stands there says is
// not said again.
func (w *pages) search(block []int) {
	t := &w.text
	t.text, t.of, t.block = t.text[:0], t.of[:0], t.lines[block[0]].block
	block = t.withNext(block)
	goesOn := false
	for k, i := range block {
		n := &t.lines[i]
		if !goesOn {
			t.of = append(t.of, textLine{})
		}
		l := &t.of[len(t.of)-1]
		t.text, l.lines = append(t.text, t.setting.text[n.from:n.to]...), block[k-len(l.lines):k+1]
		l.end = len(t.text)
		if goesOn = k+1 < len(block) && len(l.lines) < maxJoined && bytes.HasSuffix(t.text, []byte("://")); goesOn {
			continue
		}
		if t.text = append(t.text, '\n'); len(t.text) > maxBlock {
			w.searchText()
		}
	}
	w.searchText()
}

func (w *pages) searchText() {
	t := &w.text
	if textscan.MayHold(t.text) {
		w.feed.Add(t.text, 1, 1)
		w.feed.Flush()
	}
	t.text, t.of = t.text[:0], t.of[:0]
}

// address takes one that stands in the text.
func (w *pages) address(f doc.Found) bool {
	t := &w.text
	i, off := t.at(&t.of[f.Line-1], f.Column-1)
	n := &t.lines[i]
	if n.block != t.block {
		return true // it is found there
	}
	f.Locator, f.Line, f.Column = placeOf(t.page)+" line "+strconv.Itoa(n.row), 0, 0
	if off >= 0 && !said(t.over[i], n, float64(t.xs[off]), f.URI) {
		*t.items = append(*t.items, item{t.key(n, off), f})
	}
	return true
}

// room is how many letters more would have fit on the line that ends at an offset.
func (t *blockText) room(eol int) int {
	k, _ := slices.BinarySearchFunc(t.of, eol, func(l textLine, eol int) int { return cmp.Compare(l.end, eol) })
	if k >= len(t.of) {
		return 0
	}
	of := t.of[k].lines
	if n := &t.lines[of[len(of)-1]]; !n.cut {
		return n.room()
	}
	return textscan.Cut
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
