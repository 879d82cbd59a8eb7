package pdf

import (
	"bytes"
	"io"

	"linkcheck/extract/doc"
)

const (
	maxOperands = 1 << 20 // octets of the operands of an operator
	maxForms    = 12      // forms inside one another
	formCost    = 4 << 10 // octets that are charged for running one
	maxStates   = 256     // graphics states that are kept
	maxLayers   = 256     // of a group
)

// operand is what an operator works on: a number, a name or a string, or "[" and "]".
type operand struct {
	kind byte // as in token
	num  float64
	text []byte
}

// content runs the operators of a content stream that show text (ISO 32000-1 annex A).
type content struct {
	f         *file
	resources dict
	fonts     *fonts
	text      *textState
	depth     int
	hidden    int // marked content around that a viewer does not show, and what is inside it
	marked    int
}

func (c *content) font(n name) *font {
	if t, ok := c.fonts.named[n]; ok {
		return t
	}
	v := c.f.dict(c.resources["Font"])[n]
	t := c.fontOf(v)
	c.fonts.named[n] = t
	return t
}

func (c *content) fontOf(v value) *font {
	r, isRef := v.(ref)
	if t, ok := c.fonts.read.fonts[r.num]; ok && isRef {
		return t
	}
	d := c.f.dict(v)
	if d == nil {
		return nil
	}
	t := c.f.loadFont(d)
	if c.fonts.read.size += t.kept; c.fonts.read.size > maxFonts {
		clear(c.fonts.read.fonts)
		clear(c.fonts.named)
		c.fonts.read.size = t.kept
	}
	if isRef {
		c.fonts.read.fonts[r.num] = t
	}
	return t
}

// run reads a content stream. Operands are taken together with their operator: where the
// buffer ends within them they are taken again with more of it.
func (c *content) run(r io.Reader) error {
	mem := c.f.takeBuffers()
	l := lexer{buf: mem.octets[:0], cut: true}
	operands := mem.operands[:0]
	defer func() { c.f.putBuffers(buffers{l.buf, operands}) }()
	start := 0
	for !c.f.d.Stopped() {
		t := l.next()
		switch t.kind {
		case tokenCut:
			if operands = operands[:0]; len(l.buf)-start > maxOperands {
				start = len(l.buf)
			}
			if err := refill(&l, r, start); err != nil {
				return err
			}
			start = 0
			continue
		case tokenEnd:
			return nil
		case tokenKeyword:
			if string(t.text) == "ID" {
				if !skipImage(&l, r) {
					return nil
				}
			} else {
				c.operator(string(t.text), operands)
			}
			operands, start = operands[:0], l.pos
			continue
		}
		if l.pos-start > maxOperands {
			operands, start = operands[:0], l.pos
			continue
		}
		operands = append(operands, operand(t))
	}
	return nil
}

// refill drops what is before start and reads more. The end of r ends the cut.
func refill(l *lexer, r io.Reader, start int) error {
	n := copy(l.buf[:cap(l.buf)], l.buf[start:])
	if n == cap(l.buf) {
		l.buf = append(make([]byte, 0, 2*cap(l.buf)), l.buf[start:]...)
	}
	m, err := io.ReadFull(r, l.buf[n:cap(l.buf)])
	l.buf, l.pos = l.buf[:n+m], 0
	if err != nil {
		l.cut = false
		if err = doc.IgnoreEOF(err); err == io.ErrUnexpectedEOF {
			err = nil
		}
		if err != nil && m > 0 {
			return nil // what came before the fault counts
		}
	}
	return err
}

// skipImage goes behind the data of a picture in the contents (section 8.9.7).
func skipImage(l *lexer, r io.Reader) bool {
	for {
		for i := l.pos; i+3 < len(l.buf); i++ {
			n := bytes.Index(l.buf[i:], []byte("EI"))
			if n < 0 || i+n+2 >= len(l.buf) {
				break
			}
			if i += n; i > 0 && classes[l.buf[i-1]] == classBlank && classes[l.buf[i+2]] == classBlank && printable(l.buf[i+2:min(len(l.buf), i+12)]) {
				l.pos = i + 2
				return true
			}
		}
		if !l.cut {
			l.pos = len(l.buf)
			return false
		}
		if refill(l, r, max(l.pos, len(l.buf)-3)) != nil {
			return false
		}
	}
}

// printable says that no picture goes on there.
func printable(b []byte) bool {
	for _, c := range b {
		if c >= 0x7f || c < ' ' && classes[c] != classBlank {
			return false
		}
	}
	return true
}

// operator runs one.
func (c *content) operator(op string, o []operand) {
	s := c.text
	switch op {
	case "BDC", "BMC":
		c.mark(op, o)
		return
	case "EMC":
		if c.marked--; c.hidden > 0 {
			c.hidden--
		}
		return
	case "Do":
		if len(o) > 0 && o[0].kind == '/' && c.hidden == 0 {
			c.form(name(o[0].text))
		}
		return
	case "Tf":
		if len(o) >= 2 {
			s.font, s.size = c.font(name(o[0].text)), o[len(o)-1].num
		}
		return
	case "gs":
		if len(o) > 0 {
			if a := c.f.array(c.f.dict(c.f.dict(c.resources["ExtGState"])[name(o[0].text)])["Font"]); len(a) == 2 {
				s.font, s.size = c.fontOf(a[0]), c.f.number(a[1], 0)
			}
		}
		return
	}
	s.silent = c.hidden > 0
	s.operator(op, o)
}

// mark begins marked content. That of a layer which is off is hidden (section 8.11.3).
func (c *content) mark(op string, o []operand) {
	c.marked++
	if c.hidden > 0 {
		c.hidden++
		return
	}
	if op == "BDC" && len(o) >= 2 && string(o[0].text) == "OC" && o[1].kind == '/' {
		if c.f.off(c.f.dict(c.resources["Properties"])[name(o[1].text)]) {
			c.hidden = 1
		}
	}
}

// off says whether a layer, or all of a group of them, is off.
func (f *file) off(v value) bool {
	if r, ok := v.(ref); ok && f.layersOff()[r.num] {
		return true
	}
	d := f.dict(v)
	if d["Type"] != name("OCMD") {
		return false
	}
	of, isArray := f.get(d["OCGs"]).(array)
	if !isArray {
		of = array{d["OCGs"]}
	}
	for _, g := range of[:min(len(of), maxLayers)] {
		if r, ok := g.(ref); !ok || !f.layersOff()[r.num] {
			return false
		}
	}
	return len(of) > 0
}

// layersOff are those that are off when the document is opened (section 8.11.4).
func (f *file) layersOff() map[uint32]bool {
	if f.layers == nil {
		f.layers = map[uint32]bool{}
		of := f.dict(f.dict(f.dict(f.trailer["Root"])["OCProperties"])["D"])
		for _, v := range f.array(of["OFF"]) {
			if r, ok := v.(ref); ok {
				f.layers[r.num] = true
			}
		}
	}
	return f.layers
}

// form runs the contents of a form (section 8.10).
func (c *content) form(n name) {
	s, ok := c.f.get(c.f.dict(c.resources["XObject"])[n]).(*stream)
	if !ok || c.f.name(s.dict["Subtype"]) != "Form" || c.f.off(s.dict["OC"]) {
		return
	}
	c.runForm(s)
}

func (c *content) runForm(s *stream) {
	if c.f.d.Budget.Unfold(formCost) != nil || c.depth >= maxForms {
		return
	}
	inner := *c
	inner.depth++
	inner.marked, inner.hidden = 0, 0
	if r := c.f.dict(s.dict["Resources"]); r != nil {
		inner.resources, inner.fonts = r, &fonts{read: c.fonts.read, named: map[name]*font{}}
	}
	saved := c.text.state
	stack := len(c.text.stack)
	if m := c.f.array(s.dict["Matrix"]); len(m) == 6 {
		var by matrix
		for i := range by {
			by[i] = c.f.number(m[i], 0)
		}
		c.text.ctm = by.times(c.text.ctm)
	}
	r, done := c.f.open(s)
	c.f.contentError(inner.run(r))
	done()
	c.text.state, c.text.stack = saved, c.text.stack[:min(stack, len(c.text.stack))]
}
