// Package xmltoken takes XML apart, well formed or not, a token at a time: for the records
// of catalogues and for what office programs write. A document type is passed over, so
// that no entity is what a document makes of it.
package xmltoken

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

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	Text Kind = iota // also CDATA
	Start
	End
	Comment
	Other // declarations, processing instructions, document types
)

const (
	maxHeldText = 1 << 20 // bytes of one token or string that are held
	maxEntity   = 40      // bytes of a character reference
)

const maxTag = 64 << 10 // bytes of a tag whose quotes do not close

const maxName = 64 // bytes of a name that is kept

// OpenCDATA begins text that has no character references.
const OpenCDATA = "<![CDATA["

// ErrCut is the error of XML whose last tag does not end.
var ErrCut = errors.New("XML ends inside a tag")

// Tokens splits XML into tokens, well formed or not: encoding/xml stops at a raw
// ampersand or a missing end tag, which are common in records, and one must not
// cost the rest of the file. Its fields are good until the next token.
type Tokens struct {
	Raw       []byte // as it stands
	Kind      Kind
	Name      string // of a tag, with its prefix
	Empty     bool   // <name/>
	Text      []byte // of text undecoded, of a comment what is in it
	Literal   bool   // Text is CDATA
	Line, Col int    // of the token, from 1
	Err       error  // io.EOF at the end

	NextLine, NextCol int // of what follows it

	in    *bufio.Reader
	names [256]string // of elements and attributes, each in its place; see name
}

// New reads XML in UTF-8, or in what has the letters of ASCII as ASCII has them.
func New(in *bufio.Reader) *Tokens {
	return &Tokens{in: in, NextLine: 1, NextCol: 1}
}

// Next goes to the next token; false at the end.
func (t *Tokens) Next() bool {
	t.Raw, t.Empty, t.Literal = t.Raw[:0], false, false
	t.Line, t.Col = t.NextLine, t.NextCol
	head, err := t.in.Peek(9)
	if len(head) == 0 {
		if t.Err == nil {
			t.Err = err
		}
		return false
	}
	switch {
	case head[0] != '<':
		t.untilMarkup()
		t.Kind, t.Text = Text, t.Raw
	case len(head) > 1 && (head[1] == '/' || head[1] == '_' || ascii.Letter(head[1]) || head[1] >= 0x80):
		t.tag()
	case bytes.HasPrefix(head, []byte("<!--")):
		t.until("-->", 4)
		t.Kind, t.Text = Comment, t.inside("<!--", "-->")
	case bytes.HasPrefix(head, []byte(OpenCDATA)):
		t.until("]]>", len(OpenCDATA))
		t.Kind, t.Literal, t.Text = Text, true, t.inside(OpenCDATA, "]]>")
	case bytes.HasPrefix(head, []byte("<?")):
		t.until("?>", 2)
		t.Kind = Other
	case bytes.HasPrefix(head, []byte("<!")):
		t.docType()
		t.Kind = Other
	case bytes.HasPrefix(head, []byte("<<")): // all but the last of them are text
		t.lessThans()
		t.Kind, t.Text = Text, t.Raw
	default: // a bare < in text
		t.Raw = append(t.Raw, '<')
		t.in.Discard(1)
		t.untilMarkup()
		t.Kind, t.Text = Text, t.Raw
	}
	t.NextLine, t.NextCol = doc.Advance(t.Raw, t.Line, t.Col)
	return true
}

// Ahead is the beginning of what follows the token, as much as a name is long.
func (t *Tokens) Ahead() []byte {
	head, _ := t.in.Peek(24)
	return head
}

// lessThans reads what is buffered of a run of <, but for its last.
func (t *Tokens) lessThans() {
	buffered, _ := t.in.Peek(t.in.Buffered())
	n := ascii.Skip(buffered, 0, func(c byte) bool { return c == '<' })
	t.Raw = append(t.Raw, buffered[:max(1, n-1)]...)
	t.in.Discard(len(t.Raw))
}

// untilMarkup reads text up to the next <, at most maxHeldText bytes.
func (t *Tokens) untilMarkup() {
	for len(t.Raw) < maxHeldText {
		piece, err := t.in.ReadSlice('<')
		t.Raw = append(t.Raw, piece...)
		if err == nil {
			t.Raw = t.Raw[:len(t.Raw)-1]
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
func (t *Tokens) until(closing string, from int) {
	last := closing[len(closing)-1]
	for len(t.Raw) < maxHeldText {
		piece, err := t.in.ReadSlice(last)
		t.Raw = append(t.Raw, piece...)
		if err == nil && len(t.Raw) >= from+len(closing) && bytes.HasSuffix(t.Raw, []byte(closing)) {
			return
		}
		if err != nil && err != bufio.ErrBufferFull {
			t.Err = cutBy(err)
			return
		}
	}
}

// cutBy is the error of a tag that does not end.
func cutBy(err error) error {
	if err == io.EOF {
		return ErrCut
	}
	return err
}

func (t *Tokens) inside(open, closing string) []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(t.Raw, []byte(open)), []byte(closing))
}

// docType reads a declaration with its internal subset.
func (t *Tokens) docType() {
	t.until(">", 2)
	if i := bytes.IndexByte(t.Raw, '['); i >= 0 && bytes.IndexByte(t.Raw[i:], ']') < 0 && t.Err == nil {
		t.until("]", i)
		t.until(">", len(t.Raw))
	}
}

// tag reads a start or an end tag; > in quotes does not end it.
func (t *Tokens) tag() {
	var quote byte
	for {
		piece, err := t.in.ReadSlice('>')
		t.Raw = append(t.Raw, piece...)
		if err != nil && err != bufio.ErrBufferFull {
			t.Err = cutBy(err)
			break
		}
		for _, c := range piece {
			switch {
			case c != '"' && c != '\'':
			case quote == 0:
				quote = c
			case quote == c:
				quote = 0
			}
		}
		if err == nil && (quote == 0 || len(t.Raw) > maxTag) {
			break
		}
		if len(t.Raw) > maxHeldText {
			break
		}
	}
	t.Kind = Start
	body := t.Raw[1:]
	if n := len(body) - 1; body[n] == '>' {
		body = body[:n]
	}
	if body[0] == '/' {
		t.Kind, body = End, body[1:]
	}
	t.Empty = len(body) > 0 && body[len(body)-1] == '/'
	n := ascii.Skip(body, 0, func(c byte) bool { return c > ' ' && c != '/' && c != '>' })
	t.Name = t.name(body[:n])
}

// name is b as a string: names are few and come again and again, so that the last one of each
// place is kept. Where two names share a place, each is made anew when the other came before it.
func (t *Tokens) name(b []byte) string {
	if len(b) == 0 || len(b) > maxName {
		return string(b)
	}
	kept := &t.names[(31*int(b[0])+7*int(b[len(b)/2])+3*int(b[len(b)-1])+len(b))%len(t.names)]
	if *kept != string(b) {
		*kept = string(b)
	}
	return *kept
}

// Attrs calls f with each attribute of the start tag at hand, value undecoded,
// and the offset of the value in the tag.
func (t *Tokens) Attrs(f func(name string, value []byte, off int)) {
	for i := 1 + len(t.Name); i < len(t.Raw); {
		start := ascii.Skip(t.Raw, i, func(c byte) bool { return ascii.Space(c) || c == '/' || c == '>' || c == '"' || c == '\'' })
		end := ascii.Skip(t.Raw, start, func(c byte) bool { return c != '=' && c != '>' && !ascii.Space(c) })
		i = ascii.Skip(t.Raw, end, ascii.Space)
		if i >= len(t.Raw) || t.Raw[i] != '=' {
			continue
		}
		value, off := t.value(ascii.Skip(t.Raw, i+1, ascii.Space))
		f(t.name(t.Raw[start:end]), value, off)
		i = off + len(value)
	}
}

// value is the attribute value at t.Raw[i], quoted or not, and its offset.
func (t *Tokens) value(i int) ([]byte, int) {
	rest := t.Raw[i:]
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
		value, _, _ := bytes.Cut(rest[1:], rest[:1])
		return value, i + 1
	}
	return rest[:ascii.Skip(rest, 0, func(c byte) bool { return c > ' ' && c != '>' })], i
}

// Unentity undoes character references. One without a semicolon is none: URLs
// with a raw ampersand stand in many records.
func Unentity(b []byte) []byte {
	if bytes.IndexByte(b, '&') < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	EachReference(b, func(text, _ []byte) { out = append(out, text...) })
	return out
}

// EachReference calls f with the pieces of b: character references, decoded, and
// the text between them. raw is the piece as it stands.
func EachReference(b []byte, f func(text, raw []byte)) {
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

// Local is a name without its namespace prefix.
func Local(name string) string { return name[strings.IndexByte(name, ':')+1:] }
