package mail

import (
	"bytes"
	"slices"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

const maxEmbeddedHeader = 64 << 10

// embedded looks for messages that stand in the text of another without MIME
// saying so: forwarded ones, bounces, digests (RFC 934, RFC 1153), and what old
// archives left in the body when they cut the header off. Such a message has a
// header of its own, which may say that what follows is quoted-printable.
type embedded struct {
	on       bool   // gathering a header, in message.head
	ready    bool   // a header may begin here: the line before is blank
	boundary []byte // of the line before, where no header declared it
}

// embeddedLine takes a line if it belongs to a header inside the text.
func (m *message) embeddedLine(line []byte, number int, start bool) bool {
	e := &m.embedded
	switch {
	case !e.on && (!start || m.body.coded.on):
		return false
	case !e.on && (e.ready || len(e.boundary) > 0) && m.mayEmbed() && beginsHeader(line):
		e.on = true
		m.head.reset()
		m.head.add(line, number)
		return true
	case !e.on:
		e.ready, e.boundary = doc.BlankLine(line), undeclared(line, e.boundary)
		return false
	case len(m.head.raw) > maxEmbeddedHeader:
	case doc.BlankLine(line):
		if m.head.known() >= 2 {
			m.openEmbedded()
			e.ready = true
			return true
		}
	case !start || isHeaderLine(line):
		m.head.add(line, number)
		return true
	}
	m.replay()
	e.ready = doc.BlankLine(line)
	return false
}

// mayEmbed says whether the leaf at hand is text that may hold a message.
func (m *message) mayEmbed() bool {
	identity := m.body.format == "text" && m.body.leaf.encoding != "quoted-printable" && m.body.leaf.encoding != "base64"
	return (m.top().inText || identity) && len(m.stack) < maxMIMEDeep
}

// beginsHeader recognises the first line of a header by a name that only
// messages have.
func beginsHeader(line []byte) bool {
	if from := bytes.TrimPrefix(line, []byte(">")); isFrom(from) {
		return fromLine(from)
	}
	name, ok := fieldName(line)
	return ok && slices.Contains(mailFields, string(appendLower(nil, name)))
}

// undeclared is the boundary of a line "--boundary" that no header declared, in buf.
func undeclared(line, buf []byte) []byte {
	if len(line) < 8 || line[0] != '-' || line[1] != '-' {
		return buf[:0]
	}
	rest := bytes.TrimRight(line[2:], " \t\r\n")
	if bytes.IndexByte(rest, ' ') >= 0 || bytes.IndexFunc(rest, func(r rune) bool { return r < 0x80 && ascii.Alnum(byte(r)) }) < 0 {
		return buf[:0]
	}
	return append(buf[:0], rest...)
}

// openEmbedded begins the message whose header was gathered. Its siblings do
// not nest: the next one ends it.
func (m *message) openEmbedded() {
	m.embedded.on = false
	if m.top().inText {
		m.closeAbove(len(m.stack) - 2)
	} else {
		m.body.end()
	}
	e := entity{number: m.top().number, base: m.top().base, id: m.top().id, inText: true, firstLine: m.head.lines[0].number}
	if len(m.embedded.boundary) > 0 {
		outer := e
		outer.boundary, outer.state, outer.children = bytes.Clone(m.embedded.boundary), between, 1
		m.embedded.boundary = m.embedded.boundary[:0]
		m.stack = append(m.stack, outer)
	}
	m.stack = append(m.stack, e)
	m.headerDone(m.top())
}

// replay gives lines that turned out to be no header to the body.
func (m *message) replay() {
	if !m.embedded.on {
		return
	}
	m.embedded.on = false
	number := 0
	for _, l := range m.head.lines {
		m.body.line(l.text, l.number, l.number != number)
		number = l.number
	}
	m.head.reset()
}
