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
}

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
	full   func()

	setting setting // of the page before, whose memory is used again
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

// pen shows the glyphs of one string.
type pen struct {
	l       *layout
	x, y    float64
	size    float64
	turn    int16
	visible bool
}

func (l *layout) pen(turn int16, x, y, size float64) pen {
	s := l.shows
	visible := s == rect{} || x >= s.x0-size && x <= s.x1 && y >= s.y0-size/2 && y <= s.y1
	if math.IsNaN(x) || math.IsNaN(y) || math.IsNaN(size) || math.IsInf(x+y+size, 0) || size == 0 {
		visible = false
	}
	x, y = turned(x, y, turn)
	return pen{l: l, x: x, y: y, size: size, turn: turn, visible: visible}
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
		l.blank, l.wider = true, max(0, wide/p.size-usualBlank)
		if text = text[1:]; text == "" || text == " " {
			return
		}
	}
	if !l.goesOn(p, x, text) {
		l.pieces = append(l.pieces, piece{from: len(l.text), to: len(l.text), x0: x, x1: x, y: p.y, size: p.size, turn: p.turn})
		l.open = true
	}
	l.blank = false
	last := &l.pieces[len(l.pieces)-1]
	if last.doubled(l, x, text) {
		return
	}
	l.add(text, x)
	last.to, last.x1 = len(l.text), max(last.x1, x+wide)
}

// goesOn says whether a glyph at x belongs to the last piece, and puts a blank before it
// where one is due.
func (l *layout) goesOn(p *pen, x float64, text string) bool {
	if !l.open || len(l.pieces) == 0 {
		return false
	}
	last := &l.pieces[len(l.pieces)-1]
	if last.turn != p.turn || math.Abs(last.y-p.y) > 0.05*p.size || math.Abs(last.size-p.size) > 0.05*p.size {
		return false
	}
	gap := (x - last.x1) / p.size
	if l.blank {
		gap -= l.wider
	}
	switch {
	case gap > gapPiece, gap < overlap && !last.doubled(l, x, text):
		return false
	case l.blank || gap > gapBlank:
		l.add(" ", last.x1)
		last.to = len(l.text)
	}
	return true
}

// doubled says whether a glyph is the last one once more, as some programs make bold type.
func (p *piece) doubled(l *layout, x float64, text string) bool {
	n := len(l.text)
	return p.to > p.from && n >= len(text) && string(l.text[n-len(text):]) == text && math.Abs(x-float64(l.xs[n-len(text)])) < 0.08*p.size
}

func (l *layout) add(text string, x float64) {
	l.text = append(l.text, text...)
	for range len(text) {
		l.xs = append(l.xs, float32(x))
	}
}

func (l *layout) reset() {
	l.text, l.xs, l.pieces, l.open = l.text[:0], l.xs[:0], l.pieces[:0], false
	l.blank = false
}
