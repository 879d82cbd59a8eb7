package extract

import (
	"bytes"
	"strings"
)

const maxLeaf = 8 << 20 // decoded bytes of one part that are held at once

// leaf is what a header says of the body below it.
type leaf struct {
	kind     string // media type in lower case
	encoding string // content-transfer-encoding in lower case
	params   map[string]string
}

// manner is how the text of a leaf is read.
type manner uint8

const (
	asText manner = iota
	asPage
	asXML
	asMessage
	asNothing
)

// body undoes the transfer encoding of a leaf line by line and hands text on
// with its physical place. Plain text goes straight to the feed; what needs a
// parser of its own is gathered first.
type body struct {
	m      *message
	text   *feed
	leaf   leaf
	manner manner
	how    func(*body, []byte, int, bool)
	what   string // locator where the part number is not enough
	base   string
	flow   flow
	uu     uuencoded
	soft   bool   // the line before ended in a soft break
	held   []byte // decoded bytes of a gathered leaf
	places places
	b64    []byte // base64 characters that wait for a group of four
}

func (b *body) init(m *message) {
	b.m = m
	b.text = newFeed(func(f Found) bool { return b.m.found(f, b.what) })
}

// begin starts a new leaf; the one before must have ended.
func (b *body) begin(l leaf, e *entity) {
	b.leaf, b.base, b.manner = l, e.base, mannerOf(l.kind)
	b.soft, b.b64 = false, b.b64[:0]
	b.flow = flow{on: strings.EqualFold(l.params["format"], "flowed"), delsp: strings.EqualFold(l.params["delsp"], "yes")}
	b.drop()
	switch {
	case b.manner == asNothing:
		b.how = (*body).nothing
	case l.encoding == "quoted-printable":
		b.how = (*body).quotedPrintable
	case l.encoding == "base64":
		b.how = (*body).base64
	case strings.Contains(l.encoding, "uue"):
		b.how = (*body).uuLine
	default:
		b.how = (*body).identity
	}
}

func (b *body) line(line []byte, number int, start bool) {
	b.how(b, line, number, start)
}

// drop empties what was gathered.
func (b *body) drop() {
	b.held = b.held[:0]
	b.places.reset()
}

// mannerOf sorts media types. Octet streams, images and signatures hold no text
// whatever their bytes look like.
func mannerOf(kind string) manner {
	top, sub, _ := strings.Cut(kind, "/")
	switch {
	case sub == "html" || sub == "xhtml+xml" || sub == "x-html":
		return asPage
	case kind == "message/rfc822" || kind == "message/news":
		return asMessage
	case sub == "xml" || strings.HasSuffix(sub, "+xml") && top != "image":
		return asXML
	case top == "text" || top == "message" || top == "multipart" || strings.HasPrefix(sub, "pgp") || sub == "json" || sub == "x-sh":
		return asText
	}
	return asNothing
}

func (b *body) nothing([]byte, int, bool) {}

// identity takes a line that stands as it is.
func (b *body) identity(line []byte, number int, start bool) {
	if b.manner != asText {
		b.gather(line, number, 1)
		return
	}
	if b.uu.take(b, line, number, start) {
		return
	}
	b.textLine(line, number, 1, start)
}

// textLine takes a decoded piece of text that stands at line and column.
func (b *body) textLine(line []byte, number, column int, start bool) {
	if cs := b.leaf.params["charset"]; cs != "" || b.m.d.o.Charset != "" {
		line = b.recode(line, cs)
	}
	if b.flow.on {
		b.flow.line(b.text, line, number, column, start)
		return
	}
	b.text.add(line, number, column)
}

// recode makes UTF-8 of a line; ASCII stays what it is, unless the charset uses
// its bytes for other things.
func (b *body) recode(line []byte, charset string) []byte {
	if b.m.d.o.Charset != "" {
		charset = b.m.d.o.Charset
	}
	if low := strings.ToLower(charset); ascii(line) && !strings.Contains(low, "2022") && !strings.HasPrefix(low, "utf-16") {
		return line
	}
	return toUTF8(line, charset)
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// gather keeps decoded bytes for a reader that wants them all.
func (b *body) gather(text []byte, number, column int) {
	b.places.add(text, number, column)
	b.held = append(b.held, text...)
	if len(b.held) >= maxLeaf || len(b.places.jumps) >= maxJumps {
		b.part()
	}
}

// end gives out what the leaf still holds.
func (b *body) end() {
	b.uu.end(b)
	if len(b.b64) > 0 {
		b.base64Tail()
	}
	if len(b.held) > 0 {
		b.part()
	}
	b.flow.end(b.text)
	b.text.flush()
	b.how, b.what, b.manner = (*body).nothing, "", asNothing
}

// part reads what was gathered by the reader of its type.
func (b *body) part() {
	if b.manner == asText {
		b.heldText()
		return
	}
	p := b.m.d.part(bytes.NewReader(b.held), func(f *Found) {
		f.Line, f.Column = b.places.physical(f.Line, f.Column)
		inner := f.Locator
		f.Record, f.Title, f.Locator = b.m.id, b.m.title, b.m.locator(b.what)
		if b.manner == asMessage {
			f.Locator += strings.TrimPrefix(inner, "part")
		}
	})
	if cs := b.leaf.params["charset"]; cs != "" && p.o.Charset == "" {
		p.o.Charset = cs
	}
	p.base = b.base
	read := readHTML
	switch b.manner {
	case asPage:
		if !hasTags(b.held) {
			read = readText // an archive kept the type and made text of the page
		}
	case asXML:
		read = readXML
	case asMessage:
		read = readMessage
	}
	if p.depth > maxDepth {
		b.m.damage(0, errTooDeep)
	} else if err := read(p); err != nil {
		b.m.damage(0, err)
	}
	b.drop()
}

// hasTags says whether b holds a tag that pages have.
func hasTags(b []byte) bool {
	for rest := b; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
		n := 0
		for n < len(rest) && n < 10 && (alnum(rest[n]) || rest[n] == '!' && n == 0) {
			n++
		}
		switch lower(rest[:n]) {
		case "html", "head", "title", "meta", "body", "p", "br", "a", "div", "span", "font", "table", "pre", "img", "li", "ul", "ol", "dl", "dt",
			"h1", "h2", "h3", "h4", "hr", "b", "i", "em", "strong", "center", "blockquote", "frame", "frameset", "area", "!doctype":
			return true
		}
	}
}

// heldText gives decoded text that has no physical lines of its own to the feed.
func (b *body) heldText() {
	text := b.held
	if cs := b.leaf.params["charset"]; cs != "" || b.m.d.o.Charset != "" {
		text = b.recode(text, cs)
	}
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line = text[:i+1]
		}
		text = text[len(line):]
		if b.flow.on {
			b.flow.line(b.text, line, 0, 0, true)
		} else {
			b.text.add(line, 0, 0)
		}
	}
	b.drop()
}
