package marked

import (
	"bytes"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

const (
	maxBlock = 64 << 10 // bytes of a block; a longer one is read in pieces
	maxNames = 1000     // attributes of a document that are kept
)

// read reads d block by block: no mark reaches over a blank line, but comments.
func read(d *doc.Document, l language) error {
	d.SetCharset("")
	w := &walker{d: d, attributes: map[string]string{}, ignored: map[int]bool{}}
	w.text = textscan.NewFeed(d, w.found)
	lines := d.Lines()
	var inside *fence
	column := 1
	for line, start := range lines.All() {
		if start {
			column = 1
		}
		if inside == nil && start && l.fenced != nil && !w.comment {
			if inside = l.fenced(line, w.lastLine()); inside != nil {
				w.walk(l)
			}
		} else if inside != nil && start && inside.ends(line) {
			inside = nil
			continue
		}
		switch {
		case inside != nil:
			if !inside.hidden && !d.Options.NoCode {
				w.text.Add(line, lines.Number, column)
			}
		case doc.BlankLine(line):
			w.walk(l)
		default:
			if len(w.block)+len(line) > maxBlock {
				w.walk(l)
			}
			w.gather(line, lines.Number, column)
		}
		column += len(line)
	}
	w.walk(l)
	return lines.Err()
}

// gather adds a line to the block at hand.
func (w *walker) gather(line []byte, number, column int) {
	if len(w.block) == 0 {
		w.line, w.column = number, column
	}
	w.block = append(w.block, line...)
	if bytes.Contains(line, ignoreMark) {
		w.ignored[number] = true
	}
}

// lastLine is that of the block at hand; empty where there is none.
func (w *walker) lastLine() []byte {
	b := bytes.TrimRight(w.block, "\r\n")
	return b[bytes.LastIndexByte(b, '\n')+1:]
}

// ignoreMark takes the links of its own line out.
var ignoreMark = []byte("<!-- linkcheck-ignore -->")

// walk goes through the block at hand, after which there is none.
func (w *walker) walk(l language) {
	if len(w.block) > 0 {
		for kind := range w.pairs {
			w.pairs[kind].known = false
		}
		w.cursor, w.at = textscan.NewCursor(w.block, w.line, w.column), 0
		l.walk(w)
		w.textTo(len(w.block))
	}
	w.text.Flush()
	w.block = w.block[:0]
	clear(w.ignored)
}
