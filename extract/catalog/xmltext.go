package catalog

import (
	"bytes"
	"strings"

	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/extract/xmltoken"
	"linkcheck/internal/ascii"
)

const maxJoined = 64 << 10 // bytes of text over inline elements that are searched at once

// onText looks for links in text, of which all that goes on over inline elements is one.
func (x *xmlReader) onText() {
	if x.marc.inField || x.element().silent {
		text := x.t.Text
		if !x.t.Literal {
			text = xmltoken.Unentity(text)
		}
		x.keep(text)
		return
	}
	goesOn := (x.joining || !doc.BlankLine(x.t.Text)) && x.inlineAhead()
	if !x.joining {
		x.at.Reset()
	}
	text := x.tokenText()
	x.keep(text)
	if !x.joining && !goesOn {
		x.giveText(text)
		return
	}
	if !x.joining {
		x.joined, x.joining = x.joined[:0], true
	}
	if x.joined = append(x.joined, text...); !goesOn || len(x.joined) > maxJoined {
		x.endText()
	}
}

// inlineAhead says whether the tag of an inline element follows.
func (x *xmlReader) inlineAhead() bool {
	tag := x.t.Ahead()
	n := ascii.Skip(tag, 0, func(c byte) bool { return c > ' ' && c != '>' })
	return 0 < n && n < len(tag) && traitsOf(xmltoken.Local(strings.TrimLeft(string(tag[1:n]), "/"))).inline
}

// endText ends text that goes over inline elements.
func (x *xmlReader) endText() {
	if x.joining {
		x.joining = false
		x.giveText(x.joined)
	}
}

// keep keeps text of the element at hand, which may be the id or title of a record.
func (x *xmlReader) keep(text []byte) {
	if len(x.content) < maxNoted {
		x.content = append(x.content, text...)
	}
}

// giveText gives out the links in the text at hand. An element that is a URI by its
// definition is taken whole. Text that says the link of its own element again is no other.
func (x *xmlReader) giveText(text []byte) {
	e := x.element()
	switch whole := bytes.TrimSpace(text); {
	case len(whole) == 0:
	case x.saidAt == x.depth && x.saysAgain(whole):
	case (e.whole || bytes.HasSuffix(whole, []byte("?"))) && textscan.IsURI(whole):
		x.whole(text, whole, string(whole))
	case (e.name == "loc" || e.atom && x.open[0].name == "feed") && textscan.IsRelative(whole):
		x.whole(text, whole, doc.Resolve(x.d.Base, string(whole)))
	case x.d.Options.Faults && x.isLocation() && !textscan.MayHold(whole):
		x.fault(whole, x.t.Line, x.t.Col)
	default:
		x.search(text)
	}
}

// saysAgain says whether a text is the last link, or more or less of it, and nothing else.
func (x *xmlReader) saysAgain(text []byte) bool {
	return (strings.HasPrefix(x.said, string(text)) || strings.HasPrefix(string(text), x.said)) && textscan.IsURI(text)
}

// search looks for links in the text at hand.
func (x *xmlReader) search(text []byte) {
	if doc.HasTags(text) {
		x.d.Fragment(text, func(f doc.Found) { x.inText(f) }).Nest("html") // as feeds carry it
		return
	}
	x.text.Add(text, 1, 1)
	x.text.Flush()
}

// whole gives out the text at hand, less the blanks around it, as one reference.
func (x *xmlReader) whole(text, whole []byte, uri string) {
	line, col := doc.Advance(text[:bytes.Index(text, whole)], 1, 1)
	raw := uri
	if uri != string(whole) {
		raw = string(whole)
	}
	x.inText(doc.Found{URI: uri, Raw: raw, Line: line, Column: col, How: "element", Context: doc.Shown(whole, doc.ContextSize)})
}

// tokenText is the text of the token at hand without character references. It notes in x.at
// where it stands.
func (x *xmlReader) tokenText() []byte {
	if x.t.Literal {
		x.at.Add(x.t.Text, x.t.Line, x.t.Col+len(xmltoken.OpenCDATA))
		return x.t.Text
	}
	return x.plain(x.t.Text, x.t.Line, x.t.Col)
}

// plain is raw, which stands at line and col, without character references. It notes in x.at
// where it stands.
func (x *xmlReader) plain(raw []byte, line, col int) []byte {
	if bytes.IndexByte(raw, '&') < 0 {
		x.at.Add(raw, line, col)
		return raw
	}
	x.decoded = x.decoded[:0]
	xmltoken.EachReference(raw, func(text, raw []byte) {
		x.at.Add(text, line, col)
		x.decoded = append(x.decoded, text...)
		line, col = doc.Advance(raw, line, col)
	})
	return x.decoded
}

// inText gives out a link whose line and column are those in the text at hand.
func (x *xmlReader) inText(f doc.Found) bool {
	f.Leads = x.isLead()
	f.Line, f.Column = x.at.Physical(f.Line, f.Column)
	return x.found(f)
}
