package mail

import (
	"cmp"
	"strings"

	"golang.org/x/text/encoding"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
)

const maxLeaf = 8 << 20 // decoded bytes of one part that are read at once

// leaf is what a header says of the body below it.
type leaf struct {
	kind     string // media type in lower case
	encoding string // content-transfer-encoding in lower case
	params   map[string]string
}

// body undoes the transfer encoding of a leaf line by line, and hands text on with
// the line and column it has in the file. Plain text goes straight to the feed;
// what needs a reader of its own is gathered first.
type body struct {
	m         *message
	text      *textscan.Feed
	leaf      leaf
	format    string            // of the decoded text; "" is not read
	charset   string            // "" is not declared
	decoder   *encoding.Decoder // of the charset; nil where nothing is to be decoded
	stateful  bool              // the charset uses the bytes of ASCII for other things, too
	utf8      []byte            // text that was decoded
	base      string
	flow      flow
	coded     uuencoded
	soft      bool   // the line before ended in a soft break
	decoded   []byte // bytes of a leaf that is gathered
	locations doc.Locations
	b64       []byte // base64 characters that wait for a group of four
}

// begin starts a new leaf; the one before must have ended.
func (b *body) begin(l leaf, e *entity) {
	b.leaf, b.base, b.format = l, e.base, doc.FormatOf(l.kind)
	b.setCharset(cmp.Or(b.m.d.Options.Charset, l.params["charset"]))
	b.soft = false
	b.flow = flow{on: strings.EqualFold(l.params["format"], "flowed"), delsp: strings.EqualFold(l.params["delsp"], "yes")}
	b.drop()
	if strings.Contains(l.encoding, "uue") {
		b.leaf.encoding = "x-uuencode" // or as others call it
	}
}

// line takes the next line of the leaf, or a piece of one that does not start it.
func (b *body) line(line []byte, number int, start bool) {
	switch {
	case b.format == "":
	case b.leaf.encoding == "quoted-printable":
		b.quotedPrintable(line, number, start)
	case b.leaf.encoding == "base64":
		b.base64(line)
	case b.leaf.encoding == "x-uuencode":
		b.uuLine(line)
	case b.format != "text" || !b.coded.line(b, line, start):
		b.add(line, number, 1, start)
	}
}

// end reads what is left of the leaf.
func (b *body) end() {
	b.coded.end(b)
	b.decodeBase64(b.b64) // a last group that padding or damage cut short
	b.b64 = b.b64[:0]
	if len(b.decoded) > 0 {
		b.readDecoded()
	}
	b.flow.end(b.text)
	b.text.Flush()
	b.format = ""
}

// drop forgets what was gathered.
func (b *body) drop() {
	b.decoded = b.decoded[:0]
	b.locations.Reset()
}
