// Package check holds the words of probing: outcomes, reasons, results, the
// Prober that every protocol implements, and the one way from an error to an
// outcome. It knows no protocol: each has a package below, and check/all is their
// table. Connections come from check/netguard, by which every address is judged.
//
// The files, in reading order:
//
//	prober.go          Prober, what it is given and what it offers; how one probe is run
//	reader.go          Reader, which brings what a URI names
//	continuation.go    a probe that leads from host to host
//	tls.go             TLS that accepts bad certificates and says what is wrong
//	classify.go        from errors to results
//	result.go          what one probe learned
//	reply.go           a server's words, cleaned
//	flags.go           remarks on a result
//	reasons.go         why a probe ended with its outcome
package check
