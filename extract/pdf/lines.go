package pdf

import (
	"bytes"
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

// split makes the lines of a row.
func (s *setting) split(l *layout, all []row, i int) {
	r := &all[i]
	r.full(l)
	begin, first := 0, len(s.lines)
	end := math.Inf(-1)
	for k, p := range r.pieces {
		over := p.x0-end < overlap*p.size && math.Abs(p.y-r.pieces[max(k-1, 0)].y) < 0.1*p.size && !p.repeats(&r.pieces[max(k-1, 0)], l.text)
		if k > 0 && (over || p.x0-end > gapPiece*p.size && !p.goesOn && l.parts(all, i, gap{end, p.x0}, max(p.size, r.pieces[k-1].size))) {
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
		if before != nil && apart(before, p) && (p.blank || before.y != p.y || p.x0-before.x1 >= r.leastBlank) {
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

// add adds the text of a piece. Its gaps are blanks or nothing.
func (s *setting) add(l *layout, r *row, p *piece) {
	n := len(s.text)
	s.text, s.xs = append(s.text, l.text[p.from:p.to]...), append(s.xs, l.xs[p.from:p.to]...)
	gap := bytes.IndexByte(s.text[n:], gapMark)
	if gap < 0 {
		return
	}
	text, xs, to := s.text, s.xs, n+gap
	for i := to; i < len(text); i++ {
		c := text[i]
		if c == gapMark {
			if c = ' '; i+1 < len(xs) && float64(xs[i+1]-xs[i]) < r.leastBlank {
				continue
			}
		}
		text[to], xs[to] = c, xs[i]
		to++
	}
	s.text, s.xs = text[:to], xs[:to]
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
