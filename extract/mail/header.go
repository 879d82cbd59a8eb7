package mail

import (
	"bytes"
	"io"
	"iter"
	"mime"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

const maxValue = 8 << 10 // bytes of the value of a field that says something of the message; RFC 5322 has lines of 998

const maxHeader = 256 << 10 // bytes of one header that are read; what follows is passed over

// header is the header of one message or part as it stands.
type header struct {
	raw   []byte // holds the text of all lines
	lines []headerLine
}

// headerLine is a physical line of a header with its terminator, or what of it
// belongs to the value of a field.
type headerLine struct {
	text           []byte
	number, column int
}

// field is one field: its name in lower case, since names have no case (RFC 5322
// section 1.2.2), and the lines of its value, the first without the name.
type field struct {
	name  []byte
	lines []headerLine
}

func (h *header) add(line []byte, number int) {
	n := len(h.raw)
	if n+len(line) > maxHeader {
		return
	}
	h.raw = append(h.raw, line...)
	h.lines = append(h.lines, headerLine{h.raw[n:], number, 1})
}

func (h *header) reset() { h.raw, h.lines = h.raw[:0], h.lines[:0] }

// fields gives every field in order; lines before the first are passed over. A
// field is good until the next one.
func (h *header) fields() iter.Seq[field] {
	return func(yield func(field) bool) {
		var f field
		for _, l := range h.lines {
			name, ok := fieldName(l.text)
			if !ok {
				f.lines = append(f.lines, l)
				continue
			}
			if len(f.name) > 0 && !yield(f) {
				return
			}
			l.column = bytes.IndexByte(l.text, ':') + 2
			l.text = l.text[l.column-1:]
			f = field{appendLower(f.name[:0], name), append(f.lines[:0], l)}
		}
		if len(f.name) > 0 {
			yield(f)
		}
	}
}

// appendLower appends a name in lower case; names are ASCII. Headers have so many
// that a string for each would cost a tenth of the reading of mail.
func appendLower(buf, name []byte) []byte {
	for _, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf = append(buf, c)
	}
	return buf
}

// value is the field unfolded, without comments or encodings undone; what is behind
// maxValue is left out.
func (f field) value() string {
	var b []byte
	for _, l := range f.lines {
		if b = append(b, doc.Chop(l.text)...); len(b) > maxValue {
			break
		}
	}
	return string(bytes.TrimSpace(doc.Clip(b, maxValue)))
}

// fieldName is the name of the field that a line begins. Blanks before
// the colon are obsolete but real (RFC 5322 section 4.5).
func fieldName(line []byte) ([]byte, bool) {
	i := bytes.IndexByte(line, ':')
	if i <= 0 {
		return nil, false
	}
	name := bytes.TrimRight(line[:i], " \t")
	return name, len(name) > 0 && ascii.Skip(name, 0, func(c byte) bool { return c > ' ' && c < 0x7f }) == len(name)
}

// isHeaderLine says whether a line that is not blank may stand in a header: it begins
// a field or continues one.
func isHeaderLine(line []byte) bool {
	_, ok := fieldName(line)
	return ok || ascii.Blank(line[0])
}

// quietFields hold no links, whatever they look like: identifiers, routes and
// what describes the encoding.
var quietFields = []string{
	"archive-name", "authentication-results", "cancel-lock", "date",
	"delivered-to", "distribution", "dkim-signature", "domainkey-signature", "expires", "followup-to",
	"injection-info", "lines", "message-id", "mime-version", "newsgroups",
	"nntp-posting-date", "nntp-posting-host", "original-message-id", "path", "references",
	"relay-version", "resent-date", "resent-message-id", "return-path", "status", "supersedes",
	"x-article-creation-date", "x-complaints-to", "x-message-id", "x-newsgroups",
	"x-original-message-id", "x-spam-status", "x-trace", "x-uidl", "xref",
}

// quiet says whether the field may not be searched for links.
func (f field) quiet() bool {
	return bytes.HasPrefix(f.name, []byte("content-")) || bytes.HasPrefix(f.name, []byte("arc-")) || slices.Contains(quietFields, string(f.name))
}

// linked says whether a link may stand in the field at all.
func (f field) linked() bool {
	return slices.ContainsFunc(f.lines, func(l headerLine) bool {
		return bytes.IndexByte(l.text, ':') >= 0 || bytes.Contains(l.text, []byte("www.")) || bytes.Contains(l.text, []byte("=?"))
	})
}

// decodeWords undoes encoded words (RFC 2047).
func (m *message) decodeWords(s string) string {
	if !m.d.Tried(strings.Count(s, "=?")) {
		return s
	}
	w := mime.WordDecoder{CharsetReader: charsetReader}
	t, err := w.DecodeHeader(s)
	if err != nil {
		return s
	}
	return t
}

// charsetReader decodes by the name of a charset; one nobody knows is read as
// windows-1252, which every byte fits. A word is short: a reader that decodes as it
// goes would take more memory for buffers than for words.
func charsetReader(name string, r io.Reader) (io.Reader, error) {
	word, err := io.ReadAll(r)
	if err != nil || strings.EqualFold(name, "utf-8") {
		return bytes.NewReader(word), err
	}
	e := doc.LookupCharset(name)
	if e == nil {
		e = charmap.Windows1252
	}
	text, err := e.NewDecoder().Bytes(word)
	return bytes.NewReader(text), err
}

// lineOf is the number of the first line of the header that holds one of the words; 0
// where none does.
func (h *header) lineOf(words ...string) int {
	for _, l := range h.lines {
		for _, w := range words {
			if w != "" && bytes.Contains(l.text, []byte(w)) {
				return l.number
			}
		}
	}
	return 0
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
		case len(f) >= 4 && bytes.IndexByte(f, ':') > 0 && ascii.Digits(f[:bytes.IndexByte(f, ':')]) && ascii.Digits(f[len(f)-2:]):
			clock = true
		case len(f) == 4 && ascii.Digits(f) && (f[0] == '1' || f[0] == '2'):
			year = true
		}
	}
	return clock && year
}

// mailFields are the names by which a header is known for that of a message.
var mailFields = []string{
	"from", "to", "subject", "date", "message-id", "received", "newsgroups", "path", "return-path",
	"mime-version", "content-type", "content-transfer-encoding", "reply-to", "cc", "article-i.d.", "references", "in-reply-to",
	"content-id", "content-disposition", "sender", "resent-from",
}

// known counts the fields that only messages have. A media type counts for two: it
// is enough by itself.
func (h *header) known() (n int) {
	for f := range h.fields() {
		if slices.Contains(mailFields, string(f.name)) {
			n++
		}
		if string(f.name) == "content-type" && strings.Contains(f.value(), "/") {
			n++
		}
	}
	return n
}
