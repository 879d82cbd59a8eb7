package extract

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
)

const mboxPeek = 256 << 10 // bodies up to this length are measured against their Content-Length

// sniffMbox recognises a file of messages by its first From_ line.
func sniffMbox(p peek) bool {
	head := bytes.TrimLeft(p.head, "\r\n")
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	return fromLine(line)
}

// readMbox reads the messages of a file in any of the four dialects: mboxo and
// mboxrd quote From_ lines in bodies, mboxcl and mboxcl2 tell the length of each
// body (RFC 4155 and the qmail mbox page). Pipermail's monthly text files are
// mboxo with the address spelt out.
func readMbox(d *doc) error {
	lines := newRawLines(bufio.NewReaderSize(d.in, mboxPeek))
	m := newMessage(d)
	var guarded int64 // bytes up to here belong to the body by its Content-Length
	after := true     // the line before is blank, or there is none
	for {
		line, start, err := lines.next()
		if len(line) == 0 {
			m.end(true)
			return eofIsNil(err)
		}
		if start && lines.read > guarded && isFrom(line) && (after || headerAhead(lines.in)) && fromLine(line) {
			m.end(false)
			m.reset()
			after = false
			continue
		}
		header := m.inFirstHeader()
		m.line(line, lines.number, start)
		after = start && blankLine(line)
		if header && !m.inFirstHeader() {
			guarded = guard(lines, m.length)
		}
		if d.out.stopped {
			return nil
		}
	}
}

func eofIsNil(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func isFrom(line []byte) bool { return bytes.HasPrefix(line, []byte("From ")) }

// fromLine recognises "From a@b Sat Jan  3 01:05:34 1996" and its many kin by
// what all share: a time of day and a year.
func fromLine(line []byte) bool {
	if !isFrom(line) || len(line) > 512 {
		return false
	}
	var clock, year bool
	for _, f := range bytes.Fields(line[5:]) {
		switch {
		case len(f) >= 4 && bytes.IndexByte(f, ':') > 0 && digits(f[:bytes.IndexByte(f, ':')]) && digits(f[len(f)-2:]):
			clock = true
		case len(f) == 4 && digits(f) && (f[0] == '1' || f[0] == '2'):
			year = true
		}
	}
	return clock && year
}

func digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// headerAhead says whether the next line is a header field, so that a From_ line
// without a blank line before it can be believed.
func headerAhead(in *bufio.Reader) bool {
	next, _ := in.Peek(128)
	name, ok := fieldName(next)
	return ok && len(name) > 1 || isFrom(bytes.TrimPrefix(next, []byte(">")))
}

// guard believes a Content-Length only when a From_ line or the end follows the
// body that it measures; 0 is no guard.
func guard(lines *rawLines, length string) int64 {
	n, err := strconv.ParseInt(length, 10, 64)
	if err != nil || n <= 0 || n > mboxPeek-64 {
		return 0
	}
	ahead, err := lines.in.Peek(int(n) + 32)
	if int64(len(ahead)) < n {
		return 0
	}
	rest := bytes.TrimLeft(ahead[n:], "\r\n")
	if isFrom(rest) || err != nil && len(rest) == 0 {
		return lines.read + n
	}
	return 0
}
