package catalog

import (
	"slices"
	"strings"

	"linkcheck/extract/dates"
	"linkcheck/extract/doc"
	"linkcheck/extract/textscan"
	"linkcheck/extract/xmltoken"
	"linkcheck/internal/ascii"
)

// recordNames are the elements that hold one record each.
var recordNames = map[string]bool{
	"record": true, "mods": true, "ead": true, "dc": true, "item": true, "entry": true, "srw_dc": true,
}

// isRecord says whether an element holds a record of its own: one of recordNames, or a
// component of a finding aid (EAD 2002, c and c01 to c12), for which unitid and unittitle speak.
func (x *xmlReader) isRecord(name string) bool {
	if recordNames[name] {
		return true
	}
	return len(name) > 0 && name[0] == 'c' && (len(name) == 1 || len(name) == 3 && ascii.Digits(name[1:])) && slices.Contains(x.open, "ead")
}

// wholeElements hold one URI and nothing else.
var wholeElements = map[string]bool{
	"loc": true, "url": true, "link": true, "uri": true, "identifier": true, "guid": true, "relation": true, "source": true,
	"electronicLocator": true, "recordContentSource": true, "string": true, "docs": true, "comments": true,
}

// atomReferences hold one reference each, which may be relative (RFC 4287 sections 3.2.2, 4.2.5 and 4.2.8).
var atomReferences = map[string]bool{"uri": true, "icon": true, "logo": true}

// silentElements hold names of namespaces and schemas, and the address of the OAI
// server itself: no links.
var silentElements = map[string]bool{
	"metadataNamespace": true, "schema": true, "request": true, "schemaLocation": true,
}

// xmlLinkAttrs hold references; the values of other attributes only name something.
var xmlLinkAttrs = map[string]bool{
	"href": true, "src": true, "url": true, "uri": true, "link": true, "target": true, "resource": true, "fileref": true,
	"xmlUrl": true, "htmlUrl": true, "imageUrl": true, "location": true,
	"instanceurl": true, "URL": true, "image": true, // of EAD3, and of outlines
	"HRef": true, "dest": true, // of Excel and Word 2003
	"ref": true, // of names in TEI
}

// isLinkAttr says whether an attribute holds a link.
func isLinkAttr(name string) bool {
	return xmlLinkAttrs[xmltoken.Local(name)] && !strings.HasPrefix(name, "xmlns")
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
	return local == "href" || local == "src" || local == "fileref" || local == "url" && x.element() == "graphic" || name == "rdf:resource"
}

// isPointer says whether an attribute holds pointers with blanks between them (TEI P5, teidata.pointer).
func (x *xmlReader) isPointer(local string) bool {
	return local == "ref" || local == "target" && (x.element() == "ref" || x.element() == "ptr")
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
		f.Locator = strings.Join(x.open[max(0, len(x.open)-3):], "/") // the element and those around it
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

// idRanks says how good an element is as the id of the record that it stands in.
var idRanks = map[string]int{"identifier": 1, "guid": 1, "id": 2, "unitid": 2, "eadid": 3, "recordIdentifier": 3, "recordid": 3}

// titleElements hold the title of a record, with what stands inside them.
var titleElements = map[string]bool{"title": true, "titleproper": true, "unittitle": true}

// inTitle says whether the element at hand stands inside a title.
func (x *xmlReader) inTitle() bool {
	around := x.open[:max(0, len(x.open)-1)]
	return slices.ContainsFunc(around[max(0, len(around)-3):], func(name string) bool { return titleElements[name] })
}

// note takes the id or the title of a record from an element that ends.
func (x *xmlReader) note(name string) {
	r := x.record()
	if r == nil || len(x.content) == 0 {
		return
	}
	text := doc.Shown(x.content, doc.ContextSize)
	if rank := idRanks[name]; rank > r.rank && text != "" {
		r.id, r.rank = text, rank
	}
	if r.title == "" && titleElements[name] && !x.inTitle() {
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
	return n > 1 && x.open[n-1] == "url" && x.open[n-2] == "location"
}

// isLead says whether a reader would go on at the element at hand: the link of a feed (RSS
// 2.0, RFC 4287 section 4.2.7).
func (x *xmlReader) isLead() bool {
	return x.element() == "link" && (x.open[0] == "rss" || x.open[0] == "feed" || x.open[0] == "RDF")
}

// element is the name of the element at hand.
func (x *xmlReader) element() string {
	if len(x.open) == 0 {
		return ""
	}
	return x.open[len(x.open)-1]
}
