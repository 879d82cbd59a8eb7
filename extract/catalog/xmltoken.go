package catalog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

// xmlKind is the kind of a token.
type xmlKind uint8

const (
	xmlText xmlKind = iota // also CDATA
	xmlStart
	xmlEnd
	xmlComment
	xmlOther // declarations, processing instructions, document types
)

const (
	maxHeldText = 1 << 20 // bytes of one token or string that are held
	maxEntity   = 40      // bytes of a character reference
)

const maxTag = 64 << 10 // bytes of a tag whose quotes do not close

const cdataOpen = "<![CDATA["

var errXMLCut = errors.New("XML ends inside a tag")

// xmlTokens splits XML into tokens, well formed or not: encoding/xml stops at a raw
// ampersand or a missing end tag, which are common in records, and one must not
// cost the rest of the file. Its fields are good until the next token.
type xmlTokens struct {
	in        *bufio.Reader
	raw       []byte
	kind      xmlKind
	name      string // of a tag, with its prefix
	empty     bool   // <name/>
	text      []byte // of text undecoded, of a comment what is in it
	literal   bool   // text is CDATA
	line, col int    // of the token
	nextLine  int
	nextCol   int
	err       error // io.EOF at the end
}

func newXMLTokens(in *bufio.Reader) *xmlTokens { return &xmlTokens{in: in, nextLine: 1, nextCol: 1} }

// next goes to the next token; false at the end.
func (t *xmlTokens) next() bool {
	t.raw, t.empty, t.literal = t.raw[:0], false, false
	t.line, t.col = t.nextLine, t.nextCol
	head, err := t.in.Peek(9)
	if len(head) == 0 {
		if t.err == nil {
			t.err = err
		}
		return false
	}
	switch {
	case head[0] != '<':
		t.untilMarkup()
		t.kind, t.text = xmlText, t.raw
	case bytes.HasPrefix(head, []byte("<!--")):
		t.until("-->", 4)
		t.kind, t.text = xmlComment, t.inside("<!--", "-->")
	case bytes.HasPrefix(head, []byte(cdataOpen)):
		t.until("]]>", len(cdataOpen))
		t.kind, t.literal, t.text = xmlText, true, t.inside(cdataOpen, "]]>")
	case bytes.HasPrefix(head, []byte("<?")):
		t.until("?>", 2)
		t.kind = xmlOther
	case bytes.HasPrefix(head, []byte("<!")):
		t.docType()
		t.kind = xmlOther
	case len(head) > 1 && (head[1] == '/' || head[1] == '_' || ascii.Letter(head[1]) || head[1] >= 0x80):
		t.tag()
	case bytes.HasPrefix(head, []byte("<<")): // all but the last of them are text
		t.lessThans()
		t.kind, t.text = xmlText, t.raw
	default: // a bare < in text
		t.raw = append(t.raw, '<')
		t.in.Discard(1)
		t.untilMarkup()
		t.kind, t.text = xmlText, t.raw
	}
	t.nextLine, t.nextCol = doc.Advance(t.raw, t.line, t.col)
	return true
}

// lessThans reads what is buffered of a run of <, but for its last.
func (t *xmlTokens) lessThans() {
	buffered, _ := t.in.Peek(t.in.Buffered())
	n := ascii.Skip(buffered, 0, func(c byte) bool { return c == '<' })
	t.raw = append(t.raw, buffered[:max(1, n-1)]...)
	t.in.Discard(len(t.raw))
}

// untilMarkup reads text up to the next <, at most maxHeldText bytes.
func (t *xmlTokens) untilMarkup() {
	for len(t.raw) < maxHeldText {
		piece, err := t.in.ReadSlice('<')
		t.raw = append(t.raw, piece...)
		if err == nil {
			t.raw = t.raw[:len(t.raw)-1]
			t.in.UnreadByte()
			return
		}
		if err != bufio.ErrBufferFull {
			return
		}
	}
}

// until reads up to the closing delimiter, which begins from bytes on; more than
// maxHeldText bytes end the token.
func (t *xmlTokens) until(closing string, from int) {
	last := closing[len(closing)-1]
	for len(t.raw) < maxHeldText {
		piece, err := t.in.ReadSlice(last)
		t.raw = append(t.raw, piece...)
		if err == nil && len(t.raw) >= from+len(closing) && bytes.HasSuffix(t.raw, []byte(closing)) {
			return
		}
		if err != nil && err != bufio.ErrBufferFull {
			t.err = cutBy(err)
			return
		}
	}
}

// cutBy is the error of a tag that does not end.
func cutBy(err error) error {
	if err == io.EOF {
		return errXMLCut
	}
	return err
}

func (t *xmlTokens) inside(open, closing string) []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(t.raw, []byte(open)), []byte(closing))
}

// docType reads a declaration with its internal subset.
func (t *xmlTokens) docType() {
	t.until(">", 2)
	if i := bytes.IndexByte(t.raw, '['); i >= 0 && bytes.IndexByte(t.raw[i:], ']') < 0 && t.err == nil {
		t.until("]", i)
		t.until(">", len(t.raw))
	}
}

// tag reads a start or an end tag; > in quotes does not end it.
func (t *xmlTokens) tag() {
	var quote byte
	for seen := 0; ; {
		piece, err := t.in.ReadSlice('>')
		t.raw = append(t.raw, piece...)
		if err != nil && err != bufio.ErrBufferFull {
			t.err = cutBy(err)
			break
		}
		for ; seen < len(t.raw); seen++ {
			switch c := t.raw[seen]; {
			case quote == 0 && (c == '"' || c == '\''):
				quote = c
			case c == quote:
				quote = 0
			}
		}
		if err == nil && (quote == 0 || len(t.raw) > maxTag) {
			break
		}
		if len(t.raw) > maxHeldText {
			break
		}
	}
	t.kind = xmlStart
	body := bytes.TrimSuffix(t.raw[1:], []byte(">"))
	if body[0] == '/' {
		t.kind, body = xmlEnd, body[1:]
	}
	t.empty = bytes.HasSuffix(body, []byte("/"))
	n := ascii.Skip(body, 0, func(c byte) bool { return c > ' ' && c != '/' && c != '>' })
	t.name = string(body[:n])
}

// attrs calls f with each attribute of the start tag at hand, value undecoded,
// and the offset of the value in the tag.
func (t *xmlTokens) attrs(f func(name string, value []byte, off int)) {
	for i := 1 + len(t.name); i < len(t.raw); {
		start := ascii.Skip(t.raw, i, func(c byte) bool { return ascii.Space(c) || strings.IndexByte(`/>"'`, c) >= 0 })
		end := ascii.Skip(t.raw, start, func(c byte) bool { return c != '=' && c != '>' && !ascii.Space(c) })
		i = ascii.Skip(t.raw, end, ascii.Space)
		if i >= len(t.raw) || t.raw[i] != '=' {
			continue
		}
		value, off := t.value(ascii.Skip(t.raw, i+1, ascii.Space))
		f(string(t.raw[start:end]), value, off)
		i = off + len(value)
	}
}

// value is the attribute value at t.raw[i], quoted or not, and its offset.
func (t *xmlTokens) value(i int) ([]byte, int) {
	rest := t.raw[i:]
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
		value, _, _ := bytes.Cut(rest[1:], rest[:1])
		return value, i + 1
	}
	return rest[:ascii.Skip(rest, 0, func(c byte) bool { return c > ' ' && c != '>' })], i
}

// unentity undoes character references. One without a semicolon is none: URLs
// with a raw ampersand stand in many records.
func unentity(b []byte) []byte {
	if bytes.IndexByte(b, '&') < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	eachReference(b, func(text, _ []byte) { out = append(out, text...) })
	return out
}

// eachReference calls f with the pieces of b: character references, decoded, and
// the text between them. raw is the piece as it stands.
func eachReference(b []byte, f func(text, raw []byte)) {
	for len(b) > 0 {
		n := bytes.IndexByte(b, '&')
		if n < 0 {
			n = len(b)
		}
		if n > 0 {
			f(b[:n], b[:n])
			b = b[n:]
			continue
		}
		n = bytes.IndexByte(b[:min(len(b), maxEntity)], ';') + 1
		ref := string(b[:max(n, 1)])
		if s := html.UnescapeString(ref); n > 2 && s != ref && !strings.HasSuffix(s, ";") {
			f([]byte(s), b[:n])
			b = b[n:]
			continue
		}
		f(b[:1], b[:1])
		b = b[1:]
	}
}

// local is a name without its namespace prefix.
func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }
