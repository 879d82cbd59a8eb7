package textscan

import (
	"bytes"

	"linkcheck/internal/ascii"
)

// grid is where the cells of a row begin and end, in columns of print.
type grid struct {
	left, right int  // of the cell that counts; endOfLine: it is the last one
	width       int  // letters that it holds; 0: not known
	sure        bool // and need: as those of a block
	need        int
	gaps        bool                   // it ends at a wide gap, if not at right
	goesOn      func(line []byte) bool // whether a line belongs to the same row
}

const endOfLine = -1

// cut gives what stands of a line in the cell.
func (g *grid) cut(line []byte) []byte {
	from, to := offsetOf(line, g.left), len(line)
	switch {
	case g.gaps && (g.right == endOfLine || !gapBefore(line, g.right)):
		text := ascii.Skip(line, from, ascii.Blank)
		if i, _ := nextGap(line, text); i > 0 {
			to = i
		}
	case g.right != endOfLine:
		to = offsetOf(line, g.right)
	}
	return bytes.TrimRight(line[from:to], " \t")
}

// gridOfBars is that of a row between bars, which stand below one another in the next line.
func gridOfBars(line, next []byte, at int) (g grid, ok bool) {
	if bytes.IndexByte(line, '|') < 0 && ascii.Only(line) {
		return g, false // the usual case, and the fast test
	}
	cells, column := 0, columnOf(line, at)
	bars := common(barColumns(line), barColumns(next))
	g.right = endOfLine
	for n, bar := range bars {
		if bar < column {
			g.left, cells = bar+1, n+1
		} else if g.right == endOfLine {
			g.right = bar
		}
	}
	if len(bars) == 0 || len(bars) == 1 && len(bytes.TrimSpace(line[:offsetOf(line, bars[0])])) == 0 {
		return g, false // a lone bar in front is a mark of quoting, or of wikis
	}
	first := grid{right: bars[0]} // the first cell of a row
	if len(bytes.TrimSpace(first.cut(line))) == 0 && len(bars) > 1 {
		first.left, first.right = bars[0]+1, bars[1]
		cells--
	}
	empty := func(line []byte) bool { return len(bytes.TrimSpace(first.cut(line))) == 0 }
	g.sure = cells > 0 && empty(next)
	boxed := first.left > 0 && len(bars) == 2 // one cell, as text of its own
	g.goesOn = func(line []byte) bool {
		return len(common(bars, barColumns(line))) == len(bars) && (!g.sure || empty(line))
	}
	if g.right != endOfLine {
		g.width = g.right - g.left
		if i := offsetOf(line, g.left); i < len(line) && line[i] == ' ' {
			g.width--
		}
	}
	if !g.sure && !boxed {
		g.need = 3 // the next line may be another row
	}
	return g, g.sure || boxed || len(bars) == 1 || len(bars) <= maxCells && anyEmpty(next, bars)
}

// common gives what is in both of two rising rows of columns.
func common(a, b []int) (out []int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return out
}

// anyEmpty says whether nothing stands between two of the bars.
func anyEmpty(line []byte, bars []int) bool {
	for n := range bars[1:] {
		g := grid{left: bars[n] + 1, right: bars[n+1]}
		if len(bytes.TrimSpace(g.cut(line))) == 0 {
			return true
		}
	}
	return false
}

// gridOfDashes is that of a row in a table with dashes under its head, if the row goes on in
// the next line: its first cell is empty there. The row begins at s.text[from].
func (s *scanner) gridOfDashes(from int, line, next []byte, at int) (g grid, ok bool) {
	if !bytes.ContainsAny(line[:at], " \t") {
		return g, false // it stands in the first cell, as in a list of links
	}
	runs := s.dashesAbove(from)
	if len(runs) < 2 {
		return g, false
	}
	first, column := grid{left: runs[0].start, right: runs[1].start}, columnOf(line, at)
	for n, run := range runs[1:] {
		if run.start <= column {
			g = grid{left: run.start, right: endOfLine, width: run.end - run.start, sure: true}
			if n+2 < len(runs) {
				g.right = runs[n+2].start
			}
		}
	}
	g.goesOn = func(line []byte) bool {
		return len(bytes.TrimSpace(first.cut(line))) == 0 && blankAt(line, g.left-1) && len(bytes.Trim(line, "-=+ \t")) > 0
	}
	return g, g.left > 0 && blankAt(line, g.left-1) && g.goesOn(next)
}

// dashesAbove gives the dashes under the head of a table of which s.text[from] begins a row.
func (s *scanner) dashesAbove(from int) []span {
	text, pos := s.text, from
	defer func() { s.tried(from - pos) }()
	for range maxRows {
		end := pos - 1
		if end < 0 || end < from-lookBack {
			return nil
		}
		pos = lineStart(text, end)
		row := chop(text[pos:end])
		switch {
		case len(bytes.TrimSpace(row)) == 0:
			return nil
		case len(bytes.Trim(row, "-=+ \t")) == 0:
			return dashes(row)
		}
	}
	return nil
}

// dashes gives the stretches of a line that are not blank.
func dashes(line []byte) (runs []span) {
	for _, w := range fields(line, span{0, len(line)}, maxRows) {
		runs = append(runs, span{columnOf(line, w.start), columnOf(line, w.end)})
	}
	return runs
}

// gridOfGaps is that of text in columns without marks between them: wide gaps stand below one another.
func gridOfGaps(before, line, next []byte, at int) (g grid, ok bool) {
	if body := bytes.TrimLeft(line, " \t"); !bytes.Contains(body, []byte("  ")) && bytes.IndexByte(body, '\t') < 0 {
		return g, false // the usual case, and the fast test
	}
	from := at
	for from > 0 && !wideGap(line[:from]) {
		from--
	}
	g = grid{right: endOfLine, gaps: true, need: 2} // nothing says that the lines belong together
	beside := len(bytes.TrimSpace(line[:from])) > 0
	if beside {
		g.left = columnOf(line, from)
	}
	if _, i := nextGap(line, at); i > 0 {
		g.right = columnOf(line, i)
	}
	g.goesOn = func(line []byte) bool { return !beside || gapBefore(line, g.left) }
	cell := g.cut(next)
	text := bytes.TrimLeft(cell, " \t")
	column := columnOf(next, offsetOf(next, g.left)+len(cell)-len(text))
	label := bytes.TrimSpace(next[:offsetOf(next, g.left)])
	switch {
	case !beside && g.right == endOfLine, len(text) == 0, !g.goesOn(next):
		return g, false
	case bytes.HasSuffix(label, []byte(":")), text[0] == ':': // another row, with its label
		return g, false
	case !beside && !g.standsIn(next) && !g.standsIn(before):
		return g, column >= 2 && column == columnOf(line, at) // the line may be a row of two cells
	case beside && g.right == endOfLine && len(label) == 0:
		return g, false // an indent
	}
	return g, !beside || column == g.left || column == columnOf(line, at)
}

// nextGap gives where the next wide gap in line[i:] that text follows begins and ends; 0 for none.
func nextGap(line []byte, i int) (from, to int) {
	for ; i < len(line); i++ {
		if ascii.Blank(line[i]) {
			from, i = i, ascii.Skip(line, i, ascii.Blank)
			if i < len(line) && wideGap(line[:i]) {
				return from, i
			}
		}
	}
	return 0, 0
}

// standsIn says whether a line has text that begins where the column on the right does.
func (g *grid) standsIn(line []byte) bool {
	return !blankAt(line, g.right) && gapBefore(line, g.right)
}

// gapBefore says whether a wide gap stands before a column of a line.
func gapBefore(line []byte, column int) bool {
	return blankAt(line, column-1) && blankAt(line, column-2)
}

// wideGap says whether a line breaks off in front of a column: behind two blanks or a tab.
func wideGap(before []byte) bool {
	return bytes.HasSuffix(before, []byte("  ")) || bytes.HasSuffix(before, []byte("\t"))
}
