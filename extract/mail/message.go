package mail

import (
	"bytes"
	"cmp"
	"errors"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
)

const (
	maxParts    = 10000 // parts of one message that are read as such
	maxMIMEDeep = 32    // parts inside one another
)

var (
	errNoBoundary = errors.New("multipart without a boundary: read as text")
	errNoPart     = errors.New("multipart in which its boundary never stands: read as text")
	errUnclosed   = errors.New("multipart that ends before its last boundary")
	errDeepMIME   = errors.New("parts nested too deep: read as text")
)

const (
	inHeader state = iota
	inBody         // of a leaf: goes to the decoder
	between        // before the first part of a multipart, or after its last
)

// message takes the lines of one message one by one and gives out its links. A line
// is compared with the boundaries of all open entities first; then it belongs to
// the header or the body of the innermost.
type message struct {
	d        *doc.Document
	id       string // Message-ID without its brackets
	length   string // Content-Length of the message itself
	title    string
	date     string // of the message itself
	stack    []entity
	head     header
	body     body
	fields   *textscan.Feed
	embedded embedded
	parts    int
	damaged  bool // damage of this message was given out
}

func newMessage(d *doc.Document) *message {
	d.AssumeWindows1252()
	m := &message{d: d}
	m.fields = textscan.NewFeed(d, m.headerLink)
	m.body = body{m: m, text: textscan.NewFeed(d, func(f doc.Found) bool { return m.found(f, "") })}
	m.reset()
	return m
}

// reset makes m ready for the next message.
func (m *message) reset() {
	m.id, m.length, m.title, m.date, m.parts, m.damaged = "", "", "", "", 0, false
	m.stack = append(m.stack[:0], entity{base: m.d.Base})
	m.head.reset()
	m.embedded = embedded{boundary: m.embedded.boundary[:0]}
}

// inFirstHeader says whether the next line belongs to the header of the message itself.
func (m *message) inFirstHeader() bool { return len(m.stack) == 1 && m.stack[0].state == inHeader }

// line takes the next physical line, or a piece of one that does not start it.
func (m *message) line(line []byte, number int, start bool) {
	if start && len(line) > 2 && line[0] == '-' && line[1] == '-' && m.delimiter(line, number) {
		return
	}
	if e := m.top(); e.state == inHeader {
		m.headerLine(e, line, number, start)
	} else if !m.embeddedLine(line, number, start) {
		m.body.line(line, number, start)
	}
}

// delimiter looks for the boundary of any open multipart; the innermost wins.
// One that stands further out ends all inside it, closed or not.
func (m *message) delimiter(line []byte, number int) bool {
	for i := len(m.stack) - 1; i >= 0; i-- {
		last, ok := matches(line, m.stack[i].boundary)
		if !ok {
			continue
		}
		m.closeAbove(i)
		e := &m.stack[i]
		if last {
			e.closed, e.state = true, between
			m.body.begin(leaf{kind: "text/plain"}, e) // lists put their footers here
			return true
		}
		e.children++
		m.parts++
		m.d.Tried(1)
		m.open(entity{number: strings.TrimPrefix(e.number+"."+strconv.Itoa(e.children), "."), firstLine: number, base: e.base, id: e.id})
		return true
	}
	return false
}

// matches compares a line with --boundary or --boundary--, blanks may follow.
func matches(line, boundary []byte) (last, ok bool) {
	if len(boundary) == 0 || !bytes.HasPrefix(line[2:], boundary) {
		return false, false
	}
	rest := line[2+len(boundary):]
	if doc.BlankLine(rest) {
		return false, true
	}
	return true, bytes.HasPrefix(rest, []byte("--")) && doc.BlankLine(rest[2:])
}

// closeAbove ends every entity inside stack[i], and the text of stack[i] itself.
func (m *message) closeAbove(i int) {
	m.replay()
	if top := m.top(); top.state == inHeader && len(m.head.lines) > 0 {
		m.headerDone(top)
	}
	m.body.end()
	m.stack = m.stack[:i+1]
}

// headerLine takes a line of a header, or finds that the body begins without a
// blank line before it.
func (m *message) headerLine(e *entity, line []byte, number int, start bool) {
	e.firstLine = cmp.Or(e.firstLine, number)
	first := len(m.head.lines) == 0
	switch {
	case !start:
		m.head.add(line, number)
	case doc.BlankLine(line):
		if len(m.stack) > 1 || !first { // else it stands before the message
			m.headerDone(e)
		}
	case isHeaderLine(line) || first && isFrom(bytes.TrimPrefix(line, []byte(">"))):
		m.head.add(line, number)
	default:
		m.headerDone(e)
		m.line(line, number, start)
	}
}

// end closes the message. With atEnd the file ends here too: a multipart that is
// still open was cut off.
func (m *message) end(atEnd bool) {
	open, begun := m.missing(), m.stack[0].firstLine
	m.closeAbove(0)
	if e := &m.stack[0]; e.state == inHeader && len(m.head.lines) > 0 {
		m.headerDone(e)
		m.body.end()
	}
	if open != nil && (atEnd || open != errUnclosed) {
		m.damage(begun, open)
	}
}

// missing is the error of the outermost multipart that is not closed; nil for none.
func (m *message) missing() error {
	for i := range m.stack {
		switch e := &m.stack[i]; {
		case len(e.boundary) == 0 || e.closed || e.inText:
		case e.children == 0:
			return errNoPart
		default:
			return errUnclosed
		}
	}
	return nil
}

// ReadMessage reads one message: an article of a spool, a file of MH or Maildir.
func ReadMessage(d *doc.Document) error {
	lines, m := d.Lines(), newMessage(d)
	for line, start := range lines.All() {
		m.line(line, lines.Number, start)
	}
	m.end(true)
	return lines.Err()
}

// SniffMessage recognises a header that only mail and news have.
func SniffMessage(p doc.Peek) bool {
	var h header
	for line := range bytes.Lines(p.Head) {
		if line[len(line)-1] != '\n' || doc.BlankLine(line) || !isHeaderLine(line) || h.lines == nil && ascii.Blank(line[0]) {
			break
		}
		h.add(line, 1)
	}
	known := h.known()
	return known >= 2 || known == 1 && p.Named(".eml", ".msg")
}
