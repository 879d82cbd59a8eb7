// Package extracttest holds what the tests of the readers share: documents made for
// tests, the corpus beside the repository, and what is true of every document.
// Reading order:
//
//	findings.go  reads a document of a test and lists what was found
//	laws.go      what holds for every input, for fuzzing
//	corpus.go    where the corpus lies
//	bench.go     long documents of each kind
//	records.go   single records: MARC, WARC, parts of messages
//	pack.go      containers
package extracttest
