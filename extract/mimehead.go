package extract

import (
	"bytes"
	"mime"
	"net/url"
	"slices"
	"strings"
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
		b = append(b, chop(l.text)...)
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

// mediaType reads a Content-Type more kindly than mime.ParseMediaType: unquoted
// blanks, missing semicolons' values and junk do not spoil the rest. Parameters in
// pieces and with charsets are put together (RFC 2231).
func mediaType(v string) (string, map[string]string) {
	parts := splitParams(v)
	kind := strings.ToLower(strings.TrimSpace(parts[0]))
	kind, _, _ = strings.Cut(kind, " ")
	params := map[string]string{}
	for _, p := range parts[1:] {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			continue
		}
		name, value = strings.ToLower(strings.TrimSpace(name)), unquote(strings.TrimSpace(value))
		encoded := strings.HasSuffix(name, "*")
		name = strings.TrimSuffix(name, "*")
		if encoded {
			value = extended(value)
		}
		if base, _, piece := strings.Cut(name, "*"); piece {
			params[base] += value
		} else if params[name] == "" {
			params[name] = value
		}
	}
	return kind, params
}

// splitParams cuts at semicolons outside of quotes and drops comments.
func splitParams(v string) []string {
	parts, cur, quoted, depth := []string{}, []byte{}, false, 0
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case c == '\\' && i+1 < len(v) && (quoted || depth > 0):
			if depth == 0 {
				cur = append(cur, c, v[i+1])
			}
			i++
		case c == '"' && depth == 0:
			quoted = !quoted
			cur = append(cur, c)
		case quoted:
			cur = append(cur, c)
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth > 0:
		case c == ';':
			parts, cur = append(parts, string(cur)), cur[:0]
		default:
			cur = append(cur, c)
		}
	}
	return append(parts, string(cur))
}

func unquote(s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	var b []byte
	for i := 1; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// extended undoes charset'language'%XX (RFC 2231 section 4), as far as the
// bytes: names of boundaries and charsets are ASCII.
func extended(s string) string {
	if i := strings.IndexByte(s, '\''); i >= 0 {
		if j := strings.IndexByte(s[i+1:], '\''); j >= 0 {
			s = s[i+1+j+1:]
		}
	}
	if t, err := url.PathUnescape(s); err == nil {
		return t
	}
	return s
}
