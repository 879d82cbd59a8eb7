package mail

import (
	"bytes"
	"errors"
	"strings"

	"golang.org/x/text/transform"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
	"linkcheck/internal/ascii"
)

var errLongPart = errors.New("a part of more than 8 MB: not read")

// add takes decoded bytes that stand at a line and column of the file; start says
// that a line begins with them.
func (b *body) add(text []byte, number, column int, start bool) {
	if b.format == "text" {
		b.flow.line(b.text, b.toUTF8(text), number, column, start)
		return
	}
	b.locations.Add(text, number, column)
	b.decoded = append(b.decoded, text...)
	if len(b.decoded) >= maxLeaf && b.format == "auto" { // which is read whole or not at all
		b.m.damage(0, errLongPart)
		b.format = ""
		b.drop()
		return
	}
	if b.format != "auto" && (len(b.decoded) >= maxLeaf || b.locations.Full()) {
		b.readDecoded()
	}
}

// setCharset makes the decoder for the charset of the leaf, once for all its lines.
func (b *body) setCharset(name string) {
	if b.charset == name && name != "" {
		return
	}
	b.charset, b.decoder, b.stateful = name, nil, false
	if e := doc.LookupCharset(name); e != nil {
		low := strings.ToLower(name)
		b.decoder, b.stateful = e.NewDecoder(), strings.Contains(low, "2022") || strings.HasPrefix(low, "utf-16")
	}
}

// toUTF8 decodes text from the charset of the leaf; ASCII stays what it is, unless
// the charset uses its bytes for other things. The text is good until the next one.
func (b *body) toUTF8(text []byte) []byte {
	if b.decoder == nil || !b.stateful && ascii.Only(text) {
		return text
	}
	out, _, err := transform.Append(b.decoder, b.utf8[:0], text)
	b.utf8 = out
	if err != nil {
		return text
	}
	return out
}

// readDecoded reads what was gathered with the reader of its format.
func (b *body) readDecoded() {
	if b.format == "text" { // of base64 or uuencoded lines, which are not those of the text
		for line := range bytes.Lines(b.toUTF8(b.decoded)) {
			b.flow.line(b.text, line, 0, 0, true)
		}
		b.drop()
		return
	}
	p := b.m.d.Part(bytes.NewReader(b.decoded), func(f *doc.Found) {
		f.Line, f.Column = b.locations.Physical(f.Line, f.Column)
		inner := f.Locator
		f.Record, f.Title, f.Locator = b.m.id, b.m.title, b.m.locator("")
		dates.Give(f, b.m.date, dates.Mail)
		switch {
		case b.format == "message":
			f.Locator += strings.TrimPrefix(inner, "part")
		case b.format == "auto" && inner != "":
			f.Locator += ", " + inner
		}
	})
	p.Options.Charset, p.Base = b.charset, b.base
	format := b.format
	if format == "html" && !doc.HasTags(b.decoded) {
		format = "text" // an archive kept the type and made text of the page
	}
	if err := p.NestDeeper(format); err != nil {
		b.m.damage(0, err)
	}
	b.drop()
}
