package pdf

import (
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
	cut      bool    // lines are cut wherever they are full
}

// row is pieces at one height.
type row struct {
	pieces []piece
	y      float64
	size   float64
	number int
	gaps   []gap
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
}

// set puts the text of a page in order. rows is the number of the last row before.
func (l *layout) set(rows int) (*setting, int) {
	s := &setting{}
	all := l.rows(rows)
	for i := range all {
		all[i].findGaps()
	}
	for i := range all {
		s.split(l, all, i)
		rows = all[i].number
	}
	s.chain()
	s.margins()
	return s, rows
}

// rows sorts the pieces of a page into rows.
func (l *layout) rows(number int) (all []row) {
	slices.SortStableFunc(l.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(b.y, a.y), cmp.Compare(a.x0, b.x0))
	})
	for _, p := range l.pieces {
		if p.from == p.to {
			continue
		}
		if n := len(all) - 1; n >= 0 && all[n].holds(p) {
			r := &all[n]
			r.pieces = append(r.pieces, p)
			if p.size > r.size {
				r.y, r.size = p.y, p.size
			}
			continue
		}
		number++
		all = append(all, row{pieces: []piece{p}, y: p.y, size: p.size, number: number})
	}
	for i := range all {
		slices.SortStableFunc(all[i].pieces, func(a, b piece) int { return cmp.Compare(a.x0, b.x0) })
	}
	return all
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
}

// parts says whether a gap in row i parts cells or columns: it goes on in a row near by,
// where the text behind it is aligned; or it is wide, and no line near by goes over it, as
// those of justified text do.
func parts(all []row, i int, g gap, size float64) bool {
	crossed, wide := false, g.x1-g.x0 > gapCell*size
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
				return true
			}
		}
	}
	return wide && !crossed
}

// crosses says whether text goes over a gap without one of its own.
func (r *row) crosses(g gap) bool {
	end := math.Inf(-1)
	for _, p := range r.pieces[:min(len(r.pieces), 8*maxCompared)] {
		if p.x0 > end+gapPiece*p.size {
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
	begin, first := 0, len(s.lines)
	end := math.Inf(-1)
	for k, p := range r.pieces {
		over := p.x0-end < overlap*p.size && math.Abs(p.y-r.pieces[max(k-1, 0)].y) < 0.1*p.size && !p.repeats(&r.pieces[max(k-1, 0)], l.text)
		if k > 0 && (over || p.x0-end > gapPiece*p.size && parts(all, i, gap{end, p.x0}, max(p.size, r.pieces[k-1].size))) {
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
		if before != nil && apart(before, p) {
			s.text, s.xs = append(s.text, ' '), append(s.xs, float32(before.x1))
		}
		s.text, s.xs = append(s.text, l.text[p.from:p.to]...), append(s.xs, l.xs[p.from:p.to]...)
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
	s.lines = append(s.lines, n)
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

const (
	leading   = 1.9 // the most between two lines of a block, in parts of the size
	maxChains = 256 // blocks that may go on
)

// chain makes blocks: each line goes to the one whose last line is right above it.
func (s *setting) chain() {
	var open []int // blocks
	for i := range s.lines {
		n := &s.lines[i]
		best, score := -1, 0.0
		kept := open[:0]
		for _, b := range open {
			last := &s.lines[s.blocks[b][len(s.blocks[b])-1]]
			down := last.y - n.y
			size := max(last.size, n.size)
			if last.turn != n.turn || down > 2*leading*size {
				continue
			}
			kept = append(kept, b)
			common := min(last.x1, n.x1) - max(last.x0, n.x0)
			if last.row == n.row || down > leading*size || down < 0.4*size || common <= 0 || min(last.size, n.size) < 0.75*size {
				continue
			}
			if k := len(s.blocks[b]) - 2; k >= 0 && down > 1.35*(s.lines[s.blocks[b][k]].y-last.y) && down > 1.35*size {
				continue // a paragraph ends
			}
			if v := common - 2*math.Abs(last.x0-n.x0); best < 0 || v > score {
				best, score = b, v
			}
		}
		if open = kept; best < 0 {
			best = len(s.blocks)
			s.blocks = append(s.blocks, nil)
			if open = append(open, best); len(open) > maxChains {
				open = open[1:]
			}
		}
		n.block = best
		s.blocks[best] = append(s.blocks[best], i)
	}
}

// margins finds out how far the lines of each column go: as far as the longest that begins
// where they do, and not into the text on their right.
func (s *setting) margins() {
	longest := map[[2]int]float64{}
	key := func(n *line, by int) [2]int {
		return [2]int{int(n.turn), int(max(-1e6, min(1e6, n.x0/8))) + by}
	}
	for i := range s.lines {
		n := &s.lines[i]
		longest[key(n, 0)] = max(longest[key(n, 0)], n.x1)
	}
	for _, b := range s.blocks {
		alone := len(b) < 3 // a block of its own says how far its lines go
		margin, most, right := math.Inf(-1), math.Inf(-1), math.Inf(1)
		for _, i := range b {
			n := &s.lines[i]
			for by := -1; by <= 1; by++ {
				if x, ok := longest[key(n, by)]; ok && alone {
					margin = max(margin, x)
				}
			}
			most, right = max(most, n.x1), min(right, n.right-0.5*n.size)
		}
		margin = max(min(margin, right), most)
		for _, i := range b {
			s.lines[i].margin = margin
		}
		for k := range b[:len(b)-1] {
			n := &s.lines[b[k]]
			for _, j := range []int{k - 1, k + 1} {
				if n.room() == 0 && j >= 0 && j < len(b)-1 && s.lines[b[j]].room() == 0 && math.Abs(n.x1-s.lines[b[j]].x1) > 0.01*n.size {
					n.cut = true
				}
			}
		}
	}
}

// room is how many letters more would have fit on a line.
func (n *line) room() int { return int(max(0, min(1000, (n.margin-n.x1)/(0.52*n.size)))) }
