package mail

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

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
	b.locations.Add(text, number, column)
	b.decoded = append(b.decoded, text...)
	if len(b.decoded) >= maxLeaf || b.locations.Full() {
		b.part()
	}
}

// part reads what was gathered with the reader of its type.
func (b *body) part() {
	if b.format == "text" {
		b.heldText()
		return
	}
	p := b.m.d.Part(bytes.NewReader(b.decoded), func(f *doc.Found) {
		f.Line, f.Column = b.locations.Physical(f.Line, f.Column)
		inner := f.Locator
		f.Record, f.Title, f.Locator = b.m.id, b.m.title, b.m.locator(b.suffix)
		if b.format == "message" {
			f.Locator += strings.TrimPrefix(inner, "part")
		}
	})
	if cs := b.leaf.params["charset"]; cs != "" && p.Options.Charset == "" {
		p.Options.Charset = cs
	}
	p.Base = b.base
	format := b.format
	if format == "html" && !doc.HasTags(b.decoded) {
		format = "text" // an archive kept the type and made text of the page
	}
	if err := p.Nest(format); err != nil {
		b.m.damage(0, err)
	}
	b.drop()
}

// heldText gives decoded text that has no physical lines of its own to the feed.
func (b *body) heldText() {
	text := b.decoded
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

// decodedText hands decoded text on.
func (b *body) decodedText(text []byte, number, column int, start bool) {
	if b.format != "text" {
		b.gather(text, number, column)
		return
	}
	b.textLine(text, number, column, start)
}
