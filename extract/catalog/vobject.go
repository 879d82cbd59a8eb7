package catalog

import (
	"bytes"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
)

const maxProperty = 64 << 10 // octets of a property that are kept; what is beyond is passed over

// SniffVObject recognises address cards (vCard, RFC 6350) and calendars (iCalendar, RFC 5545).
func SniffVObject(p doc.Peek) bool {
	head := p.Text()
	return doc.Peek{Head: []byte(ascii.Lower(head[:min(len(head), 20)]))}.Begins("begin:vcard", "begin:vcalendar")
}

// property is a line of such an object, put together from the lines that it was folded to.
type property struct {
	name, params string
	text         []byte
	at           doc.Locations // of the text
	quoted       bool          // quoted-printable (vCard 2.1)
	open         bool          // it goes on in the next line
}

// ReadVObject reads cards and calendars property by property.
func ReadVObject(d *doc.Document) error {
	d.SetCharset("")
	var p property
	lines := d.Lines()
	for line, start := range lines.All() {
		if !start {
			continue
		}
		line = doc.Chop(line)
		switch {
		case p.open: // a soft line break
			p.add(line, lines.Number, 1)
		case lines.Number > 1 && len(line) > 0 && ascii.Blank(line[0]): // RFC 5545 section 3.1
			p.add(line[1:], lines.Number, 2)
		default:
			p.give(d)
			p.begin(line, lines.Number)
		}
	}
	p.give(d)
	return lines.Err()
}

// begin takes the first line of a property: its name, parameters, whose quotes may hold colons, and value.
func (p *property) begin(line []byte, number int) {
	colon, inside := 0, false
	for colon < len(line) && (inside || line[colon] != ':') {
		inside = inside != (line[colon] == '"')
		colon++
	}
	name, params, _ := strings.Cut(string(line[:colon]), ";")
	name = name[strings.LastIndexByte(name, '.')+1:] // of a group: item1.URL
	p.name, p.params = strings.ToUpper(name), strings.ToUpper(params)
	p.quoted = strings.Contains(p.params, "QUOTED-PRINTABLE")
	p.text, p.open = p.text[:0], false
	p.at.Reset()
	if colon < len(line) {
		p.add(line[colon+1:], number, colon+2)
	}
}

// add takes a piece of the value. Escapes are undone (RFC 6350 section 3.4, RFC 5545 section 3.3.11).
func (p *property) add(piece []byte, line, column int) {
	if len(p.text) > maxProperty {
		return
	}
	p.open = p.quoted && bytes.HasSuffix(piece, []byte{'='})
	for i := 0; i < len(piece); {
		n, c := 1, piece[i]
		switch {
		case p.open && i == len(piece)-1:
			return
		case p.quoted && c == '=' && i+2 < len(piece):
			if octet, err := strconv.ParseUint(string(piece[i+1:i+3]), 16, 8); err == nil {
				n, c = 3, byte(octet)
			}
		case c == '\\' && i+1 < len(piece) && strings.IndexByte(`nN\,;:`, piece[i+1]) >= 0:
			n, c = 2, piece[i+1]
			if ascii.Letter(c) {
				c = '\n'
			}
		}
		if c == '\r' {
			c = ' ' // readers of pages take it for the end of a line
		}
		p.at.Add([]byte{c}, line, column+i)
		p.text = append(p.text, c)
		i += n
	}
}

// give gives out the links of a property that is whole. What identifies an object leads nowhere.
func (p *property) give(d *doc.Document) {
	if p.name == "UID" || p.name == "PRODID" || strings.Contains(p.params, "BASE64") || strings.Contains(p.params, "ENCODING=B") {
		return
	}
	found := func(f doc.Found) bool {
		f.Locator = p.name
		f.Line, f.Column = p.at.Physical(f.Line, f.Column)
		return d.Yield(f)
	}
	if doc.HasTags(p.text) {
		d.Fragment(p.text, func(f doc.Found) { found(f) }).Nest("html")
		return
	}
	if textscan.IsURI(p.text) {
		found(doc.Found{URI: string(p.text), Raw: string(p.text), Line: 1, Column: 1, How: "property", Context: longContext(p.text)})
		return
	}
	textscan.Scan(d, p.text, 1, 1, found)
}
