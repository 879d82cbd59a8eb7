// Package prospero asks Prospero servers (the Prospero Protocol version 5 over
// ARDP, rfc1738bis section 2.9) whether an object is there. uri/prospero.go
// says what a prospero URL means.
//
// One question is one datagram, with a window of one packet, so that no answer
// is longer than one packet and a server is never made to flood anyone
// (REAL-SERVERS B8). It asks for attributes and component names, never for
// contents, and sends no archie query. Silence proves nothing: a
// datagram may be lost, and a refusal cannot be told from it on a socket that
// must take answers from two ports. Anyone may send a datagram in the server's
// name: ids and our ports are random, and strong evidence takes two answers that
// agree.
//
// The files, in reading order:
//
//	probe.go       New; the steps of a probe
//	session.go     a question in a datagram, and its answer
//	request.go     the text that is sent
//	classify.go    what an answer means
//	wire.go        the header of a datagram, and the tokens of its lines
package prospero
