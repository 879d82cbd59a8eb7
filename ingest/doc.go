// Package ingest reads sources into the store: it walks folders, leaves out the files
// that have not changed, reads the others side by side, and retires what is no longer
// there. It reports what could not be read. A folder that is out of reach (an
// unmounted disk, a broken export) is not taken for an empty one. What is not on this disk
// it has read by package harvest; it asks no servers.
//
// The files in reading order:
//
//	ingest.go       Read: the sources below each path, and what is missing there
//	replace.go      a collection that was made anew
//	harvest.go      Harvest: archives that are not on this disk
//	rootread.go     the reading of one root, item by item
//	body.go         one document of it
//	rootend.go      what is retired, and how it stands with the root
//	rootstep.go     what waits for the next step
//	known.go        what a harvester is shown of the store
//	rowsread.go     a file of rows in place of sources: its sections
//	rowslink.go     the sections of a file that holds links alone
//	rowsdoc.go      a document in it
//	rowsend.go      what it says of what it does not hold
//	document.go     one source: whether it has changed, and what it holds
//	commit.go       what was read, in transactions
//	names.go        ReadNames: the locations of messages and parts, by name
//	extract.go      Extract: the links of many files, without a store; Document: of one
//	rows.go         Rows: the same with all else that a reading keeps, as rows for another machine
//	rowsmake.go     the rows of one file
//	parallel.go     reading side by side, in order
//	fingerprint.go  whether a source would be read in the same way again
//	walk.go         the files below a path
//	select.go       which of them are read
//	identity.go     what a source is known by, however it is named
//	maildir.go      messages whose files change their names
//	summary.go      what a Read reports
package ingest
