package marked

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
)

const maxGrid = 40 // columns of a table whose cells are read one by one

// grid goes through the block cell by cell where it is a grid table (reStructuredText Markup
// Specification, "Grid Tables"), and says whether it is one: a link may go on in the next line of
// its cell, behind what stands in others.
func (w *walker) grid() bool {
	block, column := w.block, w.column
	lines := bytes.SplitAfter(block, []byte{'\n'})
	if column != 1 || !isBorder(lines[0]) {
		return false
	}
	for _, line := range lines {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '|' && line[0] != '+' {
			return false
		}
	}
	w.held = []doc.Found{}
	var columns []int
	for from, i := 0, 0; i <= len(lines); i++ {
		if i < len(lines) && !isBorder(lines[i]) {
			continue
		}
		if from < i {
			w.row(lines[from:i], columns, w.line+from)
		}
		if from = i + 1; i < len(lines) {
			columns = corners(lines[i])
		}
	}
	held := w.held
	w.held, w.block, w.at = nil, block, len(block)
	slices.SortStableFunc(held, func(a, b doc.Found) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	for _, f := range held {
		w.found(f)
	}
	return true
}

// row goes through the cells of a row, which stand between columns; line is its first.
func (w *walker) row(lines [][]byte, columns []int, line int) {
	columns = slices.DeleteFunc(columns, func(c int) bool { // a cell goes over it
		return slices.ContainsFunc(lines, func(l []byte) bool { at := offset(l, c); return at >= len(l) || l[at] != '|' && l[at] != '+' })
	})
	for i := 1; i < len(columns); i++ {
		var cell []byte
		for _, l := range lines {
			from, to := offset(l, columns[i-1])+1, offset(l, columns[i])
			text := l[min(from, to):to]
			if len(bytes.Trim(text, "-=+")) == 0 { // a border inside the row
				text = nil
			}
			cell = append(cell, bytes.Repeat([]byte{' '}, min(from, to))...)
			cell = append(append(cell, bytes.TrimRight(text, " \t")...), '\n')
		}
		w.block, w.at = cell, 0
		w.cursor = textscan.NewCursor(cell, line, 1)
		for kind := range w.pairs {
			w.pairs[kind].known = false
		}
		w.rst()
		w.textTo(len(cell))
		w.text.Flush()
	}
}

// isBorder says whether a line parts the rows of a table.
func isBorder(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 2 && line[0] == '+' && line[len(line)-1] == '+' && len(bytes.Trim(line, "+-=")) == 0 && bytes.Count(line, []byte{'+'}) <= maxGrid
}

// corners are the places of the corners of cells in a border, counted in characters.
func corners(line []byte) (at []int) {
	for i, c := range line {
		if c == '+' {
			at = append(at, i)
		}
	}
	return at
}

// offset is where the nth character of a line begins; its end where there are fewer.
func offset(line []byte, n int) int {
	at := ascii.Skip(line[:min(n, len(line))], 0, func(c byte) bool { return c < utf8.RuneSelf })
	for n -= at; n > 0 && at < len(line); n-- {
		_, size := utf8.DecodeRune(line[at:])
		at += size
	}
	return at
}
