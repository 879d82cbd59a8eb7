// Package wais asks WAIS servers (Z39.50-1988 with the WAIS extensions, RFC
// 1625, rfc1738bis section 2.7) whether a database or a document is there.
// uri/wais.go says what a wais URL means.
//
// It follows what freeWAIS-sf was seen to answer (REAL-SERVERS section A):
// header groups and diagnostics decide, never counts or status octets. It never
// pipelines, never sends a document id that makes a server's process fall over,
// and fetches 64 octets of a document at most.
//
// The files, in reading order:
//
//	probe.go       New; the steps of a probe
//	session.go     a conversation over one connection at a time
//	request.go     what is sent, and document ids
//	classify.go    what an answer means
//	answer.go      what came
//	wire.go        messages and their fields as octets
package wais
