// Package pending commits rows in the order in which they come, and puts them in their
// final place later, much of it at a time and in the order of the pages.
//
// Rows in the order in which they come fall on pages all over the file, and every page
// that is touched costs its whole length. So results wait in the journal, and new links
// are found by a map in memory until the index takes them. All of it is on disk from
// the start: what a crash leaves is flushed by who opens the store next, and no result
// counts twice.
//
// The files, in reading order:
//
//	queue.go     Queue: what waits, and views for readers that must not miss it
//	flush.go     the results of the journal, judged link by link
//	journal.go   the rows of the journal
//	index.go     from the identity of a link to its number
package pending
