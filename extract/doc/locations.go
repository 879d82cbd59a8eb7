package doc

import "sort"

const maxJumps = 1 << 18

// places maps lines and columns of decoded text to physical places. It keeps an
// entry only where the text does not go on in the file as it does in itself.
type Locations struct {
	jumps []jump
	here  jump // where the next byte stands
}

// jump is one place, in the decoded text (from 1) and in the file; line 0: nowhere.
type jump struct{ textLine, textColumn, line, column int }

func (p *Locations) Reset() { p.jumps, p.here = p.jumps[:0], jump{textLine: 1, textColumn: 1} }

// Full says that as many places are kept as can be.
func (p *Locations) Full() bool { return len(p.jumps) >= maxJumps }

// add notes that text, the next of the decoded text, stands at line and column.
func (p *Locations) Add(text []byte, line, column int) {
	if len(p.jumps) == 0 || line != p.here.line || column != p.here.column {
		p.here.line, p.here.column = line, column
		if len(p.jumps) >= maxJumps { // readers go forward: the first half is behind them
			p.jumps = p.jumps[:copy(p.jumps, p.jumps[maxJumps/2:])]
		}
		p.jumps = append(p.jumps, p.here)
	}
	p.here.textLine, p.here.textColumn = Advance(text, p.here.textLine, p.here.textColumn)
	if line > 0 {
		p.here.line, p.here.column = Advance(text, line, column)
	}
}

// physical gives the place in the file of a place in the decoded text.
func (p *Locations) Physical(line, column int) (int, int) {
	i := sort.Search(len(p.jumps), func(i int) bool {
		j := p.jumps[i]
		return j.textLine > line || j.textLine == line && j.textColumn > max(column, 1)
	})
	if i == 0 || line == 0 {
		return 0, 0
	}
	j := p.jumps[i-1]
	switch {
	case j.line == 0:
		return 0, 0
	case j.textLine == line && column > 0:
		return j.line, j.column + column - j.textColumn
	}
	return j.line + line - j.textLine, column
}
