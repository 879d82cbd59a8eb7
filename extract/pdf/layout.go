package pdf

import "math"

const (
	maxPageText = 2 << 20 // octets of text that are laid out at once
	maxPieces   = 100_000

	// Gaps between glyphs, in parts of the text's size.
	gapBlank = 0.16 // stands for a blank
	gapPiece = 0.45 // may stand between cells or columns
	overlap  = -0.5 // is another text

	usualBlank = 0.28 // width of a blank; those of typewriters are wider
)

// piece is text in one line whose glyphs stand close to one another.
type piece struct {
	from, to int // of the page's text
	x0, x1   float64
	y        float64 // of the base line, upwards
	size     float64
	turn     int16 // degrees by which the line is turned
	blank    bool  // a blank was shown before it
	goesOn   bool  // and both by moving along the line, so that no gap of columns or cells is there
}

// gapMark stands in the text of pieces for a gap where no blank was shown. Where the other blanks
// of the line were shown, and are wider, it is none: a program that makes lines full moves
// letters, too.
const gapMark = 0x1e

// layout gathers the pieces of a page. Places are those of a page that was turned so that
// the line runs to the right.
type layout struct {
	text   []byte
	xs     []float32 // where the glyph of each octet begins
	pieces []piece
	open   bool    // the last piece goes on
	blank  bool    // a blank came since the last glyph
	wider  float64 // by how much it is wider than blanks are, in parts of the size
	shows  rect    // what a viewer shows
	runs   int     // of text that moves along a line, so far
	behind int     // the one that showed the last blank
	blanks int     // shown on the page
	gaps   int     // that stand for blanks where some were shown
	widest float64 // how wide blanks are that were not made wide, at most, in parts of the size
	full   func()

	// of the page before, whose memory is used again
	setting setting
	allRows []row
	begun   []start // where the rows of a page begin, in order
}

// turnOf gives the direction of a line in whole degrees.
func turnOf(a, b float64, forward bool) int16 {
	if !forward {
		a, b = -a, -b
	}
	switch {
	case b == 0 && a >= 0:
		return 0
	case math.IsNaN(a) || math.IsNaN(b):
		return 0
	}
	d := int16(math.Round(math.Atan2(b, a) * 180 / math.Pi))
	if d < 0 {
		d += 360
	}
	return d % 360
}

// turned gives a place on the page that was turned back by so many degrees.
func turned(x, y float64, turn int16) (float64, float64) {
	switch turn {
	case 0:
		return x, y
	case 90:
		return y, -x
	case 180:
		return -x, -y
	case 270:
		return -y, x
	}
	sin, cos := math.Sincos(float64(turn) * math.Pi / 180)
	return x*cos + y*sin, -x*sin + y*cos
}

// pen shows the glyphs of strings.
type pen struct {
	l       *layout
	x, y    float64
	size    float64
	turn    int16
	visible bool
	on      bool // the last piece of the layout is in this line

	wide, spaced float64 // of a glyph: for each unit of its width, and besides
	step         float64 // for each unit of text
}

// moveTo puts the pen where a string begins.
func (p *pen) moveTo(x, y float64) {
	s, size := &p.l.shows, p.size
	p.visible = *s == rect{} || x >= s.x0-size && x <= s.x1 && y >= s.y0-size/2 && y <= s.y1
	if !(math.Abs(x)+math.Abs(y)+size <= math.MaxFloat64) || size == 0 {
		p.visible = false
	}
	p.x, p.y = turned(x, y, p.turn)
	p.on = false
	if n := len(p.l.pieces) - 1; p.l.open && n >= 0 {
		last := &p.l.pieces[n]
		p.on = last.turn == p.turn && math.Abs(last.y-p.y) <= 0.05*size && math.Abs(last.size-size) <= 0.05*size
	}
}

// bound lays out what there is where it is much for one page.
func (l *layout) bound() {
	if len(l.text) > maxPageText || len(l.pieces) > maxPieces {
		l.full()
		l.open = false
	}
}

// show shows what a glyph stands for, and moves on by step.
func (p *pen) show(text string, wide, step float64) {
	x := p.x
	p.x += step
	if text == "" || !p.visible {
		return
	}
	l := p.l
	if text[0] == ' ' {
		if l.behind = l.runs; l.blank {
			l.behind = 0 // several blanks may part columns
		}
		l.blanks++
		l.widest = max(l.widest, wide/p.size)
		l.blank, l.wider = true, max(0, wide/p.size-usualBlank)
		if text = text[1:]; text == "" || text == " " {
			return
		}
	}
	if !p.on || !l.goesOn(p.size, x, text) {
		l.pieces = append(l.pieces, piece{from: len(l.text), to: len(l.text), x0: x, x1: x, y: p.y, size: p.size, turn: p.turn,
			blank: l.blank, goesOn: l.blank && p.on && l.behind == l.runs})
		l.open, p.on = true, true
	}
	l.blank = false
	last := &l.pieces[len(l.pieces)-1]
	if x < last.x1 && last.doubled(l, x, text) {
		return
	}
	l.add(text, x)
	last.to, last.x1 = len(l.text), max(last.x1, x+wide)
}

// goesOn says whether a glyph at x belongs to the last piece, which is in its line, and puts a
// blank before it where one is due.
func (l *layout) goesOn(size, x float64, text string) bool {
	last := &l.pieces[len(l.pieces)-1]
	gap := x - last.x1
	if l.blank {
		gap -= l.wider * size
	}
	switch {
	case gap > gapPiece*size, gap < overlap*size && !last.doubled(l, x, text):
		return false
	case l.blank, gap > gapBlank*size && l.blanks == 0:
		l.add(" ", last.x1)
		last.to = len(l.text)
	case gap > gapBlank*size:
		l.add(string(rune(gapMark)), last.x1)
		last.to = len(l.text)
		l.gaps++
	}
	return true
}

// doubled says whether a glyph is the last one once more, as some programs make bold type.
func (p *piece) doubled(l *layout, x float64, text string) bool {
	n := len(l.text) - len(text)
	return p.to > p.from && n >= 0 && math.Abs(x-float64(l.xs[n])) < 0.08*p.size && string(l.text[n:]) == text
}

func (l *layout) add(text string, x float64) {
	if len(text) == 1 {
		l.text, l.xs = append(l.text, text[0]), append(l.xs, float32(x))
		return
	}
	l.text = append(l.text, text...)
	for range len(text) {
		l.xs = append(l.xs, float32(x))
	}
}

func (l *layout) reset() {
	l.text, l.xs, l.pieces, l.open = l.text[:0], l.xs[:0], l.pieces[:0], false
	l.blank, l.blanks, l.gaps, l.widest = false, 0, 0, 0
}
