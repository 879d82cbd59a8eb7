// Package records takes pages of catalogues apart while they come: answers of OAI-PMH and
// SRU, and the lists of WASAPI. Each record is handed on as an XML document of its own, in UTF-8, with the
// namespaces that were declared around it.
//
// A record that is not well formed, or too long, costs itself alone: it is handed on without its
// body, and the page is read on from where the next one begins. A page that breaks off, or whose
// frame is not well formed, ends there: the records before were handed on.
// What XML forbids and records contain all the same, control characters and octets that
// are no UTF-8, is made blank; a bare ampersand is text.
//
// The files in reading order:
//
//   - oai.go: answers of OAI-PMH
//   - sru.go: answers of SRU
//   - wasapi.go: pages of lists of web archive files
//   - alone.go: records that come without a page, in XML or MARC
//   - scan.go: the elements of a page, and the records in them
//   - passover.go: records that cannot be read
//   - facts.go: what a record says of itself
//   - source.go: the octets of a page
package records
