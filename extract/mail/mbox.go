package mail

import (
	"bufio"
	"bytes"
	"strconv"

	"linkcheck/extract/doc"
)

const peekTried = 4 << 10 // bytes that are moved in a buffer in the time of a candidate

const mboxPeek = 256 << 10 // bodies up to this length are measured against their Content-Length

// SniffMbox recognises a file of messages by its first From_ line.
func SniffMbox(p doc.Peek) bool {
	head := bytes.TrimLeft(p.Head, "\r\n")
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	return fromLine(line)
}

// ReadMbox reads the messages of a file in any of the four dialects: mboxo and
// mboxrd quote From_ lines in bodies, mboxcl and mboxcl2 give the length of each
// body (RFC 4155 and the qmail mbox page). The monthly text files of Pipermail are
// mboxo with "at" for "@". Damage to one message must not cost the next one, so
// nothing is trusted that does not lead to a From_ line.
func ReadMbox(d *doc.Document) error {
	in, _ := d.Spare["mbox"].(*bufio.Reader)
	if in == nil {
		in = bufio.NewReaderSize(nil, mboxPeek)
	}
	delete(d.Spare, "mbox") // a mailbox within this one needs another
	defer func() { d.Spare["mbox"] = in }()
	in.Reset(d.In)
	d.In = in
	lines := d.Lines()
	m := newMessage(d)
	var bodyEnd int64 // by a Content-Length that is right; 0: not known
	after := true     // the line before is blank, or there is none
	for line, start := range lines.All() {
		if start && lines.End > bodyEnd && isFrom(line) && (after || headerAhead(d.In)) && fromLine(line) {
			m.end(false)
			m.reset()
			after = false
			continue
		}
		header := m.inFirstHeader()
		m.line(line, lines.Number, start)
		after = start && doc.BlankLine(line)
		if header && !m.inFirstHeader() {
			bodyEnd = endByLength(d, lines.End, m.length)
		}
	}
	m.end(true)
	return lines.Err()
}

// headerAhead says whether the next line is a header field, so that a From_ line
// without a blank line before it can be believed.
func headerAhead(in *bufio.Reader) bool {
	next, _ := in.Peek(128)
	name, ok := fieldName(next)
	return ok && len(name) > 1 || isFrom(bytes.TrimPrefix(next, []byte(">")))
}

// endByLength is the end of a body by its Content-Length, 0 where neither a From_
// line nor the end of the file follows there.
func endByLength(d *doc.Document, end int64, length string) int64 {
	n, err := strconv.ParseInt(length, 10, 64)
	if err != nil || n <= 0 || n > mboxPeek-64 {
		return 0
	}
	d.Tried(int(n) / peekTried) // each message may move the whole buffer
	ahead, err := d.In.Peek(int(n) + 32)
	if int64(len(ahead)) < n {
		return 0
	}
	rest := bytes.TrimLeft(ahead[n:], "\r\n")
	if isFrom(rest) || err != nil && len(rest) == 0 {
		return end + n
	}
	return 0
}
