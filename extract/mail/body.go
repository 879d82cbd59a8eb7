package mail

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
)

const maxLeaf = 8 << 20 // decoded bytes of one part that are held at once

// leaf is what a header says of the body below it.
type leaf struct {
	kind     string // media type in lower case
	encoding string // content-transfer-encoding in lower case
	params   map[string]string
}

// body undoes the transfer encoding of a leaf line by line and hands text on
// with its physical place. Plain text goes straight to the feed; what needs a
// parser of its own is gathered first.
type body struct {
	m      *message
	text   *textscan.Feed
	leaf   leaf
	format string // by which the decoded text is read; "" is not at all
	how    func(*body, []byte, int, bool)
	what   string // locator where the part number is not enough
	base   string
	flow   flow
	uu     uuencoded
	soft   bool   // the line before ended in a soft break
	held   []byte // decoded bytes of a gathered leaf
	places doc.Locations
	b64    []byte // base64 characters that wait for a group of four
}

func (b *body) init(m *message) {
	b.m = m
	b.text = textscan.NewFeed(func(f doc.Found) bool { return b.m.found(f, b.what) })
}

// begin starts a new leaf; the one before must have ended.
func (b *body) begin(l leaf, e *entity) {
	b.leaf, b.base, b.format = l, e.base, doc.FormatOf(l.kind)
	b.soft, b.b64 = false, b.b64[:0]
	b.flow = flow{on: strings.EqualFold(l.params["format"], "flowed"), delsp: strings.EqualFold(l.params["delsp"], "yes")}
	b.drop()
	switch {
	case b.format == "":
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
	b.places.Reset()
}

func (b *body) nothing([]byte, int, bool) {}

// identity takes a line that stands as it is.
func (b *body) identity(line []byte, number int, start bool) {
	if b.format != "text" {
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
	if cs := b.leaf.params["charset"]; cs != "" || b.m.d.Options.Charset != "" {
		line = b.recode(line, cs)
	}
	if b.flow.on {
		b.flow.line(b.text, line, number, column, start)
		return
	}
	b.text.Add(line, number, column)
}

// recode makes UTF-8 of a line; ASCII stays what it is, unless the charset uses
// its bytes for other things.
func (b *body) recode(line []byte, charset string) []byte {
	if b.m.d.Options.Charset != "" {
		charset = b.m.d.Options.Charset
	}
	if low := strings.ToLower(charset); ascii.Only(line) && !strings.Contains(low, "2022") && !strings.HasPrefix(low, "utf-16") {
		return line
	}
	return doc.ToUTF8(line, charset)
}

// gather keeps decoded bytes for a reader that wants them all.
func (b *body) gather(text []byte, number, column int) {
	b.places.Add(text, number, column)
	b.held = append(b.held, text...)
	if len(b.held) >= maxLeaf || b.places.Full() {
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
	b.text.Flush()
	b.how, b.what, b.format = (*body).nothing, "", ""
}

// part reads what was gathered by the reader of its type.
func (b *body) part() {
	if b.format == "text" {
		b.heldText()
		return
	}
	p := b.m.d.Part(bytes.NewReader(b.held), func(f *doc.Found) {
		f.Line, f.Column = b.places.Physical(f.Line, f.Column)
		inner := f.Locator
		f.Record, f.Title, f.Locator = b.m.id, b.m.title, b.m.locator(b.what)
		if b.format == "message" {
			f.Locator += strings.TrimPrefix(inner, "part")
		}
	})
	if cs := b.leaf.params["charset"]; cs != "" && p.Options.Charset == "" {
		p.Options.Charset = cs
	}
	p.Base = b.base
	format := b.format
	if format == "html" && !doc.HasTags(b.held) {
		format = "text" // an archive kept the type and made text of the page
	}
	if err := p.Nest(format); err != nil {
		b.m.damage(0, err)
	}
	b.drop()
}

// heldText gives decoded text that has no physical lines of its own to the feed.
func (b *body) heldText() {
	text := b.held
	if cs := b.leaf.params["charset"]; cs != "" || b.m.d.Options.Charset != "" {
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
			b.text.Add(line, 0, 0)
		}
	}
	b.drop()
}
