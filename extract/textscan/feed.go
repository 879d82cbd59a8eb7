package textscan

import (
	"bytes"
	"errors"
	"slices"
	"unicode/utf8"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
	"linkcheck/uri/secret"
)

const feedSize = 256 << 10 // text gathered before it is scanned

// Feed gathers text that arrives in pieces, each with its line and column in the
// file, and gives out the links in it. It holds a bounded window, whatever the
// length of the document or of its lines.
type Feed struct {
	d     *doc.Document // whose budget scanning is charged to
	found func(doc.Found) bool
	buf   []byte
	from  int    // scanned up to here
	marks []mark // where text begins that does not follow in the file on the text before it
	at    int    // marks up to this one are done with
	line  int    // location behind the last byte of buf
	col   int
	more  bool
	room  func(eol int) (letters int, firm bool) // see Measure

	hyphen func(before string, after []byte) bool // see Hyphenated
}

// mark ties an offset in the window to a location in the file.
type mark struct{ off, line, col int }

// NewFeed makes a feed for text of d. found takes each link, in which Line, Column, Raw, URI, How
// and Context are set; it says false when it wants no more.
func NewFeed(d *doc.Document, found func(doc.Found) bool) *Feed {
	return &Feed{d: d, found: found, line: 1, col: 1, more: true}
}

// Cut is the room on a line of those that are cut wherever they are full, be it inside a word.
const Cut = -1

// Measure says that lines are not as long as they have letters: room gives how many letters of
// the next line would have fit on the line that ends at an offset of what was added since the last
// Flush, or Cut; firm: that is measured at other lines. No more than 128 kB are added between two.
func (f *Feed) Measure(room func(eol int) (letters int, firm bool)) { f.room = room }

// Hyphenated says that words may be divided at the ends of lines: hyphen says whether the
// hyphen between what is before it and what is after it was put there.
func (f *Feed) Hyphenated(hyphen func(before string, after []byte) bool) { f.hyphen = hyphen }

// Add takes the next piece of text, which stands in the file from line and column
// on (both from 1; line 0: nowhere). It says false when no more is wanted.
func (f *Feed) Add(b []byte, line, col int) bool {
	if len(b) == 0 {
		return f.more
	}
	if len(f.marks) == 0 || line != f.line || col != f.col {
		f.marks = append(f.marks, mark{len(f.buf), line, col})
		f.line, f.col = line, col
	}
	f.buf = append(f.buf, b...)
	if f.line > 0 {
		f.line, f.col = doc.Advance(b, f.line, f.col)
	}
	if len(f.buf)-f.from >= feedSize+lookAhead {
		f.scan(f.cut(len(f.buf) - lookAhead))
	}
	return f.more
}

// cut moves a limit back to where a line begins, or else a word, so that it parts no
// scheme from its colon.
func (f *Feed) cut(limit int) int {
	near := f.buf[max(f.from, limit-lookBack):limit]
	i := bytes.LastIndexByte(near, '\n')
	if i < 0 {
		i = bytes.LastIndexFunc(near, func(r rune) bool { return r >= utf8.RuneSelf || !ascii.SchemeByte(byte(r)) })
	}
	if i < 0 {
		return limit
	}
	return limit - len(near) + i + 1
}

// Write takes text that goes on where the text before it ended.
func (f *Feed) Write(b []byte) (int, error) {
	if !f.Add(b, f.line, f.col) {
		return 0, errStopped
	}
	return len(b), nil
}

// errStopped says that the caller wants no more; it is never given out.
var errStopped = errors.New("stopped")

// Flush scans what is left; a feed may be used again after it.
func (f *Feed) Flush() bool {
	f.scan(len(f.buf))
	f.buf, f.marks, f.at, f.from = f.buf[:0], f.marks[:0], 0, 0
	return f.more
}

func (f *Feed) scan(limit int) {
	if !f.more || limit <= f.from {
		return
	}
	if f.d.Options.NoText {
		f.from = limit
		f.drop(f.from - lookBack)
		return
	}
	near := nearby{text: f.buf}
	s := scanner{text: f.buf, d: f.d, room: f.room, hyphen: f.hyphen}
	f.from = s.scan(f.from, limit, func(h hit) bool {
		line, col := f.locate(h.start)
		secrets := near.spans(h.start-doc.ContextSize, max(h.end, h.start+2*doc.ContextSize))
		f.more = f.found(doc.Found{
			URI: doc.EscapeOctets(s.unquoted(h)), Raw: string(f.buf[h.start:h.end]), Line: line, Column: col,
			How: h.how, Context: lineAround(f.buf, secrets, h.start, h.end), Torn: len(secrets) > 0 && torn(f.buf, near.sure(h), h),
		})
		return f.more
	})
	f.more = f.more && !s.over
	f.drop(f.from - lookBack)
}

// locate finds line and column of an offset. Offsets come in rising order, so
// the mark before it is moved up to it and nothing is counted twice.
func (f *Feed) locate(off int) (line, col int) {
	for f.at+1 < len(f.marks) && f.marks[f.at+1].off <= off {
		f.at++
	}
	m := &f.marks[f.at]
	if m.line > 0 {
		m.line, m.col = doc.Advance(f.buf[m.off:off], m.line, m.col)
	}
	m.off = off
	return m.line, m.col
}

// drop forgets the first n bytes of the window.
func (f *Feed) drop(n int) {
	if n <= 0 {
		return
	}
	if n > f.marks[f.at].off {
		f.locate(n)
	}
	f.marks, f.at = slices.Delete(f.marks, 0, f.at), 0
	f.buf = f.buf[:copy(f.buf, f.buf[n:])]
	f.from -= n
	for i := range f.marks {
		f.marks[i].off -= n
	}
}

// nearby finds the secrets around references. It is asked with rising positions.
type nearby struct {
	text     []byte
	found    []secret.Span
	from, to int // of the text that was looked at
}

// spans gives the secrets of text[from:to], and perhaps some around it.
func (n *nearby) spans(from, to int) []secret.Span {
	if from < n.from || to > n.to || n.to == 0 {
		ahead := secret.Reach
		if from < n.to {
			ahead *= 8 // references stand close to one another
		}
		n.from, n.to = max(0, from), min(len(n.text), to+ahead-secret.Reach)
		a := max(0, from-secret.Reach)
		n.found = secret.Spans(n.text[a:min(len(n.text), n.to+secret.Reach)])
		for i := range n.found {
			n.found[i].From += a
			n.found[i].To += a
		}
	}
	n.found = secret.From(n.found, from)
	return n.found
}

// sure gives those in and around a reference that end it.
func (n *nearby) sure(h hit) []secret.Span {
	a := max(0, h.start-secret.Reach)
	found := secret.Sure(n.text[a:min(len(n.text), h.end+secret.Reach)])
	for i := range found {
		found[i].From += a
		found[i].To += a
	}
	return found
}

// torn says whether a password begins in a reference and goes on behind it. A reference
// with a password and a host of its own is whole: some address stands behind it.
func torn(text []byte, secrets []secret.Span, h hit) bool {
	for _, s := range secrets {
		switch {
		case s.From > h.end:
			return false
		case s.To <= h.end:
		case s.From <= h.start:
			return secret.EndsSure(h.uri)
		default:
			host := text[s.From:h.end]
			host = host[bytes.LastIndexByte(host, '@')+1:]
			if i := bytes.IndexAny(host, "/?#"); i >= 0 {
				host = host[:i]
			}
			return len(host) == h.end-s.From || bytes.IndexByte(host, '.') < 0
		}
	}
	return false
}

// lineAround is the line that a reference starts on, blanks squeezed, secrets hidden, cut
// to doc.ContextSize.
func lineAround(text []byte, secrets []secret.Span, start, end int) string {
	a := max(0, start-doc.ContextSize/2)
	if i := bytes.LastIndexByte(text[a:start], '\n'); i >= 0 {
		a += i + 1
	}
	z := min(len(text), max(end, a+doc.ContextSize), start+2*doc.ContextSize)
	if i := bytes.IndexByte(text[min(end, z):z], '\n'); i >= 0 {
		z = min(end, z) + i
	}
	for a < start && !utf8.RuneStart(text[a]) {
		a++
	}
	z = a + len(doc.Clip(text[a:], z-a))
	if len(secrets) == 0 {
		return doc.OneLine(string(text[a:z]))
	}
	return doc.OneLine(secret.Cut(text, secrets, a, z))
}

// MayHold says whether a reference may stand in a text at all.
func MayHold(text []byte) bool {
	return bytes.IndexByte(text, ':') >= 0 || bytes.Contains(text, []byte("www.")) || bytes.Contains(text, []byte(anonymous))
}

// Scan gives the links of a text of d that stands at line and column; line 0: nowhere.
func Scan(d *doc.Document, text []byte, line, col int, found func(doc.Found) bool) {
	if !MayHold(text) {
		return
	}
	f := NewFeed(d, found)
	f.Add(text, line, col)
	f.Flush()
}
