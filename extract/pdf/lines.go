package pdf

import (
	"bytes"
	"cmp"
	"math"
	"slices"
)

// line is a line of one column or cell.
type line struct {
	from, to int // of the text that was put in order
	x0, x1   float64
	y, size  float64
	turn     int16
	row      int     // lines of the page at this height have the same
	right    float64 // where text begins on its right; +Inf for none
	block    int
	margin   float64 // up to which the lines of its column go
	firm     bool    // another line goes as far
	cut      bool    // lines are cut wherever they are full
	soft     bool    // a program that divides words put the hyphen at its end
	shorter  int     // octets of its end that are not searched
}

// softHyphen is U+2010, which programs put where they divide words; inside a line it is a
// hyphen like others.
const softHyphen = 0x1f

// row is pieces at one height.
type row struct {
	pieces []piece
	y      float64
	size   float64
	number int
	gaps   []gap
	blank  float64 // how wide the blanks of a justified line are; 0 where it is none
	none   float64 // gaps that are narrower are no blanks
}

// gap is a place without text between two pieces of a row.
type gap struct{ x0, x1 float64 }

const (
	gapCell     = 1.5 // a gap that always parts cells, in parts of the size
	sameRow     = 0.45
	maxCompared = 64
)

// setting is a page whose text was put in order: lines, and the blocks of lines that follow on
// one another.
type setting struct {
	text   []byte
	xs     []float32
	lines  []line
	blocks [][]int // of lines

	order   []int // of all blocks
	chained []chained
}

// set puts the text of a page in order. rows is the number of the last row before.
func (l *layout) set(rows int) (*setting, int) {
	s := &l.setting
	s.text, s.xs, s.lines = s.text[:0], s.xs[:0], s.lines[:0]
	all := l.rows(rows)
	l.begun = l.begun[:0]
	for i := range all {
		all[i].findGaps()
		l.begun = append(l.begun, start{all[i].pieces[0].turn, all[i].pieces[0].x0})
		for _, g := range all[i].gaps {
			l.begun = append(l.begun, start{all[i].pieces[0].turn, g.x1})
		}
	}
	slices.SortFunc(l.begun, start.compare)
	for i := range all {
		s.split(l, all, i)
		rows = all[i].number
	}
	s.chain()
	s.margins()
	return s, rows
}

// rows sorts the pieces of a page into rows.
func (l *layout) rows(number int) []row {
	sortPieces(l.pieces, func(a, b *piece) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(b.y, a.y), cmp.Compare(a.x0, b.x0))
	})
	all := l.allRows[:0]
	for i, p := range l.pieces {
		if n := len(all) - 1; n >= 0 && all[n].holds(p) {
			r := &all[n]
			r.pieces = l.pieces[i-len(r.pieces) : i+1]
			if p.size > r.size {
				r.y, r.size = p.y, p.size
			}
			continue
		}
		number++
		all = append(all, row{pieces: l.pieces[i : i+1], y: p.y, size: p.size, number: number})
	}
	for i := range all {
		sortPieces(all[i].pieces, func(a, b *piece) int { return cmp.Compare(a.x0, b.x0) })
	}
	l.allRows = all
	return all
}

// sortPieces sorts pieces, which most programs show in order, as they are read.
func sortPieces(of []piece, order func(a, b *piece) int) {
	for i := 1; i < len(of); i++ {
		if order(&of[i-1], &of[i]) > 0 {
			slices.SortStableFunc(of, func(a, b piece) int { return order(&a, &b) })
			return
		}
	}
}

// holds says whether a piece, which is not higher, stands in a row.
func (r *row) holds(p piece) bool {
	size := max(r.size, p.size)
	off := r.pieces[0].y - p.y
	if p.turn != r.pieces[0].turn || off > sameRow*size {
		return false
	}
	if off < 0.2*size {
		return true
	}
	for _, o := range r.pieces[max(0, len(r.pieces)-maxCompared):] {
		if min(o.x1, p.x1)-max(o.x0, p.x0) > 0.3*min(o.size, p.size) && math.Abs(o.y-p.y) > 0.2*size {
			return false
		}
	}
	return true
}

func (r *row) findGaps() {
	end := math.Inf(-1)
	for _, p := range r.pieces {
		if p.x0-end > gapPiece*p.size && !math.IsInf(end, -1) {
			r.gaps = append(r.gaps, gap{end, p.x0})
		}
		end = max(end, p.x1)
	}
	r.blank = r.justified()
}

// parts says whether a gap in row i parts cells or columns: it goes on in a row near by,
// where the text behind it is aligned; or no line near by goes over it, as those of justified
// text do, and it is wide, or lines of the page begin behind it.
func (l *layout) parts(all []row, i int, g gap, size float64) bool {
	crossed, wide := false, g.x1-g.x0 > gapCell*size
	least := 1 // rows near by with such a gap
	if blank := all[i].blank; blank > 0 {
		if wide = g.x1-g.x0 > 1.6*blank; !wide {
			least = 2
		}
	}
	near := func(j int, most float64) bool {
		return j >= 0 && j < len(all) && all[j].pieces[0].turn == all[i].pieces[0].turn && math.Abs(all[j].y-all[i].y) < most*size
	}
	for _, j := range []int{i - 1, i + 1} {
		crossed = crossed || near(j, leading) && all[j].crosses(g)
	}
	for _, j := range []int{i - 1, i + 1, i - 2, i + 2} {
		if !near(j, 3) || crossed && !wide {
			continue
		}
		of := all[j].gaps
		at, _ := slices.BinarySearchFunc(of, g.x0, func(h gap, x float64) int { return cmp.Compare(h.x1, x) })
		for _, h := range of[at:min(len(of), at+4)] {
			common := min(g.x1, h.x1) - max(g.x0, h.x0)
			if common > 0.4*size && math.Abs(g.x1-h.x1) < 0.1*size || common > 0.9*size && !crossed {
				least--
				break
			}
		}
		if least == 0 {
			return true
		}
	}
	return !crossed && (wide || l.columnAt(all[i].pieces[0].turn, g.x1, 0.03*size))
}

// justified finds out how wide the blanks of a justified line are: at least three gaps of a row
// are as wide as that.
func (r *row) justified() float64 {
	gaps := r.gaps[:min(len(r.gaps), maxCompared)]
	for i, g := range gaps {
		alike := 1
		for _, h := range gaps[i+1:] {
			if math.Abs((h.x1-h.x0)-(g.x1-g.x0)) < 0.02*r.size {
				alike++
			}
		}
		if alike >= 3 {
			return g.x1 - g.x0
		}
	}
	return 0
}

// crosses says whether text goes over a gap without one of its own. The blanks of a justified
// line are none.
func (r *row) crosses(g gap) bool {
	end := math.Inf(-1)
	for _, p := range r.pieces[:min(len(r.pieces), 8*maxCompared)] {
		if p.x0 > end+max(gapPiece*p.size, min(1.02*r.blank, 0.8*p.size)) {
			if end >= g.x1 {
				return false
			}
			end = math.Inf(-1)
			if p.x0 > g.x0 {
				return false
			}
		}
		if end = max(end, p.x1); end >= g.x1 {
			return true
		}
	}
	return false
}

// split makes the lines of a row.
func (s *setting) split(l *layout, all []row, i int) {
	r := &all[i]
	r.full(l)
	begin, first := 0, len(s.lines)
	end := math.Inf(-1)
	for k, p := range r.pieces {
		over := p.x0-end < overlap*p.size && math.Abs(p.y-r.pieces[max(k-1, 0)].y) < 0.1*p.size && !p.repeats(&r.pieces[max(k-1, 0)], l.text)
		if k > 0 && (over || p.x0-end > gapPiece*p.size && l.parts(all, i, gap{end, p.x0}, max(p.size, r.pieces[k-1].size))) {
			s.line(l, r, begin, k)
			begin = k
		}
		end = max(end, p.x1)
	}
	s.line(l, r, begin, len(r.pieces))
	for k := first; k < len(s.lines); k++ {
		s.lines[k].right = math.Inf(1)
		if k+1 < len(s.lines) {
			s.lines[k].right = s.lines[k+1].x0
		}
	}
}

// line joins pieces.
func (s *setting) line(l *layout, r *row, from, to int) {
	n := line{from: len(s.text), x0: r.pieces[from].x0, turn: r.pieces[from].turn, row: r.number, block: -1}
	var before *piece
	for k := from; k < to; k++ {
		p := &r.pieces[k]
		if before != nil && p.repeats(before, l.text) {
			continue
		}
		if before != nil && apart(before, p) && (p.blank || before.y != p.y || p.x0-before.x1 >= r.none) {
			s.text, s.xs = append(s.text, ' '), append(s.xs, float32(before.x1))
		}
		s.add(l, r, p)
		if p.size > n.size {
			n.size, n.y = p.size, p.y
		}
		n.x1 = max(n.x1, p.x1)
		if before == nil {
			n.x1 = p.x1
		}
		before = p
	}
	n.to = len(s.text)
	n.soft = n.to > n.from && s.text[n.to-1] == softHyphen
	for text := s.text[n.from:n.to]; ; {
		k := bytes.IndexByte(text, softHyphen)
		if k < 0 {
			break
		}
		text[k] = '-'
	}
	s.lines = append(s.lines, n)
}

const (
	narrow = 0.8 // a gap that is no blank, in parts of the blanks that were shown in its line
	made   = 0.4 // a blank of a line that was made full, in parts of the size
	spaced = 5   // octets for each gap of a line whose letters were moved
)

// full finds out which gaps of a row, that was made full by moving words and letters, are no blanks:
// those that are narrower than the blanks that were shown; and where none was shown, as
// elsewhere on the page, those between a few letters each.
func (r *row) full(l *layout) {
	if r.none = 0; l.blanks == 0 {
		return
	}
	shown, gaps, octets := math.Inf(1), 0, 0
	for k := range r.pieces {
		p := &r.pieces[k]
		if p.blank && k > 0 && p.x0 > r.pieces[k-1].x1 {
			shown = min(shown, p.x0-r.pieces[k-1].x1)
		}
		text := l.text[p.from:p.to]
		octets += len(text)
		for i, c := range text[:max(0, len(text)-1)] {
			switch c {
			case ' ':
				shown = min(shown, float64(l.xs[p.from+i+1]-l.xs[p.from+i]))
			case gapMark:
				gaps++
			}
		}
	}
	switch {
	case math.IsInf(shown, 1) && gaps*spaced >= octets && l.blanks > 2*l.gaps:
		r.none = gapPiece * r.size
	case !math.IsInf(shown, 1) && shown > made*r.size:
		r.none = narrow * shown
	}
}

// add adds the text of a piece. Its gaps are blanks or nothing.
func (s *setting) add(l *layout, r *row, p *piece) {
	text, xs := l.text[p.from:p.to], l.xs[p.from:p.to]
	for len(text) > 0 {
		i := bytes.IndexByte(text, gapMark)
		if i < 0 {
			break
		}
		s.text, s.xs = append(s.text, text[:i]...), append(s.xs, xs[:i]...)
		wide := 0.0
		if i+1 < len(xs) {
			wide = float64(xs[i+1] - xs[i])
		}
		if wide >= r.none {
			s.text, s.xs = append(s.text, ' '), append(s.xs, xs[i])
		}
		text, xs = text[i+1:], xs[i+1:]
	}
	s.text, s.xs = append(s.text, text...), append(s.xs, xs...)
}

// apart says whether a blank stands between two pieces of a line: where there is a gap, and
// around the number of a note, which is smaller and raised.
func apart(a, b *piece) bool {
	small, big := a, b
	if a.size > b.size {
		small, big = b, a
	}
	raised := small.y - big.y
	switch {
	case small.size < 0.88*big.size && raised > 0.12*big.size:
		return true
	case small.size >= 0.88*big.size && math.Abs(raised) > 0.2*big.size:
		return true
	}
	return b.x0-a.x1 > gapBlank*min(a.size, b.size)
}

// repeats says whether a piece is the one before once more, a little beside it.
func (p *piece) repeats(before *piece, text []byte) bool {
	return math.Abs(p.x0-before.x0) < 0.1*p.size && math.Abs(p.y-before.y) < 0.1*p.size && string(text[p.from:p.to]) == string(text[before.from:before.to])
}
