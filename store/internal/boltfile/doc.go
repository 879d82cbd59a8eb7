// Package boltfile is one bbolt file: opened safely, read and written in
// transactions, copied and checked. It knows nothing of what the file holds.
//
// bbolt trusts its file. It maps it whole, so that one that was cut short ends the
// process with a signal; it panics on pages that are not what they should be. This
// package looks before it maps, turns panics into errors, and checks pages by a walk
// of its own.
//
// The files, in reading order:
//
//	file.go      File: open, read, write, close
//	copy.go      Create, Copy, Rewrite: files that appear whole or not at all
//	salvage.go   Salvage: what can be read of a damaged file
//	pages.go     CheckPages: every page, read from the file and not through bbolt
//	elements.go  what stands on them: rows, buckets, free pages
//	marks.go     which pages were met, and what is wrong with them
//	rowsums.go   the rows on them, compared with the sums of their buckets
//	rows.go      loops over the rows of a bucket
//	forget_linux.go, forget_other.go   pages that were read take no memory for long
//	tx.go        Tx, Bucket, Cursor: rows without the checksums that they carry
//	seal.go      the checksums, and the sums of the buckets
//	header.go    the two meta pages, read before the file is mapped
//	errors.go    what a caller branches on
package boltfile
