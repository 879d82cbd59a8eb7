package office

import (
	"bytes"
	"strconv"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/xmltoken"
)

// story reads a part that holds text: of Word (ECMA-376 part 1 section 17), or of DrawingML
// (section 21), as slides, charts and shapes have it. Their elements have the same names.
type story struct {
	*flow
	t      *xmltoken.Tokens
	links  map[string]string // targets of relations that lead out of the package
	prefix [][]byte          // of the names of attributes that hold ids of relations
	place  string            // where all of it stands; "": its paragraphs are counted
	count  int               // of paragraphs
	notes  int               // of a part that holds notes

	leaf    string          // the element whose text is read
	kept    bool            // blanks around it are part of it
	ranges  []string        // elements around that may be links: where they lead, "" where they are none
	fields  []field         // open ones
	drawn   map[string]bool // ids of relations of the drawing at hand; nil outside
	chosen  []bool          // alternatives around: whether one was taken
	runLink string          // id of the relation of the run at hand
	hidden  bool            // the run at hand is
	last    runEnd
}

// field is a field of Word: its code, then its result, each over several runs.
type field struct {
	code   []byte
	result bool // the code is read
	link   bool // the result is the text of a link
}

const (
	maxCode   = 8 << 10 // octets of the code of a field
	maxFields = 32      // fields inside one another
	maxPrefix = 8
)

// story reads a part. place is where all of it stands, as for people; "" where paragraphs
// are counted.
func (p *parts) story(part, place string) {
	s := &story{links: p.relations(part).external, place: place, prefix: [][]byte{[]byte(" r:")}}
	p.xml(part, func(d *doc.Document, t *xmltoken.Tokens) {
		if s.flow == nil {
			s.flow, s.t = newFlow(d), t
			s.aside = place
		}
		take(t, s)
	})
	if s.flow != nil {
		s.finish()
	}
}

// unseen are elements whose text a reader does not see: what was deleted or moved away,
// and properties. (pPr and lstStyle have tabs, which are none of the text.)
func unseen(name string) bool {
	switch name {
	case "del", "moveFrom", "delText", "delInstrText", "pPr", "lstStyle", "endParaRPr", "rPrChange", "tblPr", "tcPr", "trPr", "txbxStyle", "sdtPr", "extLst":
		return true
	}
	return false
}

func (s *story) start(name string) {
	if unseen(name) {
		if name == "extLst" && strings.HasPrefix(s.t.Name, "dgm:") {
			return // the link of a shape of a diagram stands there
		}
		if !s.t.Empty {
			skip(s.t)
			s.t.Empty = false
		}
		return
	}
	switch name {
	case "p":
		s.paragraph()
	case "r", "fld":
		s.runLink, s.hidden = "", false
	case "t", "instrText":
		s.leaf = name
		s.kept = !strings.HasPrefix(s.t.Name, "w:") || bytes.Contains(s.t.Raw, []byte("preserve"))
	case "footnote", "endnote":
		s.note()
	case "AlternateContent":
		s.chosen = append(s.chosen, false)
	case "Choice", "Fallback":
		s.choose()
	case "drawing":
		s.drawn = map[string]bool{}
	case "hyperlink":
		s.beginRange(withPlace(s.links[attr(s.t, "id")], attr(s.t, "anchor")), howLink)
	case "fldSimple":
		s.beginRange(fieldLink(attr(s.t, "instr")), howField)
	default:
		s.inside(name)
	}
}

// paragraph begins one.
func (s *story) paragraph() {
	s.count++
	s.last = runEnd{}
	place := s.place
	switch {
	case place == "":
		place = "paragraph " + strconv.Itoa(s.count)
	case s.notes > 0:
		place += " " + strconv.Itoa(s.notes)
	}
	s.begin(place)
}

// note begins one. Those with a type are the lines between text and notes.
func (s *story) note() {
	if attr(s.t, "type") == "" || attr(s.t, "type") == "normal" {
		s.notes++
	} else if !s.t.Empty {
		skip(s.t)
		s.t.Empty = false
	}
}

// choose passes over what says again what was read: an alternative for other programs
// (ECMA-376 part 3 section 9.3).
func (s *story) choose() {
	n := len(s.chosen) - 1
	if n < 0 {
		return
	}
	if !s.chosen[n] {
		s.chosen[n] = true
		return
	}
	if !s.t.Empty {
		skip(s.t)
		s.t.Empty = false
	}
}

func (s *story) end(name string) {
	switch name {
	case "p":
		s.endParagraph()
	case "r", "fld":
		if s.runLink != "" && s.top() != nil {
			s.endRun(s.runLink)
		}
		s.runLink, s.hidden = "", false
	case "t", "instrText":
		s.leaf = ""
	case "AlternateContent":
		s.chosen = s.chosen[:max(0, len(s.chosen)-1)]
	case "drawing":
		s.drawn = nil
	case "hyperlink", "fldSimple":
		s.endRange()
	}
}

// endParagraph ends one. The link of a field is not the text of the next paragraph.
func (s *story) endParagraph() {
	for i := range s.fields {
		s.fields[i].link = false
	}
	s.flow.end()
}

// onText takes the text of a run, or the code of a field.
func (s *story) onText() {
	if s.leaf == "" || s.hidden {
		return
	}
	text := s.t.Text
	if !s.t.Literal {
		text = xmltoken.Unentity(text)
	}
	n := len(s.fields) - 1
	switch {
	case s.leaf == "instrText":
		if n >= 0 && len(s.fields[n].code) < maxCode {
			s.fields[n].code = append(s.fields[n].code, text...)
		}
		return
	case n >= 0 && !s.fields[n].result:
		return
	case !s.kept:
		text = bytes.TrimSpace(text)
	}
	s.add(text, 0, 0)
}

// fieldChar is the begin, the middle or the end of a field (ECMA-376 part 1 section 17.16.18).
func (s *story) fieldChar(kind string) {
	n := len(s.fields) - 1
	switch {
	case kind == "begin":
		if n+1 >= maxFields {
			s.fields = s.fields[:0]
		}
		s.fields = append(s.fields, field{})
	case n < 0:
	case kind == "separate":
		f := &s.fields[n]
		f.result = true
		f.link = s.link(fieldLink(string(f.code)), howField, "", 0, 0)
	case kind == "end":
		f := s.fields[n]
		if s.fields = s.fields[:n]; f.link {
			s.endLink()
		} else if !f.result && s.link(fieldLink(string(f.code)), howField, "", 0, 0) {
			s.endLink()
		}
	}
}
