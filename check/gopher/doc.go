// Package gopher asks Gopher and Gopher+ servers (RFC 1436, the Gopher+ paper
// of 1993, rfc1738bis section 2.3) whether an item is there. uri/gopher.go says
// what a gopher URL means.
//
// It sends one selector, reads the beginning of the answer and judges it by its
// content, since RFC 1436 has no status codes; a Read has all of it. It never submits
// an ASK form, and follows no menu.
//
// The files, in reading order:
//
//	probe.go       New; the steps of a probe, and items of other protocols
//	read.go        Read: menus and documents whole
//	ending.go      which of them seem to be cut
//	request.go     the line that is sent
//	classify.go    what an answer means
//	words.go       in which words servers refuse
//	wire.go        answers, menus and Gopher+ headers as octets
package gopher
