package catalog

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/uri/repair"
)

// bibSub is one subfield of a catalogue record, decoded.
type bibSub struct {
	code         byte
	text         string
	off          int // of its value in the field
	line, column int
}

// bibField is one variable field.
type bibField struct {
	tag  string
	inds string // indicators
	subs []bibSub
}

// newField splits a field into indicators and subfields, which a delimiter and a
// code begin.
func newField(tag string, data []byte, delimiter byte, decode func([]byte) string) bibField {
	inds, rest, ok := bytes.Cut(data, []byte{delimiter})
	f := bibField{tag: tag}
	if !ok {
		return f
	}
	f.inds = decode(inds)
	off := len(inds) + 1
	for sub := range bytes.SplitSeq(rest, []byte{delimiter}) {
		if len(sub) > 0 {
			f.subs = append(f.subs, bibSub{code: sub[0], text: decode(sub[1:]), off: off + 1})
		}
		off += len(sub) + 1
	}
	return f
}

// links gives out the links of one bibliographic record, whatever it was
// written in.
type links struct {
	found     func(doc.Found) bool
	wanted    func(tag string, code byte) bool
	id, title string
	nth       func(tag string) int // which of the fields with this tag is at hand, from 1
}

// field gives out the links of one field. Subfields that are URIs by their
// definition are taken whole; in the others URIs are looked for as in text.
func (c *links) field(f bibField) {
	for i, s := range f.subs {
		link := func(l doc.Found) bool { return c.yield(f, i, l) }
		whole := c.wanted(f.tag, s.code)
		if whole {
			if l, ok := uriValue(f.tag, s); ok {
				link(l)
				continue
			}
		}
		if strings.IndexByte(s.text, ':') < 0 && !strings.Contains(s.text, "www.") {
			continue
		}
		textscan.Scan([]byte(s.text), s.line, s.column, func(l doc.Found) bool {
			l.Faulty = whole && s.code == 'u' && l.How == textscan.HowWWW && strings.HasPrefix(strings.TrimSpace(s.text), l.Raw)
			return l.How == textscan.HowHostPath && !whole || link(l)
		})
	}
}

// uriValue reads the value of a subfield that is a URI by its definition.
func uriValue(tag string, s bibSub) (doc.Found, bool) {
	v := strings.TrimSpace(s.text)
	blanks, joint := strings.Index(s.text, v), "%20"
	if strings.Contains(v, "\n") {
		joint = "" // the line was broken, not the URI
	}
	v = strings.TrimPrefix(strings.ReplaceAll(v, "\n", " "), "(uri)")
	v = doc.WithoutControls(v)
	f := doc.Found{Raw: v, How: "$" + string(rune(s.code)), Line: s.line, Column: s.column + blanks}
	v = string(textscan.TrimTail([]byte(v), 0))
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

// yield completes a link with what the record knows of it.
func (c *links) yield(f bibField, i int, l doc.Found) bool {
	s := f.subs[i]
	nth := 0 // of the subfields with this code
	for _, t := range f.subs[:i+1] {
		if t.code == s.code {
			nth++
		}
	}
	l.Record, l.Title = c.id, c.title
	l.Locator = fmt.Sprintf("%s[%d]$%c", f.tag, c.nth(f.tag), s.code)
	if nth > 1 {
		l.Locator += fmt.Sprintf("[%d]", nth)
	}
	l.Context = f.context()
	return c.found(l)
}

// context shows the field as catalogers write it: indicators, $3 $y $z and all.
func (f bibField) context() string {
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(f.inds, " ", "#"))
	for _, s := range f.subs {
		fmt.Fprintf(&b, " $%c %s", s.code, s.text)
	}
	return doc.Shown([]byte(b.String()), 2*doc.ContextSize)
}

// titleOf makes a title of 245 $a $b (200 $a $e in UNIMARC) without the
// punctuation that closes it.
func titleOf(subs []bibSub) string {
	var parts []string
	for _, s := range subs {
		if strings.IndexByte("abnpe", s.code) >= 0 {
			parts = append(parts, strings.TrimSpace(s.text))
		}
	}
	return strings.TrimRight(doc.OneLine(strings.Join(parts, " ")), " /:;,=")
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

// yieldAll gives out the links that waited for the id and the title of their record;
// it returns the slice, empty, for the next.
func yieldAll(d *doc.Document, pending []doc.Found, id, title string) []doc.Found {
	for _, f := range pending {
		f.Record, f.Title = id, title
		d.Yield(f)
	}
	return pending[:0]
}
