// Package serve shows a report in a browser, page by page over a live store, for
// stores too large for one file. It only reads, sets no cookie and runs no script.
//
// The files in reading order:
//
//	serve.go the server and its first page
//	token.go who may read it
//	crowd.go how many connections are open
//	list.go  the list of links
//	index.go what the list is filtered and sorted by
//	link.go  the page of one link
//	pages.go what all pages share
package serve
