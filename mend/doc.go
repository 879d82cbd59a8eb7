// Package mend makes corrected copies of documents: it changes the values of addresses, and
// no other octet but the lengths that say where they stand (docs/MEND.md). It is pure.
//
// The files in reading order:
//
//   - mend.go: Rewrite, and what it leaves
//   - marcxml.go: the records of a copy as MARCXML
//   - records.go: the records alone that changed
//   - verify.go: the copy of a piece, read again
//   - match.go: to which place of the document a change belongs
//   - archived.go: what becomes of an address with an archived copy
//   - marc.go: records of ISO 2709 with their directory
//   - workbook.go: sheets of XLSX
//   - place.go: where a place stands in the octets
//   - spelling.go: how values are written in each format
//   - document.go: what is being rewritten, and what extract finds in it
package mend
