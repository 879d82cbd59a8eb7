// Package text writes reports as plain text: a table for the terminal, the summary
// that is mailed after a run, the duplicates, one link, one URI, and figures for Prometheus.
//
// The files in reading order:
//
//	text.go       the report for a terminal
//	summary.go    the report for a mail
//	list.go       the links that one person mends, for a mail
//	duplicates.go duplicate groups
//	faults.go     how addresses are written
//	link.go       what is known of one link
//	uri.go        what a string is as a URI, and whether two are the same
//	terminal.go   columns, wrapping, colour
//	metrics.go    figures for Prometheus
package text
