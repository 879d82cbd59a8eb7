// Package catalog reads records: library catalogues (MARC in its four forms, XML of
// any kind), bibliographies (BibTeX, RIS, CSL) and tables. A link is given out with
// the id and the title of its record.
//
// The files in reading order:
//
//   - marc.go: MARC as ISO 2709 has it
//   - marcfields.go: the directory and the fields of such a record
//   - mrk.go: the mnemonic form of MARC
//   - xml.go: XML of any kind
//   - marcxml.go: the fields of MARCXML
//   - xmlrecord.go: records in XML, and their ids and titles
//   - bibtex.go: BibTeX
//   - ris.go: RIS
//   - json.go: JSON of any kind
//   - csv.go, columns.go: tables
//   - field.go: the links of one field of a MARC record, and what waits for its id
//   - doi.go: DOIs that stand alone
package catalog
