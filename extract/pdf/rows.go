package pdf

import (
	"cmp"
	"math"
	"slices"
)

const (
	gapCell     = 1.5 // a gap that always parts cells, in parts of the size
	sameRow     = 0.45
	maxCompared = 64
)

// row is pieces at one height.
type row struct {
	pieces     []piece
	y          float64
	size       float64
	number     int
	gaps       []gap
	blank      float64 // how wide the blanks of a justified line are; 0 where it is none
	loose      float64 // how wide the widest blank is that goes on in its line; 0 for none
	leastBlank float64 // gaps that are narrower are no blanks
}

// gap is a place without text between two pieces of a row.
type gap struct{ x0, x1 float64 }

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
		switch {
		case p.x0-end <= gapPiece*p.size || math.IsInf(end, -1):
		case p.goesOn:
			r.loose = max(r.loose, p.x0-end)
		default:
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
	if blank := max(all[i].blank, all[i].loose); blank > 0 && g.x1-g.x0 > 0.9*blank {
		if wide = g.x1-g.x0 > 1.6*blank; !wide {
			least = 2
		}
	}
	near := func(j int, most float64) bool {
		return j >= 0 && j < len(all) && all[j].pieces[0].turn == all[i].pieces[0].turn && math.Abs(all[j].y-all[i].y) < most*size
	}
	for by := 1; by <= 3; by++ { // numbers of notes are rows, too
		crossed = crossed || near(i-by, leading) && all[i-by].crosses(g) || near(i+by, leading) && all[i+by].crosses(g)
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
		if p.x0 > end+max(gapPiece*p.size, min(1.02*r.blank, 0.8*p.size)) && !p.goesOn {
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

const (
	narrow = 0.8  // a gap that is no blank, in parts of the blanks that were shown in its line
	made   = 0.12 // by how much blanks of a line that was made full are wider than they are, in parts of the size
	spaced = 5    // octets for each gap of a line whose letters were moved
)

// full finds out which gaps of a row, that was made full by moving words and letters, are no blanks:
// those that are narrower than the blanks that were shown; and where none was shown, as
// elsewhere on the page, those between a few letters each.
func (r *row) full(l *layout) {
	if r.leastBlank = 0; l.blanks == 0 {
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
		r.leastBlank = gapPiece * r.size
	case !math.IsInf(shown, 1) && shown > (l.widest+made)*r.size:
		r.leastBlank = narrow * shown
	}
}

const column = 3 // lines of a page that begin at one place, so that a column or cell does

// columnAt says whether a column begins at a place: lines of the page do that have no text before it.
func (l *layout) columnAt(turn int16, x, within float64) bool {
	at, _ := slices.BinarySearchFunc(l.begun, start{turn, x - within}, start.compare)
	return at+column <= len(l.begun) && l.begun[at+column-1].turn == turn && l.begun[at+column-1].x <= x+within
}

// start is where a row begins.
type start struct {
	turn int16
	x    float64
}

func (a start) compare(b start) int {
	return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(a.x, b.x))
}
