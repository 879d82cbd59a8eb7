package catalog

import (
	"bytes"

	"linkcheck/extract/doc"
)

// marcXMLReader gathers the fields of MARCXML records (elements record, controlfield,
// datafield, subfield; the MARC21 slim schema) from the tokens of a document.
type marcXMLReader struct {
	x       *xmlReader
	tag     string
	field   bibField
	inField bool
	inSub   bool
	counts  map[string]int
	sub     bibSub
}

// start handles a start tag; it says whether the tag belongs to a field of MARC.
func (m *marcXMLReader) start(name string) bool {
	switch name {
	case "record":
		m.counts, m.inField, m.inSub = map[string]int{}, false, false
		return false
	case "controlfield", "leader":
		m.tag = m.attr("tag")
		return true
	case "datafield":
		m.finish()
		m.field = bibField{tag: m.attr("tag"), inds: m.attr("ind1") + m.attr("ind2")}
		m.inField, m.inSub = true, false
		if m.counts != nil && len(m.counts) < 2000 {
			m.counts[m.field.tag]++
		}
		return true
	case "subfield":
		if m.inField {
			m.endSubfield()
			m.inSub = true
			m.sub = bibSub{line: m.x.t.nextLine, column: m.x.t.nextCol}
			if c := m.attr("code"); c != "" {
				m.sub.code = c[0]
			}
		}
		return m.inField
	}
	return false
}

// inside says whether text belongs to a MARC field.
func (m *marcXMLReader) inside() bool { return m.inField }

// end handles an end tag; it says whether the tag closed a part of a MARC record.
func (m *marcXMLReader) end(name string) bool {
	switch name {
	case "controlfield":
		m.control(doc.OneLine(string(m.x.content)))
		return true
	case "subfield":
		m.endSubfield()
		return m.inField
	case "record":
		m.finish()
	case "datafield":
		m.finish()
		return true
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
	s.text = string(text[blanks:])
	if len(m.field.subs) < maxPending {
		m.field.subs = append(m.field.subs, s)
	}
	m.inSub = false
}

// finish gives out the field at hand, whether its end tag came or not.
func (m *marcXMLReader) finish() {
	if m.inField {
		m.endSubfield()
		m.yieldField()
	}
}

// control takes the id of the record from the control field that has it.
func (m *marcXMLReader) control(value string) {
	if n := len(m.x.records); n > 0 && m.tag == max(m.x.d.Options.RecordID, "001") {
		r := &m.x.records[n-1]
		r.id, r.rank = value, 9
	}
}

// yieldField gives out the links of a field that is whole.
func (m *marcXMLReader) yieldField() {
	f := m.field
	m.inField, m.inSub, m.field = false, false, bibField{}
	if n := len(m.x.records); n > 0 {
		r := &m.x.records[n-1]
		if r.title == "" && f.tag == "245" {
			r.title = titleOf(f.subs)
		}
		if f.tag == m.x.d.Options.RecordID && len(f.subs) > 0 {
			r.id, r.rank = f.subs[0].text, 9
		}
	}
	c := links{wanted: uriSubfields(m.x.d.Options), found: m.x.found, nth: func(tag string) int { return max(1, m.counts[tag]) }}
	c.field(f)
}

func (m *marcXMLReader) attr(want string) (got string) {
	m.x.t.attrs(func(name string, value []byte, _ int) {
		if name == want {
			got = string(unentity(value))
		}
	})
	return got
}
