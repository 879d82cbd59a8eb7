package catalog

import (
	"slices"

	"linkcheck/internal/ascii"
)

// element is an open element: its local name, and what it is known for.
type element struct {
	name string
	traits
}

// traits are what elements of a name are known for, in whatever kind of XML.
type traits struct {
	record bool // holds a record
	title  bool // holds the title of a record, with what stands inside
	whole  bool // holds one URI and nothing else
	atom   bool // holds a reference of a feed, which may be relative (RFC 4287 sections 3.2.2, 4.2.5 and 4.2.8)
	silent bool // holds names of namespaces and schemas, or the address of the OAI server itself: no links
	inline bool // changes how a piece of text looks, which goes on over it; a raised number is no part of an address, so that sup does not
	idRank int  // how good it is as the id of the record that it stands in
}

// traitsOf gives the traits of a name that means something.
func traitsOf(name string) (t traits) {
	switch name {
	case "record", "mods", "ead", "dc", "item", "entry", "srw_dc":
		t.record = true
	case "title", "titleproper", "unittitle":
		t.title = true
	case "id", "unitid":
		t.idRank = 2
	case "eadid", "recordIdentifier", "recordid":
		t.idRank = 3
	case "identifier", "guid":
		t.whole, t.idRank = true, 1
	case "loc", "url", "link", "relation", "source", "electronicLocator", "recordContentSource", "string", "docs", "comments":
		t.whole = true
	case "uri":
		t.whole, t.atom = true, true
	case "icon", "logo":
		t.atom = true
	case "metadataNamespace", "schema", "request", "schemaLocation":
		t.silent = true
	case "emphasis", "emph", "em", "strong", "b", "i", "u", "B", "I", "U", "hi", "italic", "bold", "underline", "span", "tspan", "style":
		t.inline = true
	}
	return t
}

// isRecord says whether an element holds a record of its own, be it a component of a finding
// aid (EAD 2002, c and c01 to c12), for which unitid and unittitle speak.
func (x *xmlReader) isRecord(e element) bool {
	component := e.name != "" && e.name[0] == 'c' && (len(e.name) == 1 || len(e.name) == 3 && ascii.Digits(e.name[1:]))
	return e.record || component && slices.ContainsFunc(x.open, func(around element) bool { return around.name == "ead" })
}
