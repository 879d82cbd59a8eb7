// Package pending commits rows in the order in which they arrive, and flushes them to
// their final places later, many at a time and in the order of the pages.
//
// Rows as they arrive belong to pages all over the file, and a transaction writes every
// page that it changes whole. So results are committed to the journal first, and a map in
// memory finds new links until they are in the index. All of it is on disk from the
// start: pending rows that a crash leaves are flushed when the store is opened next, and
// no result counts twice.
//
// The files, in reading order:
//
//	queue.go     Queue: what is pending, and views for readers that must not miss it
//	flush.go     the results of the journal, judged link by link
//	journal.go   the rows of the journal
//	index.go     from the identity of a link to its number
package pending
