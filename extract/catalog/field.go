package catalog

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"linkcheck/extract/columns"
	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/internal/ascii"
	"linkcheck/uri/repair"
)

// bibSub is one subfield of a catalogue record, decoded.
type bibSub struct {
	code         byte
	indented     bool // blanks that are no layout stood before it
	text         string
	off          int // of its value in the field
	line, column int
}

// bibField is one variable field.
type bibField struct {
	tag  string
	inds string // indicators
	subs []bibSub
	cut  bool // there are more than maxSubs subfields
}

const maxSubs = 5000 // subfields of one field: more than the 9999 octets of a field can hold

var errSubfields = errors.New("field with more than 5000 subfields: the rest is passed over")

// escape begins another character set in MARC-8 and ISO 2022.
const escape = 0x1b

// newField splits a field into indicators and subfields, which a delimiter and a
// code begin. The subfields take the place of subs.
func newField(tag string, data []byte, delimiter byte, subs []bibSub, decode func([]byte) string) bibField {
	f := bibField{tag: tag, subs: subs[:0]}
	end := bytes.IndexByte(data, delimiter)
	if end < 0 {
		return f
	}
	text := func(from, to int) string { return decode(data[from:to]) }
	if ascii.Only(data) && bytes.IndexByte(data, escape) < 0 { // every decoder leaves that as it is
		all := string(data)
		text = func(from, to int) string { return all[from:to] }
	}
	f.inds = text(0, end)
	for off := end + 1; off <= len(data); off = end + 1 {
		if len(f.subs) == maxSubs {
			f.cut = true
			break
		}
		if end = bytes.IndexByte(data[off:], delimiter); end < 0 {
			end = len(data)
		} else {
			end += off
		}
		if off < end {
			f.subs = append(f.subs, bibSub{code: data[off], text: text(off+1, end), off: off + 1})
		}
	}
	return f
}

// links gives out the links of one bibliographic record, whatever it was
// written in.
type links struct {
	d         *doc.Document
	found     func(doc.Found) bool
	wanted    func(tag string, code byte) bool
	id, title string
	dates     dates.MARC

	context, locator string // of the field and the subfield at hand; "" until there is a link
	given            int    // links of the subfield at hand
}

// field gives out the links of one field, the nth of the record with its tag, from 1.
// Subfields that are URIs by their definition are taken whole; in the others URIs are
// looked for as in text.
func (c *links) field(f *bibField, nth int) {
	if f.cut {
		c.d.Damage(0, errSubfields)
	}
	c.context = ""
	for i := range f.subs {
		if c.d.Stopped() {
			return
		}
		c.subfield(f, nth, i)
		c.faults(f, nth, i)
	}
}

// subfield gives out the links of a subfield.
func (c *links) subfield(f *bibField, nth, i int) {
	c.locator, c.given = "", 0
	s := &f.subs[i]
	whole := c.wanted(f.tag, s.code)
	if whole {
		if !c.d.Tried(1) {
			return
		}
		if l, ok := uriValue(f.tag, s); ok {
			c.yield(f, nth, i, l)
			return
		}
	}
	if strings.IndexByte(s.text, ':') < 0 && !strings.Contains(s.text, "www.") {
		return
	}
	textscan.Scan(c.d, []byte(s.text), s.line, s.column, func(l doc.Found) bool {
		l.Faulty = whole && s.code == 'u' && l.How == textscan.HowWWW && strings.HasPrefix(strings.TrimSpace(s.text), l.Raw)
		return l.How == textscan.HowHostPath && !whole || c.yield(f, nth, i, l)
	})
}

// uriValue reads the value of a subfield that is a URI by its definition.
func uriValue(tag string, s *bibSub) (doc.Found, bool) {
	v := strings.TrimSpace(s.text)
	blanks, joint := strings.Index(s.text, v), "%20"
	if strings.Contains(v, "\n") {
		joint = "" // the line was broken, not the URI
	}
	v = strings.TrimPrefix(strings.ReplaceAll(v, "\n", " "), "(uri)")
	v = doc.WithoutControls(v)
	f := doc.Found{Raw: v, How: "$" + string(rune(s.code)), Line: s.line, Column: s.column + blanks}
	if s.code == 'u' && strings.Contains(v, `\`) && faulty(tag, v) { // slashes that were turned: nothing of them is a tail
		f.Faulty = true
		return f, true
	}
	if s.code == 'u' { // copied from the source of a page: a record has no references
		v = strings.ReplaceAll(v, "&amp;", "&")
	}
	v = v[:len(textscan.TrimTail([]byte(v), 0))]
	words, scheme := strings.Fields(v), doc.SchemeOf(v)
	switch {
	case len(words) == 0, len(words) > 1 && (len(words) > 3 || !strings.ContainsAny(words[1], "/.=") || strings.ContainsAny(words[1][:1], "([<") || doc.SchemeOf(words[1]) != ""):
		return f, false
	case scheme != "" && (textscan.IsScheme(scheme) || strings.Contains(v, "://")):
		if s.code != 'u' && !strings.Contains(v, "//") && scheme != "urn" && scheme != "info" {
			return f, false
		}
		f.URI = strings.Join(words, joint)
		return f, true
	case s.code == 'u' && !strings.HasPrefix(v, "www.") && faulty(tag, v):
		f.Faulty = true // reported as it is: what it means is not sure
		return f, true
	}
	return f, false
}

// faulty says whether a value is meant for a URI and is none: a host without a
// scheme, "http//host".
func faulty(tag, v string) bool {
	_, sure := repair.Slips(v)
	return sure || tag == "856" && doc.SchemeOf(v) == "" && textscan.DottedHost(v)
}

// mayHold says whether there is anything in the value of a field that field looks at:
// most fields need not be taken apart.
func (c *links) mayHold(tag string, value []byte, delimiter byte) bool {
	if bytes.IndexByte(value, ':') >= 0 || bytes.Contains(value, []byte("www.")) {
		return true
	}
	for {
		_, value, _ = bytes.Cut(value, []byte{delimiter})
		if len(value) == 0 {
			return false
		}
		if c.wanted(tag, value[0]) {
			return true
		}
	}
}

// yield completes a link with what the record knows of it.
func (c *links) yield(f *bibField, nth, i int, l doc.Found) bool {
	c.given++
	if c.context == "" {
		c.context = f.context()
	}
	if c.locator == "" {
		c.locator = f.locator(nth, i)
	}
	l.Record, l.Title, l.Locator, l.Context, l.Owner = c.id, c.title, c.locator, c.context, f.owner(c.d.Options.Owners)
	c.dates.Give(&l)
	return c.found(l)
}

// owner is who mends the links of the field by the first of its subfields with one of the
// codes: in MARC 21 $5 is the institution to which a field applies.
func (f *bibField) owner(codes string) string {
	for i := range len(codes) {
		for _, s := range f.subs {
			if text := doc.OneLine(s.text); s.code == codes[i] && text != "" {
				return text[:min(len(text), columns.MaxOwner)]
			}
		}
	}
	return ""
}

// context shows the field as catalogers write it: indicators, $3 $y $z and all.
func (f *bibField) context() string {
	b := append(make([]byte, 0, maxContext), strings.ReplaceAll(f.inds[:min(len(f.inds), maxLooked)], " ", "#")...)
	for _, s := range f.subs {
		if len(b) > maxLooked {
			break
		}
		b = append(utf8.AppendRune(append(b, " $"...), rune(s.code)), ' ')
		b = append(b, s.text[:min(len(s.text), maxLooked)]...)
	}
	return longContext(b)
}

// locator names subfield i of a field that is the nth with its tag.
func (f *bibField) locator(nth, i int) string {
	code, same := f.subs[i].code, 0 // of the subfields with this code
	for _, s := range f.subs[:i+1] {
		if s.code == code {
			same++
		}
	}
	b := appendNumber(append(make([]byte, 0, 32), f.tag...), nth)
	b = utf8.AppendRune(append(b, '$'), rune(code))
	if same > 1 {
		b = appendNumber(b, same)
	}
	return string(b)
}

func appendNumber(b []byte, n int) []byte {
	return append(strconv.AppendInt(append(b, '['), int64(n), 10), ']')
}

const (
	maxContext = 2 * doc.ContextSize // bytes of a context that is a field or value of its own
	maxLooked  = 4 << 10             // bytes in which a password that a cut would tear must end
)

// longContext is what is shown of s; no more of it is looked at than decides that.
func longContext[T []byte | string](s T) string {
	return doc.Shown([]byte(s[:min(len(s), maxLooked)]), maxContext)
}

// titleOf makes a title of 245 $a $b (200 $a $e in UNIMARC) without the
// punctuation that closes it.
func titleOf(d *doc.Document, subs []bibSub) string {
	var text strings.Builder
	for _, s := range subs {
		if strings.IndexByte("abnpe", s.code) >= 0 {
			text.WriteByte(' ')
			text.WriteString(strings.TrimSpace(s.text))
		}
	}
	title, _ := d.Cut(0, "title", strings.TrimRight(doc.OneLine(text.String()), " /:;,="))
	return title
}

// uriSubfields makes the function that says whether the value of a subfield is a URI
// by its definition. By default that is every $u, and $0, $1 and $4 where they hold URIs.
func uriSubfields(o doc.Options) func(tag string, code byte) bool {
	if o.MARC == nil {
		return func(_ string, code byte) bool { return strings.IndexByte("u014", code) >= 0 }
	}
	return func(tag string, code byte) bool {
		return slices.ContainsFunc(o.MARC, func(s string) bool { return strings.ReplaceAll(s, "$", "") == tag+string(rune(code)) })
	}
}

// yieldAll gives out the links that waited for the id and the title of their record, and
// for its dates, if it has any; it returns the slice, empty, for the next.
func yieldAll(d *doc.Document, pending []doc.Found, id, title string, dates dates.MARC) []doc.Found {
	for _, f := range pending {
		f.Record, f.Title = id, title
		dates.Give(&f)
		d.Yield(f)
	}
	return pending[:0]
}
