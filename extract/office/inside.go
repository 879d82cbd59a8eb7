package office

import (
	"bytes"
	"strings"

	"linkcheck/extract/xmltoken"
)

// runEnd is where a run or a range of runs ended that is a link: the next one with the same link goes on with it.
type runEnd struct {
	id         string // of the relation, or the target
	off, links int
}

// endRun ends the text of the link that is called so.
func (s *story) endRun(id string) {
	s.endLink()
	if p := s.top(); p != nil {
		s.last = runEnd{id, len(p.text), len(p.links)}
	}
}

// goesOn says whether the link before, with nothing between, is the same one; then its text goes on.
func (s *story) goesOn(id string) bool {
	p := s.top()
	if p == nil || len(p.links) == 0 || s.last != (runEnd{id, len(p.text), len(p.links)}) {
		return false
	}
	p.inside = len(p.links) - 1
	return true
}

// beginRange begins a link over several runs, if it is one.
func (s *story) beginRange(target, how string) {
	if !s.goesOn(target) && !s.link(target, how, "", 0, 0) {
		target = ""
	}
	s.ranges = append(s.ranges, target)
}

func (s *story) endRange() {
	n := len(s.ranges) - 1
	if n >= 0 && s.ranges[n] != "" {
		s.endRun(s.ranges[n])
	}
	s.ranges = s.ranges[:max(0, n)]
}

// inside reads what stands in a run or a shape.
func (s *story) inside(name string) {
	switch name {
	case "br", "cr":
		s.addString("\n")
	case "tab", "ptab":
		s.addString("\t")
	case "noBreakHyphen":
		s.addString("-")
	case "vanish":
		v := attr(s.t, "val")
		s.hidden = v != "0" && v != "false" && v != "off"
	case "fldChar":
		s.fieldChar(attr(s.t, "fldCharType"))
	case "hlinkClick":
		s.click()
	default:
		if s.t.Name == "v:shape" || strings.HasPrefix(s.t.Name, "v:") && bytes.Contains(s.t.Raw, []byte(" href=")) {
			s.shape()
		}
		s.uses()
	}
}

// shape gives out the address of a shape of VML.
func (s *story) shape() {
	s.t.Attrs(func(name string, value []byte, _ int) {
		if name == "href" && s.link(string(xmltoken.Unentity(value)), howLink, "", 0, 0) {
			s.endLink()
		}
	})
}

// click is the link of a run, whose text follows, or of a shape. Programs write a new run
// for each change of spelling or look: a link that goes on in the next is one.
func (s *story) click() {
	id := attr(s.t, "id")
	target := s.links[id]
	if target == "" || s.drawn[id] {
		return
	}
	if s.goesOn(id) {
		s.runLink = id
		return
	}
	if !s.link(target, howLink, "", 0, 0) {
		return
	}
	if s.runLink = id; s.drawn != nil {
		s.drawn[id] = true
		s.endLink()
		s.runLink = ""
	}
}

// uses gives out the relations that an element names: each use is a link. What shows one
// picture says it twice.
func (s *story) uses() {
	if bytes.Contains(s.t.Raw, []byte("/relationships")) {
		s.prefixes()
	}
	if len(s.links) == 0 {
		return
	}
	for _, prefix := range s.prefix {
		if !bytes.Contains(s.t.Raw, prefix) {
			continue
		}
		s.t.Attrs(func(name string, value []byte, _ int) {
			id := string(value)
			if !strings.HasPrefix(name, string(prefix[1:])) || s.links[id] == "" || s.drawn[id] {
				return
			}
			if s.drawn != nil {
				s.drawn[id] = true
			}
			if s.link(s.links[id], howLink, "", 0, 0) {
				s.endLink()
			}
		})
	}
}

// prefixes notes those bound to the namespace of relations, which is another in the strict
// form of the standard.
func (s *story) prefixes() {
	s.t.Attrs(func(name string, value []byte, _ int) {
		prefix, bound := strings.CutPrefix(name, "xmlns:")
		if bound && prefix != "r" && len(s.prefix) < maxPrefix && bytes.HasSuffix(value, []byte("/relationships")) {
			s.prefix = append(s.prefix, []byte(" "+prefix+":"))
		}
	})
}
