package textscan

import (
	"bytes"

	"linkcheck/internal/ascii"
)

// joinCell continues h, which ends at tail, with what stands right below it in the same
// column of a table or of text in columns. What else stands on the lines is not of h.
func (s *scanner) joinCell(h hit, tail int) (hit, bool) {
	text := s.text
	if tail == h.end+1 && text[h.end] == '|' { // the cell is full
		tail = h.end
	}
	word, ruled, sure, ok := cellBelow(text, h.start, tail)
	if !ok || !s.tried(len(word)) {
		return h, false
	}
	j := lineBreak{last: text[tail-1], ref: h.uri, word: word, fits: !ruled, short: true}
	enough := joinScore
	switch {
	case !ruled:
		enough += 2 // nothing says that the lines belong together
	case !sure:
		enough += 3 // other cells may begin another row
	}
	if tail != h.end || j.score() < enough {
		return h, false
	}
	h.uri += string(word)
	return h, true
}

// cellBelow gives the one word of the cell below the one that a reference begins. ruled
// says that bars part the cells; sure, that the first one of the row is empty: it goes on
// with the row above. Otherwise another one must be empty, and the word have had no room in the cell above
// and be no host.
func cellBelow(text []byte, start, tail int) (word []byte, ruled, sure, ok bool) {
	eol := lineEnd(text, tail)
	col := indentOf(text, start)
	if eol+1 >= len(text) || col < 2 {
		return nil, false, false, false
	}
	line := bytes.TrimRight(text[eol+1:lineEnd(text, eol+1)], "\r")
	if len(line) <= col || !ascii.Blank(line[col-1]) || ascii.Blank(line[col]) || len(bytes.TrimSpace(line[:col])) == 0 && len(bytes.TrimSpace(text[tail:eol])) == 0 {
		return nil, false, false, false
	}
	ruled = line[col-2] == '|'
	if !ruled && !ascii.Blank(line[col-2]) || !cellEnds(text[tail:eol], ruled) {
		return nil, false, false, false
	}
	end := ascii.Skip(line, col, func(c byte) bool { return !ascii.Blank(c) && (!ruled || c != '|') })
	word, sure = line[col:end], ruled && firstCellEmpty(line)
	if ruled && !sure && (!cellEmpty(line) || len(word) <= bytes.IndexByte(text[tail:eol], '|') || ftpHost(hostOf(word))) {
		return nil, false, false, false
	}
	return word, ruled, sure, cellEnds(line[end:], ruled)
}

// firstCellEmpty says whether nothing stands between the first two bars of a line.
func firstCellEmpty(line []byte) bool {
	line, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t"), []byte("|"))
	cell, _, barred := bytes.Cut(line, []byte("|"))
	return ok && barred && len(bytes.TrimSpace(cell)) == 0
}

// cellEmpty says whether nothing stands between two bars of a line.
func cellEmpty(line []byte) bool {
	_, line, _ = bytes.Cut(line, []byte("|"))
	for cell, rest, barred := bytes.Cut(line, []byte("|")); barred; cell, rest, barred = bytes.Cut(rest, []byte("|")) {
		if len(bytes.TrimSpace(cell)) == 0 {
			return true
		}
	}
	return false
}

// cellEnds says whether a cell ends in front of rest: at a bar, or else at a wide gap or
// the end of the line.
func cellEnds(rest []byte, ruled bool) bool {
	left := bytes.TrimLeft(rest, " \t\r")
	if ruled {
		return bytes.HasPrefix(left, []byte("|"))
	}
	return len(left) == 0 || len(rest)-len(left) >= 2
}
