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
	c, ok := cellBelow(text, h.start, tail)
	if !ok || !s.tried(len(c.word)) {
		return h, false
	}
	if !c.ruled {
		if first, room, known := s.columnRoom(h.start, tail); known && c.emptyAt(first) {
			c.ruled, c.sure, c.room = true, true, room
		}
	}
	full := c.sure && c.room == 0
	j := lineBreak{last: text[tail-1], ref: h.uri, word: c.word, fits: !c.ruled || c.sure && len(c.word) <= c.room, short: true, hard: full, cut: full}
	enough := joinScore
	switch {
	case !c.ruled:
		enough += 2 // nothing says that the lines belong together
	case !c.sure:
		enough += 3 // other cells may begin another row
	}
	if tail != h.end || j.score() < enough {
		return h, false
	}
	h.uri += string(c.word)
	return h, true
}

// cell is what stands in a cell below another one.
type cell struct {
	line  []byte
	word  []byte // the one word in it
	ruled bool   // bars or dashes show where cells end
	sure  bool   // and the first one of the row is empty: it goes on with the row above
	room  int    // letters that would have fit above it; negative where that is not known
}

func (c cell) emptyAt(col int) bool { return col < len(c.line) && ascii.Blank(c.line[col]) }

// cellBelow gives the cell below the one that a reference begins. Where it is not sure that the row goes on
// with the one above, another cell must be empty, and the word have had no room above and be no host.
func cellBelow(text []byte, start, tail int) (c cell, ok bool) {
	eol := lineEnd(text, tail)
	col := indentOf(text, start)
	if eol+1 >= len(text) || col < 2 {
		return c, false
	}
	line := bytes.TrimRight(text[eol+1:lineEnd(text, eol+1)], "\r")
	if len(line) <= col || ascii.Blank(line[col]) || len(bytes.TrimSpace(line[:col])) == 0 && len(bytes.TrimSpace(text[tail:eol])) == 0 {
		return c, false
	}
	tight, padded := line[col-1] == '|', line[col-2] == '|' && ascii.Blank(line[col-1])
	c.ruled = tight || padded
	if !c.ruled && !(ascii.Blank(line[col-1]) && ascii.Blank(line[col-2])) || !cellEnds(text[tail:eol], c.ruled) {
		return c, false
	}
	end := ascii.Skip(line, col, func(b byte) bool { return !ascii.Blank(b) && (!c.ruled || b != '|') })
	c.line, c.word, c.sure, c.room = line, line[col:end], c.ruled && firstCellEmpty(line), bytes.IndexByte(text[tail:eol], '|')
	if padded {
		c.room = max(0, c.room-1)
	}
	if c.ruled && !c.sure && (!cellEmpty(line) || len(c.word) <= c.room || ftpHost(hostOf(c.word))) {
		return c, false
	}
	return c, cellEnds(line[end:], c.ruled)
}

// fullCell notes that the reference at start was cut inside a word because it filled the last
// column of a table.
func (s *scanner) fullCell(j *lineBreak, start, tail int) {
	if !j.column || j.indent != 0 || len(j.word) == 0 || !j.midWord() {
		return
	}
	if _, room, known := s.columnRoom(start, tail); known && room == 0 {
		j.hard, j.cut, j.fits = true, true, false
	}
}

const maxRows = 40 // of a table above a reference

// columnRoom is how many letters would have fit behind tail in the column of a table that the
// reference at start begins, by the dashes under its head, which begin at first.
func (s *scanner) columnRoom(start, tail int) (first, room int, known bool) {
	text, from := s.text, lineStart(s.text, start)
	col, low := start-from, max(0, start-lookBack)
	for range maxRows {
		end := from - 1
		if end <= low || known {
			break
		}
		from = max(low, lineStart(text, end))
		line := bytes.TrimRight(text[from:end], "\r")
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
		if len(bytes.Trim(line, "-=+ \t")) > 0 || len(line) <= col || col > 0 && line[col-1] == line[col] {
			continue
		}
		if n := ascii.Skip(line, col, func(b byte) bool { return b == '-' || b == '=' }) - col; n > 2 {
			first, room, known = len(line)-len(bytes.TrimLeft(line, " \t")), max(0, n-(tail-start)), true
		}
	}
	within := s.tried(start - from)
	return first, room, known && within
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
