// Package html writes a report as one page that is complete in its file: it contains
// style, script and data, and loads nothing from the network. Without script
// it shows the sums and the first rows; report.js shows all links from the data.
// Package serve shows parts of the same page from a live store.
//
// The files in reading order:
//
//	director.go   the printed page for who answers for the collection
//	html.go       the file
//	page.go       what the templates show
//	parts.go      a link, a group of duplicates, what the report does not know
//	faults.go     what is wrong with how addresses are written
//	drawings.go   the groups and their course over the runs
//	data.go       the links for the script
//	datatables.go what they refer to by number, and the words
//	elements.go   icons, addresses and commands in HTML
package html
