package textscan

import (
	"bytes"

	"linkcheck/internal/ascii"
)

// joinCell continues h, which ends at tail, with what stands right below it in the same
// column of a table or of text in columns. What else stands on the lines is not of h.
func (s *scanner) joinCell(h hit, tail int) (hit, bool) {
	text := s.text
	word, ruled, ok := cellBelow(text, h.start, tail)
	if !ok || !s.tried(len(word)) {
		return h, false
	}
	j := lineBreak{last: text[tail-1], ref: h.uri, word: word, fits: !ruled, short: true}
	enough := joinScore
	if !ruled {
		enough += 2 // nothing says that the lines belong together
	}
	if tail != h.end || j.score() < enough {
		return h, false
	}
	h.uri += string(word)
	return h, true
}

// cellBelow gives the one word of the cell below the one that a reference begins. ruled
// says that bars part the cells, and that the first one of the row is empty: it goes on
// with the row above.
func cellBelow(text []byte, start, tail int) (word []byte, ruled, ok bool) {
	eol := lineEnd(text, tail)
	col := indentOf(text, start)
	if eol+1 >= len(text) || col < 2 {
		return nil, false, false
	}
	line := bytes.TrimRight(text[eol+1:lineEnd(text, eol+1)], "\r")
	if len(line) <= col || !ascii.Blank(line[col-1]) || ascii.Blank(line[col]) || len(bytes.TrimSpace(line[:col])) == 0 && len(bytes.TrimSpace(text[tail:eol])) == 0 {
		return nil, false, false
	}
	ruled = line[col-2] == '|' && firstCellEmpty(line)
	if !ruled && !ascii.Blank(line[col-2]) || !cellEnds(text[tail:eol], ruled) {
		return nil, false, false
	}
	end := ascii.Skip(line, col, func(c byte) bool { return !ascii.Blank(c) })
	return line[col:end], ruled, cellEnds(line[end:], ruled)
}

// firstCellEmpty says whether nothing stands between the first two bars of a line.
func firstCellEmpty(line []byte) bool {
	line, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t"), []byte("|"))
	cell, _, barred := bytes.Cut(line, []byte("|"))
	return ok && barred && len(bytes.TrimSpace(cell)) == 0
}

// cellEnds says whether a cell ends in front of rest: at a bar, or else at a wide gap or
// the end of the line.
func cellEnds(rest []byte, ruled bool) bool {
	left := bytes.TrimLeft(rest, " \t\r")
	if ruled {
		return len(left) < len(rest) && bytes.HasPrefix(left, []byte("|"))
	}
	return len(left) == 0 || len(rest)-len(left) >= 2
}
