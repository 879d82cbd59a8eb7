// Package records takes pages of catalogues apart while they come: answers of OAI-PMH and
// SRU. Each record is handed on as an XML document of its own, in UTF-8, with the
// namespaces that were declared around it.
//
// A page need not be well formed to its end: the records before a fault were handed on.
// What XML forbids and records contain all the same, control characters and octets that
// are no UTF-8, is made blank; a bare ampersand is text.
//
// The files in reading order:
//
//   - oai.go: answers of OAI-PMH
//   - sru.go: answers of SRU
//   - alone.go: records that come without a page, in XML or MARC
//   - scan.go: the elements of a page, and the records in them
//   - facts.go: what a record says of itself
//   - source.go: the octets of a page
package records
