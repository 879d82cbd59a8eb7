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

// walkRST goes through a block of reStructuredText, through grid tables in it cell by cell
// (reStructuredText Markup Specification, "Grid Tables"): a link may go on in the next line of its
// cell, behind what stands in others.
func walkRST(w *walker) {
	block := w.block
	lines := bytes.SplitAfter(block, []byte{'\n'})
	if w.column != 1 || !slices.ContainsFunc(lines, isBorder) {
		w.rst()
		return
	}
	w.held = []doc.Found{}
	var columns []int // of the row at hand; none outside of tables
	from := 0
	for i, line := range append(lines, nil) {
		border := isBorder(line)
		if i < len(lines) && !border && (len(columns) == 0 || bytes.IndexByte([]byte("|+"), firstByte(line)) >= 0) {
			continue
		}
		w.row(lines[from:i], columns, w.line+from)
		if from, columns = i, nil; border {
			from, columns = i+1, corners(line)
		}
	}
	held := w.held
	w.held, w.block, w.at = nil, block, len(block)
	slices.SortStableFunc(held, func(a, b doc.Found) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	for _, f := range held {
		w.found(f)
	}
}

// row goes through the cells of a row, which stand between columns, or through lines of text where
// it is none; line is its first.
func (w *walker) row(lines [][]byte, columns []int, line int) {
	cells := slices.DeleteFunc(slices.Clone(columns), func(c int) bool { // a cell goes over it
		return slices.ContainsFunc(lines, func(l []byte) bool { at := offset(l, c); return at >= len(l) || l[at] != '|' && l[at] != '+' })
	})
	if len(cells) < 2 || cells[0] != columns[0] || cells[len(cells)-1] != columns[len(columns)-1] {
		w.part(bytes.Join(lines, nil), line)
		return
	}
	for i := 1; i < len(cells); i++ {
		w.part(cell(lines, cells[i-1], cells[i]), line)
	}
}

// cell is what stands between two columns, with blanks for what stands before.
func cell(lines [][]byte, left, right int) (text []byte) {
	for _, l := range lines {
		from := offset(l, left) + 1
		piece := bytes.TrimRight(l[from:max(from, offset(l, right))], " \t")
		if len(bytes.Trim(piece, "-=+")) == 0 { // a border inside the row
			piece = nil
		}
		text = append(append(append(text, bytes.Repeat([]byte{' '}, from)...), piece...), '\n')
	}
	return text
}

// part goes through a part of the block.
func (w *walker) part(text []byte, line int) {
	for kind := range w.pairs {
		w.pairs[kind].known = false
	}
	w.block, w.at, w.cursor = text, 0, textscan.NewCursor(text, line, 1)
	w.rst()
	w.textTo(len(text))
	w.text.Flush()
}

// firstByte is that of a line behind its blanks; 0 where there is none.
func firstByte(line []byte) byte {
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return 0
	}
	return line[0]
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
