// Package markup takes HTML apart into tokens and attributes that keep their
// bytes and their offsets. It gives the tokens of golang.org/x/net/html, which
// tests and a fuzz target hold it to; that one allocates for each attribute and
// says neither where a value stands nor how it was written.
package markup

import (
	"bytes"
	"io"

	"linkcheck/internal/ascii"
)

// MaxToken is the length in bytes of the longest tag, comment or stretch of
// text that is read from a reader.
const MaxToken = 1 << 20

const bufferSize = 64 << 10

// Kind tells tokens apart.
type Kind uint8

// The kinds of tokens.
const (
	Text     Kind = iota
	StartTag      // a start tag, also of an element without content
	EndTag        // an end tag
	Comment       // a comment, or what HTML takes for one
	CutTag        // a start tag inside of which the page ends
	Other         // what says nothing: a declaration, a token longer than MaxToken
)

// Tokenizer takes a page apart as HTML section 13.2.5 "Tokenization" has it, into
// stretches of its bytes; nothing is decoded. All tokens one after the other are
// the page.
type Tokenizer struct {
	r    io.Reader
	buf  []byte
	from int // the token at hand is buf[from:to]
	to   int
	kind Kind

	nextElement string // element whose raw text comes next, lower case
	element     string // element whose raw text is at hand
	err         error  // of r

	counted   int // up to where in buf lines are counted
	line, col int // of buf[counted]
}

// NewTokenizer takes apart what r gives, by way of buf, which may be nil.
func NewTokenizer(r io.Reader, buf []byte) *Tokenizer {
	if cap(buf) == 0 {
		buf = make([]byte, 0, bufferSize)
	}
	return &Tokenizer{r: r, buf: buf, line: 1, col: 1}
}

// NewBytesTokenizer takes apart what is in memory whole, whatever the length of its tokens.
func NewBytesTokenizer(b []byte) *Tokenizer { return &Tokenizer{buf: b, err: io.EOF, line: 1, col: 1} }

// Raw is the token at hand as it stands in the page; it is good until Next.
func (z *Tokenizer) Raw() []byte { return z.buf[z.from:z.to] }

// Kind says what the token at hand is.
func (z *Tokenizer) Kind() Kind { return z.kind }

// Element names, in lower case, the element whose raw text the token at hand is;
// "" for any other token.
func (z *Tokenizer) Element() string { return z.element }

// Err is the error that ended the page, io.EOF as a rule.
func (z *Tokenizer) Err() error { return z.err }

// Buffer is the memory in use, for another tokenizer when this one has ended.
func (z *Tokenizer) Buffer() []byte { return z.buf[:0] }

// Next goes to the next token; false at the end.
func (z *Tokenizer) Next() bool {
	z.from = z.to
	if z.from > bufferSize/2 && z.r != nil {
		z.Place()
		z.buf = z.buf[:copy(z.buf, z.buf[z.from:])]
		z.from, z.to, z.counted = 0, 0, 0
	}
	if z.element = z.nextElement; z.element != "" {
		z.nextElement = ""
		if end := z.rawText(z.from); end > z.from {
			return z.token(Text, end)
		}
		z.element = ""
	}
	at := z.markup(z.from)
	switch {
	case at < 0 && len(z.buf) == z.from:
		return false
	case at < 0:
		return z.token(Text, len(z.buf))
	case at > z.from:
		return z.token(Text, at)
	}
	return z.oneMarkup(at)
}

// token makes buf[from:to] the token at hand.
func (z *Tokenizer) token(k Kind, to int) bool {
	z.kind, z.to = k, to
	return true
}

// tokenOrRest is token; to is -1 where the page ended inside of the token, or it is too long.
func (z *Tokenizer) tokenOrRest(k Kind, to int) bool {
	if to >= 0 {
		return z.token(k, to)
	}
	if z.err == nil || k != Comment && k != CutTag {
		k = Other
	}
	return z.token(k, len(z.buf))
}

// markup gives where the next tag, comment or declaration begins; -1 for nowhere.
func (z *Tokenizer) markup(i int) int {
	for {
		at := z.index(i, '<')
		if at < 0 || !z.fill(at+1) {
			return -1
		}
		switch c := z.buf[at+1]; {
		case ascii.Letter(c), c == '!', c == '?':
			return at
		case c == '/':
			if !z.fill(at + 2) {
				return -1
			}
			return at
		}
		i = at + 1
	}
}

// oneMarkup gives the token that begins at buf[at].
func (z *Tokenizer) oneMarkup(at int) bool {
	switch c := z.buf[at+1]; {
	case ascii.Letter(c):
		end := z.tag(at + 1)
		if end < 0 {
			return z.tokenOrRest(CutTag, end)
		}
		z.nextElement = rawTextElement(z.buf[at:end])
		return z.token(StartTag, end)
	case c == '/' && ascii.Letter(z.buf[at+2]):
		return z.tokenOrRest(EndTag, z.tag(at+2))
	case c == '/':
		return z.tokenOrRest(Comment, after(z.index(at+2, '>')))
	case c == '!' && z.has(at+2, "--"):
		return z.tokenOrRest(Comment, z.comment(at+4))
	case c == '!' && z.has(at+2, "doctype"):
		return z.tokenOrRest(Other, after(z.index(at+9, '>')))
	}
	return z.tokenOrRest(Comment, after(z.index(at+2, '>')))
}

// tag gives the end of the tag whose name begins at i. Where no quote stands
// before the first ">" that is it.
func (z *Tokenizer) tag(i int) int {
	for j, c := range z.buf[i:] {
		switch c {
		case '>':
			return i + j + 1
		case '"', '\'':
			return z.tagOfAttributes(i)
		}
	}
	return z.tagOfAttributes(i)
}

// tagOfAttributes is tag, attribute by attribute.
func (z *Tokenizer) tagOfAttributes(i int) int {
	for z.fill(i) && !endsName(z.buf[i]) {
		i++
	}
	for i = z.blanks(i); z.fill(i); i = z.blanks(i) {
		if z.buf[i] == '>' {
			return i + 1
		}
		if i = z.value(z.attrName(i)); i < 0 {
			return -1
		}
	}
	return -1
}

// attrName goes over the name of an attribute; a "=" may begin one.
func (z *Tokenizer) attrName(start int) int {
	i := start
	for z.fill(i) && !endsName(z.buf[i]) && (z.buf[i] != '=' || i == start) {
		i++
	}
	return i
}

// value goes over "=" and a value, if they follow, and over a slash.
func (z *Tokenizer) value(i int) int {
	i = z.blanks(i)
	switch {
	case !z.fill(i):
		return -1
	case z.buf[i] == '/':
		return i + 1
	case z.buf[i] != '=':
		return i
	}
	i = z.blanks(i + 1)
	if !z.fill(i) {
		return -1
	}
	switch q := z.buf[i]; q {
	case '>':
		return i
	case '"', '\'':
		return after(z.index(i+1, q))
	}
	for i++; z.fill(i); i++ {
		if c := z.buf[i]; blank(c) || c == '>' {
			return i
		}
	}
	return -1
}

// comment gives the end of a comment whose text begins at start: behind -->, --!>,
// and at once behind > or ->.
func (z *Tokenizer) comment(start int) int {
	for i := start; ; {
		end := z.index(i, '>')
		if end < 0 {
			return -1
		}
		body := z.buf[start:end]
		if bytes.HasSuffix(body, []byte("--")) || bytes.HasSuffix(body, []byte("--!")) || len(body) == 0 || len(body) == 1 && body[0] == '-' {
			return end + 1
		}
		i = end + 1
	}
}
