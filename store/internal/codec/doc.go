// Package codec writes the rows of the store as octets, and reads them again.
//
// A row is fields in a fixed order: numbers as varints, strings with their length
// before them, times as seconds since 1970 plus one (0: none). A row may grow at its
// end: a reader gets zeros for what an older writer did not know. What is stored may
// never change its octets; new fields come last.
//
// The files, in reading order:
//
//	judgement.go   what the rules remember of a link
//	memory.go      what is known of a link's text
//	result.go      what a probe learned, in four parts
//	packed.go      strings that are mostly the same few words, digests and dates
//	twoway.go      Fields: written and read in one order
//	fields.go      Writer and Reader: numbers, strings, times
//	keys.go        the keys of rows, and numbers of a fixed length
package codec
