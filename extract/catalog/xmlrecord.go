package catalog

import (
	"bytes"
	"slices"
	"strings"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/extract/xmltoken"
)

// isLinkAttr says whether an attribute holds a link; the values of others only name something.
func isLinkAttr(name string) bool {
	switch xmltoken.Local(name) {
	case "href", "src", "url", "uri", "link", "target", "resource", "fileref", "xmlUrl", "htmlUrl", "imageUrl", "location",
		"instanceurl", "URL", "image", // of EAD3, and of outlines
		"HRef", "dest", // of Excel and Word 2003
		"ref": // of names in TEI
		return !strings.HasPrefix(name, "xmlns")
	}
	return false
}

// xmlRecord is one open record with the links that wait for its id.
type xmlRecord struct {
	depth     int
	id, title string
	rank      int // of the element that gave the id
	dates     dates.MARC
	pending   []doc.Found
}

// isAddress says whether the value of an attribute is a URI, of whatever scheme where it names a host (feed://).
func isAddress(value string) bool {
	scheme := doc.SchemeOf(value)
	if rest, ok := strings.CutPrefix(value, "feed:http"); ok { // of an address with its own scheme
		return isAddress("http" + rest)
	}
	return scheme != "" && (textscan.IsURI(value) || strings.HasPrefix(value[len(scheme):], "://") && len(value) > len(scheme)+3 && !strings.ContainsAny(value, " \t\r\n"))
}

// mayBeRelative says whether an attribute holds a reference by its definition: href and src,
// the pictures of DocBook and TEI, the objects of RDF.
func (x *xmlReader) mayBeRelative(name, local string) bool {
	return local == "href" || local == "src" || local == "fileref" || local == "url" && x.element().name == "graphic" || name == "rdf:resource"
}

// isPointer says whether an attribute holds pointers with blanks between them (TEI P5, teidata.pointer).
func (x *xmlReader) isPointer(local string) bool {
	return local == "ref" || local == "target" && (x.element().name == "ref" || x.element().name == "ptr")
}

// isFragment says whether a pointer leads to a place in another document; those of EAD are names (IDREF).
func isFragment(pointer string) bool {
	return strings.IndexByte(pointer, '#') > 0 && doc.SchemeOf(pointer) == ""
}

// attribute gives out the value of a link attribute; where it may not be relative a word is
// no reference.
func (x *xmlReader) attribute(name, value string, line, col int) {
	l := xmltoken.Local(name)
	if x.d.Options.Faults && value == "" && l == "href" && x.record() != nil {
		x.fault(nil, line, col)
	}
	if value == "" || value[0] == '#' || !x.mayBeRelative(name, l) && !isAddress(value) && !(l == "target" && x.isPointer(l) && isFragment(value)) {
		return
	}
	x.said, x.saidAt = value, x.depth
	x.found(doc.Found{URI: doc.Resolve(x.d.Base, doc.WithoutControls(value)), Raw: value, Line: line, Column: col, How: name, Context: x.tagShown(), Leads: l == "href" && x.isLead()})
}

// tagShown is the tag at hand as a context.
func (x *xmlReader) tagShown() string {
	if x.shown == "" {
		x.shown = doc.Shown(x.t.Raw, doc.ContextSize)
	}
	return x.shown
}

// found gives a link out, or holds it back until the id of its record is known.
func (x *xmlReader) found(f doc.Found) bool {
	if f.Locator == "" {
		f.Locator = x.locator()
	}
	r := x.record()
	if r == nil {
		return x.d.Yield(f)
	}
	r.pending = append(r.pending, f)
	if len(r.pending) >= maxPending {
		x.release()
	}
	return !x.d.Stopped()
}

// locator names the element at hand and two around it.
func (x *xmlReader) locator() string {
	path := make([]byte, 0, 64)
	for _, e := range x.open[max(0, len(x.open)-3):] {
		path = append(append(path, e.name...), '/')
	}
	return string(bytes.TrimSuffix(path, []byte("/")))
}

// record is the innermost open record, nil where there is none.
func (x *xmlReader) record() *xmlRecord {
	if len(x.records) == 0 {
		return nil
	}
	return &x.records[len(x.records)-1]
}

// endRecord closes the innermost record; its links go to the one around it,
// which may know an id where the inner one has none.
func (x *xmlReader) endRecord() {
	x.release()
	x.spare = x.record().pending
	x.records = x.records[:len(x.records)-1]
}

// release gives out the links that wait in all open records, outer ones first.
func (x *xmlReader) release() {
	id, title := "", ""
	for i := range x.records {
		r := &x.records[i]
		if r.rank >= ownRank || id == "" {
			id = r.id
		}
		if r.title != "" {
			title = r.title
		}
		r.pending = yieldAll(x.d, r.pending, id, title, r.dates)
	}
}

// ownRank is the least rank of an id that a record does not leave to the record
// around it: a dc:identifier in an OAI record counts less than the identifier of
// the OAI header. No element outranks the field that MARC has for it.
const (
	ownRank  = 2
	marcRank = 9
)

// inTitle says whether the element at hand stands inside a title.
func (x *xmlReader) inTitle() bool {
	around := x.open[:max(0, len(x.open)-1)]
	return slices.ContainsFunc(around[max(0, len(around)-3):], func(e element) bool { return e.title })
}

// note takes the id or the title of a record from an element that ends.
func (x *xmlReader) note(e element) {
	r := x.record()
	if r == nil || len(x.content) == 0 || e.idRank <= r.rank && !e.title {
		return
	}
	text := doc.Shown(x.content, doc.ContextSize)
	if e.idRank > r.rank && text != "" {
		r.id, r.rank = text, e.idRank
	}
	if r.title == "" && e.title && !x.inTitle() {
		r.title = text
	}
}

// fault gives out that an element of XML or an attribute that is meant for an address has none.
func (x *xmlReader) fault(value []byte, line, col int) {
	x.found(withoutAddress(value, doc.Found{Line: line, Column: col}))
}

// isLocation says whether the element at hand is the address of a resource in MODS
// (location/url).
func (x *xmlReader) isLocation() bool {
	n := len(x.open)
	return n > 1 && x.open[n-1].name == "url" && x.open[n-2].name == "location"
}

// isLead says whether a reader would go on at the element at hand: the link of a feed (RSS
// 2.0, RFC 4287 section 4.2.7).
func (x *xmlReader) isLead() bool {
	if x.element().name != "link" {
		return false
	}
	root := x.open[0].name
	return root == "rss" || root == "feed" || root == "RDF"
}

// element is the element at hand.
func (x *xmlReader) element() element {
	if len(x.open) == 0 {
		return element{}
	}
	return x.open[len(x.open)-1]
}
