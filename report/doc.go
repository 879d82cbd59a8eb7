// Package report says what a store knows: it judges every link into a [Row], sums
// the rows up into a [Report], and finds duplicates. Packages table, text, html and
// serve write what it gives; all words come from package words. It only reads a
// [Source], and opens no connection.
//
// [Build] makes one pass and keeps sums and the most urgent rows only; what has a
// row for every link or mention reads the source a second time, by [Scope.EachRow].
// Two reports of one store at one time are equal to the byte.
//
// The files in reading order:
//
//	build.go      the one pass, and what is summed up in it
//	sources.go    what was read, and wants a look
//	figures.go    sums for those who watch the nights from outside
//	causes.go     many links with one trouble
//	suggested.go  the address to write instead
//	rewrites.go   many links that moved alike
//	movedsites.go sites that moved as a whole, and what they say of their links
//	duplicates.go groups of spellings of one thing
//	preferred.go  which spelling of a group is to be kept
//	ranking.go    the most urgent rows, and which links one HTML file contains
//	headline.go   the lines on top of every format
//	rows.go       the source, link by link
//	options.go    what is wanted, made ready: Scope
//	roots.go      the archives that were read, and who mends their links
//	owners.go     who mends what, in numbers
//	row.go        one link: its group, its sentences, its locations
//	sentences.go  what happened to it, and what to do
//	sanitize.go   untrusted text made fit to be shown
package report
