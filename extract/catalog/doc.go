// Package catalog reads records: library catalogues (MARC in its four forms, XML of
// any kind), bibliographies (BibTeX, RIS, CSL),
// address cards, calendars and tables. A link is given out with
// the id and the title of its record.
//
// The files in reading order:
//
//   - marc.go: MARC as ISO 2709 has it
//   - mrk.go: the mnemonic form of MARC
//   - xml.go: XML of any kind
//   - xmltext.go: text in XML, over inline elements
//   - marcxml.go: the fields of MARCXML
//   - marcfields.go: the directory and the fields of a record of ISO 2709
//   - xmlbase.go: what relative references in XML stand against
//   - xmlelement.go: what elements are known for, by their names
//   - xmlrecord.go: records in XML, and their ids and titles
//   - bibtex.go: BibTeX
//   - ris.go: RIS
//   - json.go: JSON of any kind
//   - notebook.go: text in Markdown in it
//   - vobject.go: address cards and calendars
//   - csv.go: tables
//   - kbart.go, columns.go: lists of titles, and columns that are named
//   - field.go: the links of one field of a MARC record, and what waits for its id
//   - faults.go: what is wrong with places for addresses
//   - recordid.go: the id of a record, and what it says of its dates
//   - doi.go: DOIs that stand alone
package catalog
