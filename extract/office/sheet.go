package office

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/xmltoken"
)

// readWorkbook reads the sheets of a workbook in its order, and what is drawn on them.
func readWorkbook(p *parts, main string) {
	rels := p.relations(main)
	shared := &sharedStrings{texts: p.d.Options.Columns.URL != nil || p.d.Options.Columns.Owner != ""}
	missing, fits := error(nil), false
	rels.each("sharedStrings", func(part string) { shared.read(p, part) })
	p.xml(main, func(_ *doc.Document, t *xmltoken.Tokens) {
		if t.Kind != xmltoken.Start || xmltoken.Local(t.Name) != "sheet" {
			return
		}
		part := rels.part(relationID(t))
		if part == "" {
			return
		}
		name, _ := p.d.Cut(0, "name of a sheet", attr(t, "name"))
		wrong := readSheet(p, part, name, shared)
		missing, fits = cmp.Or(missing, wrong), fits || wrong == nil
		of := p.relations(part)
		of.each("drawing", func(part string) {
			p.story(part, name)
			p.relations(part).each("chart", func(part string) { p.story(part, name) })
			p.relations(part).each("diagramData", func(part string) { p.story(part, name) })
		})
		of.each("chart", func(part string) { p.story(part, name) })
	})
	if missing != nil && !fits {
		p.d.Damage(0, missing)
	}
}

// sheet is one that is read.
type sheet struct {
	*flow
	t      *xmltoken.Tokens
	name   string
	shared *sharedStrings
	links  map[string]string
	linked *ranges

	cell, kind string // its reference and the type of its value
	row, col   int    // of the cell, from 1
	leaf       string
	value      []byte // of the cell
	formula    []byte
	phonetic   int // elements around that hold a reading aid

	columns *columns // nil: links are looked for in every cell, whatever stands beside them
}

const maxCell = 64 << 10 // octets of the text of a cell; Excel has 32,767 characters

// readSheet reads a sheet. The error says which columns that are wanted it does not have.
func readSheet(p *parts, part, name string, shared *sharedStrings) error {
	s := &sheet{name: name, shared: shared, links: p.relations(part).external}
	if shared.texts {
		s.columns = &columns{want: &p.d.Options.Columns, hold: p.hold}
	}
	if len(s.links) > 0 {
		s.linked = readRanges(p, part)
	}
	p.xml(part, func(d *doc.Document, t *xmltoken.Tokens) {
		if s.flow == nil {
			s.flow, s.t = newFlow(d), t
			if s.columns != nil {
				s.sink = s.place
			}
		}
		take(t, s)
	})
	if s.columns == nil {
		return nil
	}
	return s.columns.missing()
}

func (s *sheet) start(name string) {
	switch name {
	case "row":
		s.col = 0
		if s.row++; attr(s.t, "r") != "" {
			s.row, _ = strconv.Atoi(attr(s.t, "r"))
		}
	case "c":
		s.beginCell()
	case "v", "t", "f", "oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter":
		s.leaf = name
	case "rPh":
		s.phonetic++
	case "hyperlink":
		s.hyperlink()
	}
}

func (s *sheet) beginCell() {
	s.value, s.formula = s.value[:0], s.formula[:0]
	s.kind, s.cell, s.col = "", "", s.col+1
	s.t.Attrs(func(name string, v []byte, _ int) {
		switch name {
		case "r":
			s.cell = string(v)
		case "t":
			s.kind = string(v)
		}
	})
	if s.cell == "" { // it may be left out where cells follow one another
		s.cell = columnName(s.col) + strconv.Itoa(s.row)
	} else if col, _ := cellOf(s.cell); col > 0 {
		s.col = col
	}
}

func (s *sheet) onText() {
	if s.leaf == "" || s.phonetic > 0 {
		return
	}
	into := &s.value
	if s.leaf == "f" {
		into = &s.formula
	}
	text := s.t.Text
	if !s.t.Literal {
		text = xmltoken.Unentity(text)
	}
	*into = append(*into, text[:min(len(text), max(0, maxCell-len(*into)))]...)
}

func (s *sheet) end(name string) {
	switch name {
	case "v", "t", "f":
		s.leaf = ""
	case "rPh":
		s.phonetic = max(0, s.phonetic-1)
	case "c":
		s.endCell()
		s.noteCell()
		s.value = s.value[:0]
	case "row":
		s.endRow()
	case "oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter":
		s.leaf = ""
		s.begin(s.name)
		s.add(headerText(s.value), 0, 0)
		s.flow.end()
		s.value = s.value[:0]
	}
}

// at is where a cell stands, as people write it.
func (s *sheet) at(cell string) string { return s.name + "!" + cell }

// endCell gives out the links of a cell: those of its formula, or else those in its text.
func (s *sheet) endCell() {
	if len(s.formula) > 0 {
		refs, linked := formulaLinks(string(s.formula))
		for _, ref := range refs {
			s.link(ref, howFormula, s.at(s.cell), 0, 0)
		}
		if linked {
			return
		}
	}
	switch s.kind {
	case "s":
		i, err := strconv.Atoi(string(bytes.TrimSpace(s.value)))
		if err != nil {
			return
		}
		for _, f := range s.shared.of(s.d, i) {
			s.give(f)
		}
	case "str", "inlineStr":
		s.seen = s.seen[:0]
		if s.scan(s.value) {
			for _, f := range s.seen {
				s.give(shownIn(f, s.value))
			}
		}
	}
}

// give gives out a link in the text of a cell, unless that is all of the text, and the text
// of a link.
func (s *sheet) give(f doc.Found) {
	if f.Column < 0 && s.linked.has(s.cell) {
		return
	}
	f.Line, f.Column, f.Binary, f.Locator = 0, 0, true, s.at(s.cell)
	s.hand(f)
}

// hyperlink is the link of a cell or of a range, which is one link (ECMA-376 part 1
// section 18.3.1.47).
func (s *sheet) hyperlink() {
	var id, ref, location string
	s.t.Attrs(func(name string, v []byte, _ int) {
		switch {
		case name == "ref":
			ref = string(v)
		case name == "location":
			location = string(xmltoken.Unentity(v))
		case name != "id" && xmltoken.Local(name) == "id":
			id = string(v)
		}
	})
	first, _, _ := strings.Cut(ref, ":")
	s.cell = first
	s.link(withPlace(s.links[id], location), howLink, s.at(first), 0, 0)
}

// headerText is the text of a header without its codes (ECMA-376 part 1 section 18.3.1.46).
func headerText(b []byte) (out []byte) {
	for i := 0; i < len(b); i++ {
		if b[i] != '&' || i+1 >= len(b) {
			out = append(out, b[i])
			continue
		}
		i++
		switch c := b[i]; {
		case c == '&':
			out = append(out, '&')
		case c == 'L' || c == 'C' || c == 'R':
			out = append(out, '\n')
		case c == '"':
			n := bytes.IndexByte(b[i+1:], '"')
			i += max(0, n+1)
		case c == 'K':
			i = min(i+6, len(b)-1)
		case '0' <= c && c <= '9':
			for i+1 < len(b) && '0' <= b[i+1] && b[i+1] <= '9' {
				i++
			}
		}
	}
	return out
}
