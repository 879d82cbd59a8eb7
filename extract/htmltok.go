package extract

import (
	"bytes"
	"io"
)

// pageKind tells the tokens of a page apart.
type pageKind uint8

const (
	pageText    pageKind = iota
	pageStart            // a start tag
	pageEnd              // an end tag
	pageComment          // a comment, or what HTML takes for one
	pageCut              // a start tag inside of which the page ends
	pageOther            // what says nothing here: a declaration, a token longer than maxToken
)

// pageTokens takes a page apart as section "Tokenization" of HTML has it, as far
// as that matters for links: into stretches of its bytes, nothing decoded. What
// it gives is good until the next token.
type pageTokens struct {
	r    io.Reader
	buf  []byte
	from int // the token at hand is buf[from:to]
	to   int
	kind pageKind

	text   string // element whose raw text comes next, lower case; see rawElement
	inside string // element whose raw text is at hand
	err    error  // of r
}

// rawElement gives the name in lower case of an element that holds text in which
// there are no tags, "" for others. Of some for which a browser takes the tags for
// text too (title, noscript, noframes, iframe) they are wanted here.
func rawElement(name []byte) string {
	switch string(name) {
	case "script", "SCRIPT":
		return "script"
	case "style", "STYLE":
		return "style"
	}
	var buf [16]byte
	switch low := folded(&buf, name); string(low) {
	case "script", "style", "xmp", "plaintext", "textarea":
		return string(low)
	}
	return ""
}

const pageBuffer = 64 << 10

// newPageTokens takes apart what r gives; room is memory to use for it, or nil.
func newPageTokens(r io.Reader, room []byte) *pageTokens {
	if cap(room) == 0 {
		room = make([]byte, 0, pageBuffer)
	}
	return &pageTokens{r: r, buf: room}
}

// pageTokensOf takes apart what is in memory whole.
func pageTokensOf(b []byte) *pageTokens { return &pageTokens{buf: b, err: io.EOF} }

// raw is the token at hand as it stands.
func (z *pageTokens) raw() []byte { return z.buf[z.from:z.to] }

// fill makes the byte at i available; false at the end of the page, and where the
// token would be longer than maxToken.
func (z *pageTokens) fill(i int) bool { return i < len(z.buf) || z.read(i) }

func (z *pageTokens) read(i int) bool {
	for i >= len(z.buf) {
		if z.err != nil || len(z.buf)-z.from >= maxToken {
			return false
		}
		if len(z.buf) == cap(z.buf) {
			z.buf = append(z.buf, 0)[:len(z.buf)]
		}
		n, err := z.r.Read(z.buf[len(z.buf):cap(z.buf)])
		z.buf = z.buf[:len(z.buf)+n]
		z.err = err
	}
	return true
}

// index gives where c stands at or behind i; -1 if it does not before the end of
// the page or of what a token may have.
func (z *pageTokens) index(i int, c byte) int {
	for z.fill(i) {
		if n := bytes.IndexByte(z.buf[i:], c); n >= 0 {
			return i + n
		}
		i = len(z.buf)
	}
	return -1
}

// next goes to the next token; false at the end.
func (z *pageTokens) next() bool {
	z.from = z.to
	if z.from > pageBuffer/2 && z.r != nil { // room for more
		z.buf = z.buf[:copy(z.buf, z.buf[z.from:])]
		z.from, z.to = 0, 0
	}
	if z.inside = z.text; z.text != "" {
		end := z.rawText(z.from)
		if z.text = ""; end > z.from {
			return z.give(pageText, end)
		}
		z.inside = ""
	}
	at := z.markup(z.from)
	switch {
	case at < 0 && len(z.buf) == z.from:
		return false
	case at < 0:
		return z.give(pageText, len(z.buf))
	case at > z.from:
		return z.give(pageText, at)
	}
	return z.oneMarkup(at)
}

func (z *pageTokens) give(k pageKind, to int) bool {
	z.kind, z.to = k, to
	return true
}

// ended gives what stands between from and to; -1 for to means that the page
// ended inside, or that the token is too long.
func (z *pageTokens) ended(k pageKind, to int) bool {
	if to >= 0 {
		return z.give(k, to)
	}
	if z.err == nil || k != pageComment && k != pageCut {
		k = pageOther
	}
	return z.give(k, len(z.buf))
}

// markup gives where the next tag, comment or declaration begins; -1 for nowhere.
func (z *pageTokens) markup(i int) int {
	for {
		at := z.index(i, '<')
		if at < 0 || !z.fill(at+1) {
			return -1
		}
		switch c := z.buf[at+1]; {
		case letter(c), c == '!', c == '?':
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
func (z *pageTokens) oneMarkup(at int) bool {
	switch c := z.buf[at+1]; {
	case letter(c):
		end := z.tag(at + 1)
		if end < 0 {
			return z.ended(pageCut, end)
		}
		z.text = rawElementAt(z.buf[at+1 : end])
		return z.give(pageStart, end)
	case c == '/' && letter(z.buf[at+2]):
		return z.ended(pageEnd, z.tag(at+2))
	case c == '/':
		return z.ended(pageComment, z.behind(z.index(at+2, '>')))
	case c == '!' && z.has(at+2, "--"):
		return z.ended(pageComment, z.comment(at+4))
	case c == '!' && z.has(at+2, "doctype"):
		return z.ended(pageOther, z.behind(z.index(at+9, '>')))
	}
	return z.ended(pageComment, z.behind(z.index(at+2, '>')))
}

func (z *pageTokens) behind(i int) int {
	if i < 0 {
		return i
	}
	return i + 1
}

// has says whether the bytes at i are the word, in any case.
func (z *pageTokens) has(i int, word string) bool {
	if !z.fill(i + len(word) - 1) {
		return false
	}
	for k := range len(word) {
		if c := z.buf[i+k]; c != word[k] && (c|0x20 != word[k] || !letter(c)) {
			return false
		}
	}
	return true
}

// rawElementAt gives the name at the front of a tag if its text is raw.
func rawElementAt(tag []byte) string {
	switch tag[0] | 0x20 {
	case 's', 'x', 'p', 't':
	default:
		return ""
	}
	n := 1
	for n < len(tag) && !htmlSpace(tag[n]) && tag[n] != '/' && tag[n] != '>' {
		n++
	}
	return rawElement(tag[:n])
}

// htmlSpace is what HTML takes for a blank; space knows the vertical tab too.
func htmlSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

// tag gives the end of the tag whose name begins at i. Where no quote stands
// before the first ">" that is it.
func (z *pageTokens) tag(i int) int {
	if end := z.index(i, '>'); end >= 0 && !quoted(z.buf[i:end]) {
		return end + 1
	}
	for z.fill(i) && !htmlSpace(z.buf[i]) && z.buf[i] != '/' && z.buf[i] != '>' {
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

func quoted(b []byte) bool { return bytes.IndexByte(b, '"') >= 0 || bytes.IndexByte(b, '\'') >= 0 }

func (z *pageTokens) blanks(i int) int {
	for z.fill(i) && htmlSpace(z.buf[i]) {
		i++
	}
	return i
}

// attrName goes over the name of an attribute; a "=" may begin one.
func (z *pageTokens) attrName(start int) int {
	i := start
	for z.fill(i) {
		switch c := z.buf[i]; {
		case c == '=' && i > start, htmlSpace(c), c == '/', c == '>':
			return i
		}
		i++
	}
	return i
}

// value goes over "=" and a value, if they follow, and over a slash.
func (z *pageTokens) value(i int) int {
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
		return z.behind(z.index(i+1, q))
	}
	for i++; z.fill(i); i++ {
		if c := z.buf[i]; htmlSpace(c) || c == '>' {
			return i
		}
	}
	return -1
}

// comment gives the end of a comment whose text begins at i: behind -->, --!>,
// and at once behind > or ->.
func (z *pageTokens) comment(start int) int {
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
