package doc

import "sort"

const maxStretches = 1 << 18

// Locations maps lines and columns of decoded text to those of the file. It keeps
// an entry only where the text does not go on in the file as it does in itself.
type Locations struct {
	stretches []stretch
	next      stretch // where the next byte stands
}

// stretch is where text begins that stands in one piece: in the decoded text (from
// line and column 1), and in the file; line 0: nowhere.
type stretch struct{ textLine, textColumn, line, column int }

// Reset forgets everything, for another text.
func (p *Locations) Reset() {
	p.stretches, p.next = p.stretches[:0], stretch{textLine: 1, textColumn: 1}
}

// Full says that as many stretches are kept as can be; Add would forget some.
func (p *Locations) Full() bool { return len(p.stretches) >= maxStretches }

// Add notes that text, the next of the decoded text, stands at line and column.
func (p *Locations) Add(text []byte, line, column int) {
	if len(p.stretches) == 0 || line != p.next.line || column != p.next.column {
		p.next.line, p.next.column = line, column
		if p.Full() { // readers go forward: the first half is behind them
			p.stretches = p.stretches[:copy(p.stretches, p.stretches[maxStretches/2:])]
		}
		p.stretches = append(p.stretches, p.next)
	}
	p.next.textLine, p.next.textColumn = Advance(text, p.next.textLine, p.next.textColumn)
	if line > 0 {
		p.next.line, p.next.column = Advance(text, line, column)
	}
}

// Physical gives the line and column in the file of those in the decoded text; 0
// for a line that is nowhere in it.
func (p *Locations) Physical(line, column int) (int, int) {
	i := sort.Search(len(p.stretches), func(i int) bool {
		s := p.stretches[i]
		return s.textLine > line || s.textLine == line && s.textColumn > max(column, 1)
	})
	if i == 0 || line == 0 {
		return 0, 0
	}
	s := p.stretches[i-1]
	switch {
	case s.line == 0:
		return 0, 0
	case s.textLine == line && column > 0:
		return s.line, s.column + column - s.textColumn
	}
	return s.line + line - s.textLine, column
}
