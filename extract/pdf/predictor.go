package pdf

import (
	"bufio"
	"io"
)

const maxRow = 256 << 10 // octets; longer rows are those of pictures

// unpredicted undoes the predictor of Flate and LZW (ISO 32000-1 section 7.4.4.4).
func (f *file) unpredicted(r io.Reader, parms dict) io.Reader {
	kind := int(f.number(parms["Predictor"], 1))
	if kind < 2 {
		return r
	}
	colors, bits := int(f.number(parms["Colors"], 1)), int(f.number(parms["BitsPerComponent"], 8))
	columns := int(f.number(parms["Columns"], 1))
	colors, bits, columns = min(max(colors, 1), 64), min(max(bits, 1), 16), min(max(columns, 1), 1<<20)
	size := min((colors*bits*columns+7)/8, maxRow)
	return &predicted{in: bufio.NewReader(r), png: kind >= 10, pixel: max(1, colors*bits/8), bits: bits, row: make([]byte, size), last: make([]byte, size)}
}

type predicted struct {
	in        *bufio.Reader
	png       bool
	pixel     int // octets
	bits      int
	row, last []byte
	out       []byte
	err       error
}

func (p *predicted) Read(b []byte) (int, error) {
	for len(p.out) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		p.next()
	}
	n := copy(b, p.out)
	p.out = p.out[n:]
	return n, nil
}

// next reads a row. One that is cut is given as far as it goes.
func (p *predicted) next() {
	kind := byte(0)
	if p.png {
		if kind, p.err = p.in.ReadByte(); p.err != nil {
			return
		}
	}
	p.row, p.last = p.last, p.row
	n, err := io.ReadFull(p.in, p.row)
	if p.err = err; err == io.ErrUnexpectedEOF {
		p.err = io.EOF
	}
	row := p.row[:n]
	if !p.png {
		if p.bits == 8 {
			for i := p.pixel; i < n; i++ {
				row[i] += row[i-p.pixel]
			}
		}
		p.out = row
		return
	}
	unfilter(kind, row, p.last, p.pixel)
	p.out = row
}

// unfilter undoes a filter of PNG (ISO 15948 section 9.2).
func unfilter(kind byte, row, last []byte, pixel int) {
	for i := range row {
		var left, corner byte
		if i >= pixel {
			left, corner = row[i-pixel], last[i-pixel]
		}
		switch kind {
		case 1:
			row[i] += left
		case 2:
			row[i] += last[i]
		case 3:
			row[i] += byte((int(left) + int(last[i])) / 2)
		case 4:
			row[i] += paeth(left, last[i], corner)
		}
	}
}

func paeth(a, b, c byte) byte {
	p := int(a) + int(b) - int(c)
	da, db, dc := abs(p-int(a)), abs(p-int(b)), abs(p-int(c))
	switch {
	case da <= db && da <= dc:
		return a
	case db <= dc:
		return b
	}
	return c
}

func abs[N int | float64](n N) N {
	if n < 0 {
		return -n
	}
	return n
}

// lzwReader undoes LZWDecode (section 7.4.4.2).
type lzwReader struct {
	in     *bufio.Reader
	early  bool
	acc    uint32
	bits   uint
	width  uint
	next   int // code that is made next
	before int // the code before; -1 behind a clear
	prefix [4096]uint16
	suffix [4096]byte
	stack  [4097]byte
	pieces
}

const (
	lzwClear = 256
	lzwEnd   = 257
)

func (z *lzwReader) Read(p []byte) (int, error) { return z.read(p, z.code) }

func (z *lzwReader) clear() { z.width, z.next, z.before = 9, 258, -1 }

// code reads one code, and puts what it stands for in out.
func (z *lzwReader) code() {
	if z.width == 0 {
		z.clear()
	}
	for z.bits < z.width {
		c, err := z.in.ReadByte()
		if err != nil {
			z.done = true
			return
		}
		z.acc, z.bits = z.acc<<8|uint32(c), z.bits+8
	}
	code := int(z.acc>>(z.bits-z.width)) & (1<<z.width - 1)
	z.bits -= z.width
	switch {
	case code == lzwClear:
		z.clear()
		return
	case code == lzwEnd, code > z.next || code == z.next && z.before < 0:
		z.done = true
		return
	}
	at, walk := len(z.stack), code
	if code == z.next {
		at--
		walk = z.before
	}
	for walk >= 258 {
		at--
		z.stack[at] = z.suffix[walk]
		walk = int(z.prefix[walk])
	}
	at--
	z.stack[at] = byte(walk)
	if code == z.next {
		z.stack[len(z.stack)-1] = byte(walk)
	}
	z.out = z.stack[at:]
	if z.before >= 0 && z.next < 4096 {
		z.prefix[z.next], z.suffix[z.next] = uint16(z.before), byte(walk)
		z.next++
	}
	z.before = code
	early := 0
	if z.early {
		early = 1
	}
	for z.width < 12 && z.next+early >= 1<<z.width {
		z.width++
	}
}
