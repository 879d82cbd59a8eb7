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
		m.counts, m.inField, m.inSub = map[string]int{}, false, false
		return false
	case "controlfield", "leader":
		m.tag = m.attr("tag")
		return true
	case "datafield":
		m.finish()
		m.field = bibField{tag: m.attr("tag"), inds: m.attr("ind1") + m.attr("ind2")}
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
			if c := m.attr("code"); c != "" {
				m.sub.code = c[0]
			}
		}
		return m.inField
	}
	return false
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

func (m *marcXMLReader) attr(want string) (got string) {
	m.x.t.Attrs(func(name string, value []byte, _ int) {
		if name == want {
			got = string(xmltoken.Unentity(value))
		}
	})
	got, _ = m.x.d.Cut(m.x.t.Line, "tag of a field", got)
	return got
}
