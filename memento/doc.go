// Package memento asks a web archive for copies of dead and moved links, in the
// Memento protocol (RFC 7089) or from a CDX server, one question after the other
// with a pause between them. It remembers the answers, and asks again only when an
// answer is old. All requests go through Client.Doer.
//
// The files in reading order:
//
//	client.go    which links are asked about, and when
//	protocols.go how TimeGates and CDX servers are asked
//	copies.go    the answers, and the file they are kept in
package memento
