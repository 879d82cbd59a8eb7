package mail

import (
	"bytes"
	"io"
	"mime"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

const maxHeader = 256 << 10 // bytes of one header that are read; what follows is passed over

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

// text is physical line i with its terminator.
func (h *header) text(i int) []byte {
	if i+1 < len(h.lines) {
		return h.raw[h.lines[i].off:h.lines[i+1].off]
	}
	return h.raw[h.lines[i].off:]
}

func (h *header) reset() { h.raw, h.lines = h.raw[:0], h.lines[:0] }

// each calls f with every field in order; lines before the first are passed over.
func (h *header) each(f func(field)) {
	var cur field
	for i, l := range h.lines {
		text := h.text(i)
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

// fieldName is the name of the field that a line begins. Blanks before
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

// goesOn says whether a line that is not blank may stand in a header: it begins a
// field or goes on with one.
func goesOn(line []byte) bool {
	_, ok := fieldName(line)
	return ok || ascii.Blank(line[0])
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
	return slices.ContainsFunc(f.lines, func(l fieldLine) bool {
		return bytes.IndexByte(l.text, ':') >= 0 || bytes.Contains(l.text, []byte("www.")) || bytes.Contains(l.text, []byte("=?"))
	})
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

// lineOf is the physical line of the header on which one of the words stands first.
func (h *header) lineOf(words ...string) int {
	for i, l := range h.lines {
		for _, w := range words {
			if w != "" && bytes.Contains(h.text(i), []byte(w)) {
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

// mailField says whether a header is known for one by this field.
func mailField(name []byte) bool {
	return slices.ContainsFunc(mailFields, func(f string) bool { return len(f) == len(name) && strings.EqualFold(f, string(name)) })
}

// mailFields are the names by which a header is known for one.
var mailFields = []string{
	"From", "To", "Subject", "Date", "Message-ID", "Received", "Newsgroups", "Path", "Return-Path",
	"MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Reply-To", "Cc", "Article-I.D.", "References", "In-Reply-To",
	"Content-ID", "Content-Disposition", "Sender", "Resent-From",
}

// known counts the fields that only messages have.
func (h *header) known() (n int) {
	h.each(func(f field) {
		if mailField(f.name) {
			n++
		}
	})
	return n
}

// typed says whether the header has a media type.
func (h *header) typed() (ok bool) {
	h.each(func(f field) {
		ok = ok || f.is("Content-Type") && strings.Contains(f.value(), "/")
	})
	return ok
}
