package marked

import (
	"bytes"
	"slices"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
)

// How is the word of Found.How for what the marks of a language say is a link.
const How = "markup"

// walker goes through a block and gives it out, piece by piece, as text and links.
type walker struct {
	d    *doc.Document
	text *textscan.Feed

	block        []byte // lines up to a blank one
	line, column int    // of the block
	cursor       textscan.Cursor
	at           int // up to which the block is given out or passed over

	ignored    map[int]bool      // lines of the block whose links are not given
	comment    bool              // the block begins inside a comment
	templates  int               // open ones before the place at hand (wikitext)
	list       bool              // the blocks before are those of a list (Markdown)
	attributes map[string]string // of the document, by name (AsciiDoc)
	expanded   int               // octets of their values that stand in other places
	pairs      [len(brackets) / 2]pairs
	held       []doc.Found // of the cells of a table, which are not in the order of the lines; nil outside
}

// textTo gives the block up to i out as text.
func (w *walker) textTo(i int) {
	if i > w.at {
		line, column := w.cursor.At(w.at)
		w.text.Add(w.block[w.at:i], line, column)
		w.at = i
	}
}

// skip passes over the block from i to next; what stands before is text.
func (w *walker) skip(i, next int) {
	w.textTo(i)
	w.at = max(w.at, next)
}

// put gives out other text in place of the block from i to next.
func (w *walker) put(text string, i, next int) {
	w.textTo(i)
	line, column := w.cursor.At(i)
	w.text.Add([]byte(text), line, column)
	w.at = max(w.at, next)
}

// link gives out the reference ref, which stands in the block from i to end. It says
// whether that is one. context is what a reader sees of the link.
func (w *walker) link(ref string, i, end int, context []byte) bool {
	ref = doc.EscapeOctets(strings.ReplaceAll(doc.WithoutControls(strings.TrimSpace(ref)), " ", "%20"))
	scheme := doc.SchemeOf(ref)
	if ref == "" || ref[0] == '#' || strings.IndexByte(ref, '\\') >= 0 || scheme != "" && scheme != "tel" && scheme != "sms" && !textscan.IsURI(ref) {
		return false
	}
	w.text.Flush()
	line, column := w.cursor.At(i)
	f := doc.Found{URI: doc.Resolve(w.d.Base, ref), Raw: string(w.block[i:end]), Line: line, Column: column, How: How, Leads: true}
	if f.Context = doc.Shown(context, doc.ContextSize); f.Context == "" {
		f.Context = doc.Shown(w.block[i:end], doc.ContextSize)
	}
	return w.found(f)
}

// found gives a link out, unless its line has the mark that says to ignore it.
func (w *walker) found(f doc.Found) bool {
	if w.held != nil && !w.ignored[f.Line] {
		w.held = append(w.held, f)
		return !w.d.Stopped()
	}
	return w.ignored[f.Line] || w.d.Yield(f)
}

// until is the offset of the first of some characters at or behind i; the end of the
// block where there is none.
func (w *walker) until(i int, chars string) int {
	if n := bytes.IndexAny(w.block[i:], chars); n >= 0 {
		return i + n
	}
	return len(w.block)
}

// has says whether s stands at i.
func (w *walker) has(i int, s string) bool { return bytes.HasPrefix(w.block[i:], []byte(s)) }

// find is where s next stands at or behind i; -1 for nowhere.
func (w *walker) find(i int, s string) int {
	if n := bytes.Index(w.block[min(i, len(w.block)):], []byte(s)); n >= 0 {
		return i + n
	}
	return -1
}

// firstOnLine says whether nothing but blanks stands before i on its line.
func (w *walker) firstOnLine(i int) bool {
	for i > 0 && ascii.Blank(w.block[i-1]) {
		i--
	}
	return i == 0 || w.block[i-1] == '\n'
}

// run is until, of what is no longer than an address may be.
func (w *walker) run(i int, chars string) int {
	near := w.block[i:min(len(w.block), i+maxReach)]
	if n := bytes.IndexAny(near, chars); n >= 0 {
		return i + n
	}
	return i + len(near)
}

// maxReach is how far the two ends of a mark may be apart.
const maxReach = 4 << 10

// The brackets whose pairs are known.
const brackets = "[]{}"

// closing is where the bracket at i closes, -1 where it does not; what a backslash stands
// before is no bracket. The pairs of a block are found together, for marks may stand in
// marks.
func (w *walker) closing(i int) int {
	kind := strings.IndexByte(brackets, w.block[i]) / 2
	p := &w.pairs[kind]
	if !p.known {
		p.find(w.block, brackets[2*kind], brackets[2*kind+1])
	}
	if end := int(p.end[i]); end > 0 && end-i < maxReach {
		return end
	}
	return -1
}

// pairs are the brackets of a kind in a block.
type pairs struct {
	known bool
	end   []int32 // by the offset of the opening one; 0: none
	open  []int32
}

// find finds those of b.
func (p *pairs) find(b []byte, open, close byte) {
	p.known = true
	p.end, p.open = slices.Grow(p.end[:0], len(b))[:len(b)], p.open[:0]
	clear(p.end)
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case open:
			p.open = append(p.open, int32(i))
		case close:
			if last := len(p.open) - 1; last >= 0 {
				p.end[p.open[last]] = int32(i)
				p.open = p.open[:last]
			}
		}
	}
}
