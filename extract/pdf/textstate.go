package pdf

import "math"

const maxSpacing = 0.5 // of letters, in parts of the size

// matrix is [a b c d e f] of ISO 32000-1 section 8.3.3.
type matrix [6]float64

// times is m, then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

var unit = matrix{1, 0, 0, 1, 0, 0}

// state is what of the graphics state concerns text (sections 8.4.1 and 9.3.1).
type state struct {
	ctm                  matrix
	font                 *font
	size, char, word     float64
	scale, leading, rise float64
}

// textState shows text: each glyph goes to a place of the page.
type textState struct {
	state
	stack  []state
	tm, lm matrix // of the text, and of its line
	lost   int    // states that were too many
	silent bool
	shown  *layout
}

func newTextState(l *layout) *textState {
	return &textState{state: state{ctm: unit, scale: 1}, tm: unit, lm: unit, shown: l}
}

func num(o []operand, i int) float64 {
	if i < len(o) {
		return o[i].num
	}
	return 0
}

func matrixOf(o []operand) matrix {
	var m matrix
	for i := range m {
		m[i] = num(o, i)
	}
	return m
}

func (s *textState) operator(op string, o []operand) {
	switch op {
	case "q":
		if len(s.stack) < maxStates {
			s.stack = append(s.stack, s.state)
		} else {
			s.lost++
		}
	case "Q":
		if n := len(s.stack) - 1; s.lost > 0 {
			s.lost--
		} else if n >= 0 {
			s.state, s.stack = s.stack[n], s.stack[:n]
		}
	case "cm":
		s.ctm = matrixOf(o).times(s.ctm)
	case "BT":
		s.tm, s.lm = unit, unit
		s.shown.runs++
	case "Tc":
		s.char = num(o, 0)
	case "Tw":
		s.word = num(o, 0)
	case "Tz":
		s.scale = num(o, 0) / 100
	case "TL":
		s.leading = num(o, 0)
	case "Ts":
		s.rise = num(o, 0)
	case "Td":
		s.move(num(o, 0), num(o, 1))
	case "TD":
		s.leading = -num(o, 1)
		s.move(num(o, 0), num(o, 1))
	case "Tm":
		s.lm = matrixOf(o)
		s.tm = s.lm
		s.shown.runs++
	case "T*":
		s.move(0, -s.leading)
	case "'", "Tj":
		if op == "'" {
			s.move(0, -s.leading)
		}
		s.showAll(o)
	case "\"":
		s.word, s.char = num(o, 0), num(o, 1)
		s.move(0, -s.leading)
		s.showAll(o[min(2, len(o)):])
	case "TJ":
		s.showAll(o)
	}
}

func (s *textState) move(x, y float64) {
	if y != 0 {
		s.shown.runs++
	}
	s.lm = matrix{1, 0, 0, 1, x, y}.times(s.lm)
	s.tm = s.lm
}

// showAll shows strings; numbers between them move the next one (section 9.4.3).
func (s *textState) showAll(o []operand) {
	if s.font == nil || s.silent {
		return
	}
	p := s.pen()
	if len(o) == 1 && len(o[0].text) == 2 && s.font.simple != nil {
		p.spaced = 0 // so Ghostscript says the gap between two glyphs, of two words as well
	}
	for _, x := range o {
		switch x.kind {
		case '(':
			p.moveTo(s.place())
			s.advance(s.show(&p, x.text) * s.scale)
			s.shown.bound()
		case tokenNumber:
			s.advance(-x.num / 1000 * s.size * s.scale)
		}
	}
}

func (s *textState) advance(x float64) {
	s.tm[4] += x * s.tm[0]
	s.tm[5] += x * s.tm[1]
}

// place is where the next glyph stands on the page.
func (s *textState) place() (x, y float64) {
	x, y = s.tm[2]*s.rise+s.tm[4], s.tm[3]*s.rise+s.tm[5]
	return x*s.ctm[0] + y*s.ctm[2] + s.ctm[4], x*s.ctm[1] + y*s.ctm[3] + s.ctm[5]
}

// pen is one for strings that are shown as the text state says.
func (s *textState) pen() pen {
	m := s.tm.times(s.ctm)
	size := math.Abs(s.size)
	p := pen{l: s.shown, size: size * length(m[2], m[3]) * s.font.em, turn: turnOf(m[0], m[1], s.size*s.scale >= 0)}
	along := length(m[0], m[1])
	across := along * math.Abs(s.scale)
	p.wide, p.spaced = size*across, min(max(0, s.char), maxSpacing*size)*across // letters are spaced: that is no gap between words
	if p.step = along * s.scale; s.size*s.scale < 0 {
		p.step = -p.step
	}
	return p
}

func length(a, b float64) float64 {
	switch {
	case b == 0:
		return math.Abs(a)
	case a == 0:
		return math.Abs(b)
	}
	return math.Hypot(a, b)
}

// show shows a string, and gives how far it goes in units of text (section 9.4.4).
func (s *textState) show(p *pen, text []byte) (far float64) {
	for len(text) > 0 {
		var g *glyph
		if t := s.font.simple; t != nil {
			g, text = &t[text[0]], text[1:]
		} else {
			var n int
			g, n = s.font.next(text)
			text = text[n:]
		}
		x := g.width*s.size + s.char
		if g.blank {
			x += s.word
		}
		p.show(g.text, g.width*p.wide+p.spaced, x*p.step)
		far += x
	}
	return far
}
