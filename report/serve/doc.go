// Package serve shows a report in a browser, page by page over a live store, for
// stores too large for one file. It only reads, sets no cookie and runs no script, but for an
// Editor, by which people and plugins change the store.
//
// The files in reading order:
//
//	serve.go the server and its first page
//	edit.go  who may change what it shows
//	api.go   how: the routes
//	token.go who may read it
//	crowd.go how many connections are open
//	view.go  what only an Editor shows: links and log as JSON, the log, exports of a view
//	openapi.go the description of the API
//	list.go  the list of links
//	index.go what the list is filtered and sorted by
//	packed.go the text that is searched
//	link.go  the page of one link
//	pages.go what all pages share
package serve
