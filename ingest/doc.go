// Package ingest reads sources into the store: it walks folders, passes over the
// files that have not changed, reads the others side by side, and retires what is
// no longer there. It says what could not be read; it never takes a folder that is
// out of reach (an unmounted disk, a broken export) for an empty one. It asks no
// server anything: that is package crawl.
//
// The files in reading order:
//
//	ingest.go       Read: the sources below each path, and what is missing there
//	document.go     one source: has it changed, what does it hold
//	commit.go       what was read, in transactions
//	names.go        ReadNames: where the messages and parts are that links name
//	extract.go      Extract: the links of many files, without a store
//	parallel.go     reading side by side, in order
//	fingerprint.go  whether a source would be read in the same way again
//	walk.go         the files below a path
//	summary.go      what a Read reports
package ingest
