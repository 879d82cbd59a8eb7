// Package memento asks a web archive for copies of dead and moved links, in the
// Memento protocol (RFC 7089) or from a CDX server, one question after the other
// with a pause between them. It remembers the answers, so that no address is asked
// about again before its answer is old. Requests go through the Doer that is handed in.
//
// The files in reading order:
//
//	client.go    which links are asked about, and when
//	protocols.go how TimeGates and CDX servers are asked
//	copies.go    the answers, and the file they are kept in
package memento
