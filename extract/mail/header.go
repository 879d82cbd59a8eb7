package mail

import (
	"bytes"
	"io"
	"mime"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"linkcheck/extract/doc"
)

const maxHeader = 256 << 10 // bytes of one header that are kept; what follows is passed over

// header is the header of one message or part as it stands.
type header struct {
	raw   []byte
	lines []headerLine
}

// headerLine is where a physical line of the header begins.
type headerLine struct{ off, number int }

// field is one field: the lines of its value, the first without the name.
type field struct {
	name  []byte
	lines []fieldLine
}

type fieldLine struct {
	text           []byte
	number, column int
}

func (h *header) add(line []byte, number int) {
	if len(h.raw)+len(line) > maxHeader {
		return
	}
	h.lines = append(h.lines, headerLine{len(h.raw), number})
	h.raw = append(h.raw, line...)
}

func (h *header) reset() { h.raw, h.lines = h.raw[:0], h.lines[:0] }

// each calls f with every field in order; lines before the first are passed over.
func (h *header) each(f func(field)) {
	var cur field
	for i, l := range h.lines {
		end := len(h.raw)
		if i+1 < len(h.lines) {
			end = h.lines[i+1].off
		}
		text := h.raw[l.off:end]
		if name, ok := fieldName(text); ok {
			if cur.name != nil {
				f(cur)
			}
			skip := bytes.IndexByte(text, ':') + 1
			cur.name, cur.lines = name, append(cur.lines[:0], fieldLine{text[skip:], l.number, skip + 1})
		} else if cur.name != nil {
			cur.lines = append(cur.lines, fieldLine{text, l.number, 1})
		}
	}
	if cur.name != nil {
		f(cur)
	}
}

// is compares the name of a field, which has no case (RFC 5322 section 1.2.2).
func (f field) is(name string) bool {
	return len(f.name) == len(name) && strings.EqualFold(string(f.name), name)
}

// value is the field unfolded, without comments or encodings undone.
func (f field) value() string {
	if len(f.lines) == 1 {
		return string(bytes.TrimSpace(f.lines[0].text))
	}
	var b []byte
	for _, l := range f.lines {
		b = append(b, doc.Chop(l.text)...)
	}
	return string(bytes.TrimSpace(b))
}

// fieldName takes the name of a field off a line that begins one. Blanks before
// the colon are obsolete but real (RFC 5322 section 4.5).
func fieldName(line []byte) ([]byte, bool) {
	i := bytes.IndexByte(line, ':')
	if i <= 0 {
		return nil, false
	}
	name := bytes.TrimRight(line[:i], " \t")
	for _, c := range name {
		if c <= ' ' || c >= 0x7f {
			return nil, false
		}
	}
	return name, len(name) > 0
}

// quietFields hold no links, whatever they look like: identifiers, routes and
// what describes the encoding. Sorted.
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
	name := strings.ToLower(string(f.name))
	_, found := slices.BinarySearch(quietFields, name)
	return found || strings.HasPrefix(name, "content-") || strings.HasPrefix(name, "arc-")
}

// linked says whether a link may stand in the field at all.
func (f field) linked() bool {
	for _, l := range f.lines {
		if bytes.IndexByte(l.text, ':') >= 0 || bytes.Contains(l.text, []byte("www.")) || bytes.Contains(l.text, []byte("=?")) {
			return true
		}
	}
	return false
}

// decodeWords undoes encoded words (RFC 2047).
func decodeWords(s string) string {
	w := mime.WordDecoder{CharsetReader: charsetReader}
	t, err := w.DecodeHeader(s)
	if err != nil {
		return s
	}
	return t
}

// charsetReader decodes by the name of a charset; one nobody knows is read as
// windows-1252, which every byte fits.
func charsetReader(name string, r io.Reader) (io.Reader, error) {
	switch e := doc.LookupCharset(name); {
	case e != nil:
		return e.NewDecoder().Reader(r), nil
	case strings.EqualFold(name, "utf-8"):
		return r, nil
	}
	return charmap.Windows1252.NewDecoder().Reader(r), nil
}
