package catalog

import (
	"bytes"

	"linkcheck/extract/doc"
	"linkcheck/extract/xmltoken"
)

// marcXMLReader gathers the fields of MARCXML records (elements record, controlfield,
// datafield, subfield; the MARC21 slim schema) from the tokens of a document.
type marcXMLReader struct {
	x       *xmlReader
	links   links
	tag     string // of the control field at hand
	field   bibField
	inField bool
	inSub   bool
	sub     bibSub
	counts  map[string]int // fields of the record by tag
}

// start handles a start tag; it says whether the tag belongs to a field of MARC.
func (m *marcXMLReader) start(name string) bool {
	switch name {
	case "record":
		if m.counts == nil {
			m.counts = map[string]int{}
		}
		clear(m.counts)
		m.inField, m.inSub = false, false
		return false
	case "controlfield", "leader":
		m.tag = ""
		m.x.t.Attrs(func(name string, value []byte, _ int) {
			if name == "tag" {
				m.tag = m.value(value)
			}
		})
		return true
	case "datafield":
		m.finish()
		m.begin()
		m.inField = true
		if m.counts != nil && len(m.counts) < 2000 {
			m.counts[m.field.tag]++
		}
		return true
	case "subfield":
		if m.inField {
			m.endSubfield()
			m.inSub = true
			m.sub = bibSub{line: m.x.t.NextLine, column: m.x.t.NextCol}
			m.x.t.Attrs(func(name string, value []byte, _ int) {
				if name != "code" {
					return
				}
				if code := m.value(value); code != "" {
					m.sub.code = code[0]
				}
			})
		}
		return m.inField
	}
	return false
}

// begin begins a field, in the place of the one before it.
func (m *marcXMLReader) begin() {
	m.field = bibField{subs: m.field.subs[:0]}
	ind1, ind2 := "", ""
	m.x.t.Attrs(func(name string, value []byte, _ int) {
		switch name {
		case "tag":
			m.field.tag = m.value(value)
		case "ind1":
			ind1 = m.value(value)
		case "ind2":
			ind2 = m.value(value)
		}
	})
	m.field.inds = ind1 + ind2
}

// end handles an end tag; it says whether the tag closed a part of a MARC record.
func (m *marcXMLReader) end(name string) bool {
	switch name {
	case "controlfield":
		r := m.x.record()
		if r != nil {
			r.dates.Note(m.tag, string(m.x.content))
		}
		if r != nil && m.tag == max(m.x.d.Options.RecordID, "001") {
			r.id, _ = m.x.d.Cut(m.x.t.Line, "id of a record", doc.OneLine(string(m.x.content)))
			r.rank = marcRank
		}
		return true
	case "subfield":
		m.endSubfield()
		return m.inField
	case "record", "datafield":
		m.finish()
		return name == "datafield"
	}
	return false
}

// endSubfield adds the subfield at hand to its field.
func (m *marcXMLReader) endSubfield() {
	if !m.inSub {
		return
	}
	s, text := m.sub, m.x.content
	blanks := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	s.line, s.column = doc.Advance(text[:blanks], s.line, s.column)
	s.text, s.indented = string(text[blanks:]), blanks > 0 && !bytes.ContainsAny(text[:blanks], "\r\n")
	if len(m.field.subs) < maxPending {
		m.field.subs = append(m.field.subs, s)
	}
	m.inSub = false
}

// finish gives out the links of the field at hand, whether its end tag came or not.
func (m *marcXMLReader) finish() {
	if !m.inField {
		return
	}
	m.endSubfield()
	m.inField = false
	if r := m.x.record(); r != nil {
		if r.title == "" && m.field.tag == "245" {
			r.title = titleOf(m.x.d, m.field.subs)
		}
		noteDate(&r.dates, &m.field)
		if tag, code := idField(m.x.d.Options); m.field.tag == tag {
			if id := idOf(m.field.subs, code); id != "" {
				r.id, _ = m.x.d.Cut(m.x.t.Line, "id of a record", id)
				r.rank = marcRank
			}
		}
	}
	m.links.field(&m.field, max(1, m.counts[m.field.tag]))
}

// value is that of an attribute.
func (m *marcXMLReader) value(value []byte) string {
	short, _ := m.x.d.Cut(m.x.t.Line, "tag of a field", string(xmltoken.Unentity(value)))
	return short
}
