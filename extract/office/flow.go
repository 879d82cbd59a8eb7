package office

import (
	"bytes"
	"cmp"
	"strings"
	"unicode/utf8"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

const (
	maxParagraph = 256 << 10 // octets of a paragraph that are searched at once
	maxParaDepth = 64        // paragraphs inside one another, as in text boxes
	maxLinks     = 1000      // links of a paragraph that wait for its end
)

// The values of Found.How that these readers give, beside those of running text.
const (
	howLink    = "hyperlink"
	howField   = "field"
	howFormula = "formula"
)

// flow puts paragraphs together, piece by piece, and gives out their links in order: those
// that are marked, and those in the text between. The text of a link is its context, and
// is not searched. Paragraphs may stand inside one another.
type flow struct {
	d     *doc.Document
	base  string
	feed  *textscan.Feed
	open  []paragraph
	spare []paragraph
	seen  []doc.Found // in the text of a paragraph
	lines bool        // text has its lines in the file

	sink     func(doc.Found) // takes links that stand in no paragraph; nil: they are given out
	aside    string          // where what stands in no paragraph does
	packaged bool            // relative references begin in the package, see resolve
}

// paragraph is one that is being put together.
type paragraph struct {
	text    []byte
	links   []link // in the order of the text
	inside  int    // of links, the one whose text comes; noLink, givenLink
	locator string
	at      doc.Locations // of the text, where flow.lines
}

// Where no link of a paragraph gathers its text: there is none, or it was given out already.
const (
	noLink    = -1
	givenLink = -2
)

// link is a marked link that stands before text[off].
type link struct {
	off   int
	found doc.Found
	text  []byte
}

func newFlow(d *doc.Document) *flow {
	w := &flow{d: d, base: d.Base}
	w.feed = textscan.NewFeed(d, func(f doc.Found) bool { w.seen = append(w.seen, f); return !d.Stopped() })
	return w
}

func (w *flow) top() *paragraph {
	if len(w.open) == 0 {
		return nil
	}
	return &w.open[len(w.open)-1]
}

// begin opens a paragraph. What stands before it in the one around is given out first.
func (w *flow) begin(locator string) {
	if len(w.open) >= maxParaDepth {
		w.end()
	}
	if p := w.top(); p != nil {
		w.give(p)
	}
	var p paragraph
	if n := len(w.spare); n > 0 {
		p, w.spare = w.spare[n-1], w.spare[:n-1]
	}
	p.text, p.links, p.inside, p.locator = p.text[:0], p.links[:0], noLink, locator
	p.at.Reset()
	w.open = append(w.open, p)
}

// end closes the innermost paragraph.
func (w *flow) end() {
	p := w.top()
	if p == nil {
		return
	}
	w.give(p)
	w.spare = append(w.spare, *p)
	w.open = w.open[:len(w.open)-1]
}

// finish closes what is open.
func (w *flow) finish() {
	for len(w.open) > 0 {
		w.end()
	}
}

// add takes the next piece of the innermost paragraph, which stands at line and column;
// text that is in none is not seen. Places where words may break are none of the text.
func (w *flow) add(text []byte, line, col int) {
	for n := breakIn(text); n > 0; n = breakIn(text) {
		w.piece(text[:n], line, col)
		line, col = doc.Advance(text[:n+len(zeroWidth)], line, col)
		text = text[n+len(zeroWidth):]
	}
	w.piece(text, line, col)
}

// zeroWidth is U+200B, a place where a word may break.
const zeroWidth = "\u200b"

// breakIn is where the first such place stands between two characters of ASCII, of which alone
// addresses are made; elsewhere it parts words. 0: nowhere.
func breakIn(text []byte) int {
	for from := 0; ; {
		n := bytes.Index(text[from:], []byte(zeroWidth))
		if n < 0 {
			return 0
		}
		n += from
		from = n + len(zeroWidth)
		if n > 0 && text[n-1] < utf8.RuneSelf && from < len(text) && text[from] < utf8.RuneSelf {
			return n
		}
	}
}

// piece takes the next one.
func (w *flow) piece(text []byte, line, col int) {
	p := w.top()
	switch {
	case p == nil || p.inside == givenLink:
	case p.inside >= 0:
		l := &p.links[p.inside]
		l.text = append(l.text, text[:min(len(text), max(0, 2*doc.ContextSize-len(l.text)))]...)
	default:
		if len(p.text)+len(text) > maxParagraph {
			w.cut(p)
		}
		if w.lines {
			p.at.Add(text, line, col)
		}
		p.text = append(p.text, text...)
	}
}

func (w *flow) addString(s string) { w.add([]byte(s), 0, 0) }

// cut gives out what there is of a long paragraph, but for its last word.
func (w *flow) cut(p *paragraph) {
	last := bytes.LastIndexAny(p.text, " \t\n") + 1
	if w.lines || last < maxParagraph/2 || len(p.links) > 0 && p.links[len(p.links)-1].off > last {
		last = len(p.text)
	}
	rest := bytes.Clone(p.text[last:])
	p.text = p.text[:last]
	w.give(p)
	p.text = append(p.text, rest...)
}

// link notes a link; its text comes until endLink. What is no link to elsewhere is none,
// and link says so.
func (w *flow) link(ref, how, locator string, line, col int) bool {
	raw := strings.TrimSpace(ref)
	ref = cleanRef(raw)
	if ref == "" {
		return false
	}
	p := w.top()
	uri, out := w.resolve(ref)
	if !out {
		return false
	}
	f := doc.Found{URI: uri, Raw: raw, How: how, Line: line, Column: col, Locator: locator, Binary: !w.lines}
	if p == nil {
		f.Locator = cmp.Or(f.Locator, w.aside)
		w.hand(f)
		return true
	}
	if len(p.links) >= maxLinks {
		w.cut(p)
	}
	if p.inside < 0 { // text before it does not go on behind it
		w.addString(" ")
	}
	f.Locator = cmp.Or(f.Locator, p.locator)
	p.links = append(p.links, link{off: len(p.text), found: f})
	p.inside = len(p.links) - 1
	return true
}

// hand gives out a link that stands in no paragraph.
func (w *flow) hand(f doc.Found) {
	if w.sink != nil {
		w.sink(f)
		return
	}
	w.d.Yield(f)
}

// resolve makes a reference absolute. In a package of OpenDocument the package is a folder
// (ISO 26300 part 2 section 3.7): what stands in it is no link.
func (w *flow) resolve(ref string) (uri string, out bool) {
	if !w.packaged || doc.SchemeOf(ref) != "" {
		return doc.Resolve(w.base, ref), true
	}
	if ref[0] != '/' && !strings.HasPrefix(ref, "../") {
		return "", false
	}
	if w.base == "" {
		return "", true
	}
	return doc.Resolve(w.base+"/", ref), true
}

// endLink says that the text of the link is at its end.
func (w *flow) endLink() {
	if p := w.top(); p != nil {
		p.inside = noLink
	}
}

// give gives out the links of a paragraph as far as it is read, and empties it.
func (w *flow) give(p *paragraph) {
	w.seen = w.seen[:0]
	if textscan.MayHold(p.text) {
		w.feed.Add(p.text, 1, 1)
		w.feed.Flush()
	}
	cursor := textscan.NewCursor(p.text, 1, 1)
	seen := w.seen
	for i := range p.links {
		l := &p.links[i]
		line, col := cursor.At(l.off)
		for len(seen) > 0 && cmp.Or(cmp.Compare(seen[0].Line, line), cmp.Compare(seen[0].Column, col)) < 0 {
			w.text(p, seen[0])
			seen = seen[1:]
		}
		l.found.Context = doc.Shown(l.text, doc.ContextSize)
		w.d.Yield(l.found)
	}
	for _, f := range seen {
		w.text(p, f)
	}
	if p.inside >= 0 {
		p.inside = givenLink
	}
	p.text, p.links = p.text[:0], p.links[:0]
	p.at.Reset()
}

// text gives out a link in the text of a paragraph.
func (w *flow) text(p *paragraph, f doc.Found) {
	f.Locator, f.Binary = p.locator, !w.lines
	if w.lines {
		f.Line, f.Column = p.at.Physical(f.Line, f.Column)
	} else {
		f.Line, f.Column = 0, 0
	}
	w.d.Yield(f)
}

// cleanRef is a reference as programs write it into an address; "" where it leads nowhere:
// to a place in the same document, or to a program.
func cleanRef(ref string) string {
	switch doc.SchemeOf(ref) {
	case "javascript", "vbscript", "data", "about", "macro", "vnd.sun.star.script":
		return ""
	}
	if ref == "" || ref[0] == '#' {
		return ""
	}
	return doc.EscapeOctets(strings.ReplaceAll(ref, " ", "%20"))
}
