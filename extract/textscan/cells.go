package textscan

import (
	"bytes"
	"cmp"

	"linkcheck/internal/ascii"
)

// block is a cell of a table, or a column of text beside another one: a text of its own, in
// which references go on from line to line as they do elsewhere.
type block struct {
	text  []byte // its lines, from that on which a reference stands
	at    int    // where the first byte of it stands in the text around
	width int    // letters that a line of it holds
	sure  bool   // the first cells of the lines below are empty: they go on with the row above
	need  int    // evidence that is wanted beyond joinScore
}

const (
	maxBlock = 6   // lines of a block
	maxRows  = 40  // of a table above a reference
	maxRow   = 512 // octets of one
	maxCells = 16  // of one, if any may be empty
)

// joinBlock continues h, found at the colon text[at], with what stands right below it in its
// block. What else stands on the lines is not of h.
func (s *scanner) joinBlock(h hit, from, at int) hit {
	if s.block != nil || !s.endsCell(h) {
		return h
	}
	b, ok := s.blockAt(h.start)
	if !ok || !s.tried(len(b.text)) {
		return h
	}
	sub := scanner{text: b.text, d: s.d, room: b.room, hyphen: s.hyphen, block: &b}
	longer, ok := sub.hitAt(max(0, from-b.at), at-b.at)
	s.over = s.over || sub.over
	eol := lineEnd(b.text, 0)
	if !ok || longer.start+b.at != h.start || longer.end <= eol && !b.sure {
		return h
	}
	return hit{start: h.start, end: b.at + min(eol, longer.end), uri: longer.uri, how: longer.how}
}

// endsCell says whether nothing stands in the cell of h behind its first word, if it is in one.
func (s *scanner) endsCell(h hit) bool {
	eol := lineEnd(s.text, h.start)
	end := ascii.Skip(s.text[:min(h.end, eol)], h.start, func(c byte) bool { return !ascii.Blank(c) })
	rest := s.text[end:eol]
	if i := bytes.IndexByte(rest, ' '); i >= 0 && i+1 < len(rest) && bytes.IndexByte(rest[:i], '|') < 0 {
		if next := rest[i+1:]; !ascii.Blank(next[0]) && barAt(next, 0) == 0 && !schemeAhead(next) {
			return s.hangs(h.start, eol) // the cell is full, and the next one begins
		}
	}
	return len(rest) == 0 || bytes.IndexByte([]byte(">\")]}'"), rest[0]) < 0
}

// hangs says whether text stands before start in its line, which ends at eol, and none in the
// next line up to there.
func (s *scanner) hangs(start, eol int) bool {
	from, next := lineStart(s.text, start), min(eol+1, len(s.text))
	return len(bytes.TrimSpace(s.text[from:start])) > 0 && ascii.Skip(s.text, next, ascii.Blank)-next >= start-from
}

// room is how many letters would have fit on the line of the block that ends at eol. They are letters
// of text, and not measured.
func (b *block) room(eol int) (letters int, firm bool) {
	line := b.text[lineStart(b.text, eol):eol]
	room := b.width - columnOf(line, len(line))
	if room <= 0 && b.sure {
		return Cut, false
	}
	return max(0, room), false
}

// blockAt gives the block in which a reference begins at start, if one goes on in the next line.
func (s *scanner) blockAt(start int) (block, bool) {
	text := s.text
	from, eol := lineStart(text, start), lineEnd(text, start)
	if eol+1 >= len(text) || text[eol] != '\n' {
		return block{}, false
	}
	line, next := chop(text[from:eol]), chop(text[eol+1:lineEnd(text, eol+1)])
	if len(line) > maxRow || len(next) > maxRow || len(bytes.TrimSpace(next)) == 0 || !s.tried(len(line)+len(next)) {
		return block{}, false
	}
	g, ok := gridOfBars(line, next, start-from)
	if !ok {
		g, ok = s.gridOfDashes(from, line, next, start-from)
	}
	if !ok {
		g, ok = gridOfGaps(chop(text[lineStart(text, max(0, from-1)):max(0, from-1)]), line, next, start-from)
	}
	if !ok {
		return block{}, false
	}
	b := block{at: from + offsetOf(line, g.left), width: g.width, sure: g.sure, need: g.need}
	first := g.cut(line)
	b.text = append(b.text, first...)
	longest := columnOf(first, len(first))
	for range maxBlock - 1 {
		row := g.cut(next)
		if !g.goesOn(next) || len(bytes.TrimSpace(row)) == 0 {
			break
		}
		b.text = append(append(b.text, '\n'), row...)
		longest = max(longest, columnOf(row, len(row)))
		if eol = lineEnd(text, eol+1); eol+1 >= len(text) || text[eol] != '\n' {
			break
		}
		next = chop(text[eol+1 : lineEnd(text, eol+1)])
	}
	b.width = cmp.Or(b.width, longest)
	return b, g.sure || len(b.text) > len(first)
}
