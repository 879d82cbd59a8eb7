// Package cnrp asks Common Name Resolution Protocol services (RFC 3367, over
// HTTP on port 1096) about go URIs (RFC 3368). uri/go.go says what a go URI
// means.
//
// A question is one HTTP POST of a small XML document. It follows no redirect
// and no referral, loads no DTD, and never sends the user of a URI.
//
// The files, in reading order:
//
//	probe.go       New; the steps of a probe
//	session.go     one exchange over HTTP
//	classify.go    what an answer means
//	request.go     the document that is sent
//	answer.go      the document that came
package cnrp
