// Package z3950 asks Z39.50 servers (ANSI Z39.50-1995, RFC 2056) whether a
// document is there. uri/z3950.go says what a z39.50r or z39.50s URL means.
//
// It searches for the docid alone and fetches the record only where the URL
// names an element set or a record syntax, so a probe costs a server one lookup
// in its docid index. It asks for no database list, no scan and no extended
// service, and never guesses another attribute: a hit in another index proves
// nothing.
//
// The files, in reading order:
//
//	probe.go       New; the steps of a probe
//	read.go        Read; the records that a query finds
//	pqf.go         queries as people write them
//	session.go     one association: an APDU out, an APDU in
//	request.go     the APDUs that are sent, and how BER is written
//	classify.go    what an answer means
//	answer.go      what the APDUs say that come
//	wire.go        how BER is read
package z3950
