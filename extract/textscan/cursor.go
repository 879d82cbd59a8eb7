package textscan

import "linkcheck/extract/doc"

// Cursor gives the line and column of offsets in a text. Offsets that rise cost one
// walk over the text, all together.
type Cursor struct {
	text      []byte
	line, col int // of the text
	off       int // where the cursor is
	atLine    int
	atCol     int
}

// NewCursor is a cursor for a text that stands at line and column.
func NewCursor(text []byte, line, col int) Cursor {
	return Cursor{text, line, col, 0, line, col}
}

// At is the line and column of an offset.
func (c *Cursor) At(off int) (line, col int) {
	if off < c.off {
		*c = NewCursor(c.text, c.line, c.col)
	}
	c.atLine, c.atCol = doc.Advance(c.text[c.off:off], c.atLine, c.atCol)
	c.off = off
	return c.atLine, c.atCol
}
