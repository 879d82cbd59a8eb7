package office

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"linkcheck/extract/doc"
)

// SniffRTF recognises Rich Text Format.
func SniffRTF(p doc.Peek) bool { return p.TextBegins(`{\rtf`) }

// rtf reads Rich Text Format (specification 1.9.1): groups, control words and text.
type rtf struct {
	*flow
	in        *bufio.Reader
	line, col int // of the next octet
	groups    []group
	deep      int // groups that are open and not kept
	count     int // of paragraphs
	notes     int
	endnotes  int
	fields    []rtfField
	charset   *charmap.Charmap
	skip      int  // characters to pass over: they say again what \u said
	star      bool // the next control word is a destination that may be passed over
	high      rune // the first half of a pair of surrogates
	src, loc  []byte
}

// group is one that is open. What it sets ends with it.
type group struct {
	mute   bool // its text is not seen
	hidden bool // a mark of characters
	code   bool // its text is the code of the innermost field
	into   *[]byte
	uc     int // how many characters say again what \u says
	word   string
	pushed bool // a paragraph of its own
	link   bool // its text is that of a link
	place  string
}

// rtfField is a field that is open.
type rtfField struct {
	code   []byte
	result bool
}

const (
	maxGroups  = 1000
	maxControl = 32 // letters of a control word
)

// ReadRTF reads Rich Text Format.
func ReadRTF(d *doc.Document) error {
	r := &rtf{flow: newFlow(d), in: d.In, line: 1, col: 1, charset: charmap.Windows1252, groups: []group{{uc: 1}}}
	r.lines = true
	r.paragraph()
	var err error
	for err == nil && !d.Stopped() {
		err = r.next()
	}
	r.finish()
	return doc.IgnoreEOF(err)
}

func (r *rtf) group() *group { return &r.groups[len(r.groups)-1] }

// paragraph begins one.
func (r *rtf) paragraph() {
	place := r.group().place
	if place == "" {
		r.count++
		place = "paragraph " + strconv.Itoa(r.count)
	}
	r.begin(place)
}

// next reads a control word, the edge of a group, or text up to one of these.
func (r *rtf) next() error {
	if _, err := r.in.Peek(1); err != nil {
		return err
	}
	buffered, _ := r.in.Peek(r.in.Buffered())
	n := bytes.IndexAny(buffered, "\\{}\r\n")
	if n < 0 {
		n = len(buffered)
	}
	if n > 0 {
		r.text(buffered[:n])
		r.col += n
		r.in.Discard(n)
		return nil
	}
	c, _ := r.in.ReadByte()
	col := r.col
	r.col++
	switch c {
	case '{':
		r.open()
	case '}':
		r.close()
	case '\n':
		r.line, r.col = r.line+1, 1
	case '\\':
		return r.control(col)
	}
	return nil
}

// text takes octets of running text; those above ASCII are of the document's charset.
func (r *rtf) text(b []byte) {
	if r.skip > 0 {
		n := min(r.skip, len(b))
		r.skip -= n
		b = b[n:]
		r.col += n
		defer func() { r.col -= n }()
	}
	for len(b) > 0 {
		n := bytes.IndexFunc(b, func(c rune) bool { return c >= utf8.RuneSelf })
		if n < 0 {
			n = len(b)
		}
		if n > 0 {
			r.put(b[:n], r.col)
		} else {
			n = 1
			r.put(utf8.AppendRune(nil, r.charset.DecodeByte(b[0])), r.col)
		}
		r.col += n
		b = b[n:]
		defer func(n int) { r.col -= n }(n)
	}
}

// put takes text where it belongs.
func (r *rtf) put(b []byte, col int) {
	g := r.group()
	r.star = false
	switch {
	case g.into != nil:
		if len(*g.into) < maxCode {
			*g.into = append(*g.into, b...)
		}
	case g.code && len(r.fields) > 0:
		if f := &r.fields[len(r.fields)-1]; len(f.code) < maxCode {
			f.code = append(f.code, b...)
		}
	case !g.mute && !g.hidden:
		r.add(b, r.line, col)
	}
}

// char takes a character that a control word stands for.
func (r *rtf) char(c rune, col int) {
	if r.skip > 0 {
		r.skip--
		return
	}
	r.put(utf8.AppendRune(nil, c), col)
}

// unicode takes the character of \u, perhaps half of one.
func (r *rtf) unicode(n, col int) {
	c := rune(uint16(n))
	switch {
	case utf16.IsSurrogate(c) && r.high == 0:
		r.high = c
	case utf16.IsSurrogate(c):
		c, r.high = utf16.DecodeRune(r.high, c), 0
		r.put(utf8.AppendRune(nil, c), col)
	default:
		r.high = 0
		r.put(utf8.AppendRune(nil, c), col)
	}
	r.skip = r.group().uc
}

func (r *rtf) open() {
	r.skip = 0
	if len(r.groups) >= maxGroups {
		r.deep++
		return
	}
	g := *r.group()
	g.pushed, g.link, g.word = false, false, ""
	r.groups = append(r.groups, g)
}

func (r *rtf) close() {
	r.skip, r.star = 0, false
	if r.deep > 0 {
		r.deep--
		return
	}
	if len(r.groups) == 1 { // one too many
		return
	}
	g := *r.group()
	r.groups = r.groups[:len(r.groups)-1]
	if g.link {
		r.endLink()
	}
	switch g.word {
	case "field":
		r.endField()
	case "hl":
		if r.link(withPlace(string(bytes.TrimSpace(r.src)), string(bytes.TrimSpace(r.loc))), howLink, "", r.line, 0) {
			r.endLink()
		}
		r.src, r.loc = r.src[:0], r.loc[:0]
	}
	if g.pushed {
		r.flow.end()
	}
}

// endField ends the innermost field. One without a result is a link without a text.
func (r *rtf) endField() {
	n := len(r.fields) - 1
	if n < 0 {
		return
	}
	f := r.fields[n]
	r.fields = r.fields[:n]
	if !f.result && r.link(fieldLink(string(f.code)), howField, "", r.line, 0) {
		r.endLink()
	}
}

// control reads what follows a backslash: a word with a number, or one character.
func (r *rtf) control(col int) error {
	c, err := r.in.ReadByte()
	if err != nil {
		return err
	}
	r.col++
	if !letter(c) {
		return r.symbol(c, col)
	}
	word := append(make([]byte, 0, maxControl), c)
	for {
		if c, err = r.in.ReadByte(); err != nil || !letter(c) || len(word) >= maxControl {
			break
		}
		r.col++
		word = append(word, c)
	}
	number, digits, minus := 0, 0, false
	if err == nil && c == '-' {
		minus = true
		r.col++
		c, err = r.in.ReadByte()
	}
	for ; err == nil && '0' <= c && c <= '9' && digits < 10; digits++ {
		number = 10*number + int(c-'0')
		r.col++
		c, err = r.in.ReadByte()
	}
	switch {
	case err == nil && c != ' ': // which ends the word, and is part of it
		r.in.UnreadByte()
	case err == nil:
		r.col++
	case err != io.EOF:
		return err
	}
	if minus {
		number = -number
	}
	return r.word(string(word), number, digits > 0, col)
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
