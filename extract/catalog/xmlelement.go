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

// elements are the names that mean something.
var elements = map[string]traits{
	"record": {record: true}, "mods": {record: true}, "ead": {record: true}, "dc": {record: true}, "item": {record: true}, "entry": {record: true}, "srw_dc": {record: true},

	"title": {title: true}, "titleproper": {title: true}, "unittitle": {title: true},

	"id": {idRank: 2}, "unitid": {idRank: 2}, "eadid": {idRank: 3}, "recordIdentifier": {idRank: 3}, "recordid": {idRank: 3},
	"identifier": {whole: true, idRank: 1}, "guid": {whole: true, idRank: 1},

	"loc": {whole: true}, "url": {whole: true}, "link": {whole: true}, "relation": {whole: true}, "source": {whole: true},
	"electronicLocator": {whole: true}, "recordContentSource": {whole: true}, "string": {whole: true}, "docs": {whole: true}, "comments": {whole: true},
	"uri": {whole: true, atom: true}, "icon": {atom: true}, "logo": {atom: true},

	"metadataNamespace": {silent: true}, "schema": {silent: true}, "request": {silent: true}, "schemaLocation": {silent: true},

	"emphasis": {inline: true}, "emph": {inline: true}, "em": {inline: true}, "strong": {inline: true}, "b": {inline: true}, "i": {inline: true}, "u": {inline: true},
	"B": {inline: true}, "I": {inline: true}, "U": {inline: true}, "hi": {inline: true}, "italic": {inline: true}, "bold": {inline: true}, "underline": {inline: true},
	"span": {inline: true}, "tspan": {inline: true}, "style": {inline: true},
}

// isRecord says whether an element holds a record of its own, be it a component of a finding
// aid (EAD 2002, c and c01 to c12), for which unitid and unittitle speak.
func (x *xmlReader) isRecord(e element) bool {
	component := e.name != "" && e.name[0] == 'c' && (len(e.name) == 1 || len(e.name) == 3 && ascii.Digits(e.name[1:]))
	return e.record || component && slices.ContainsFunc(x.open, func(around element) bool { return around.name == "ead" })
}
