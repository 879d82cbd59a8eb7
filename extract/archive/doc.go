// Package archive opens what holds other documents: containers (tar, zip), compressed
// files, and web archives (WARC, ARC). What is inside goes back through Nest.
//
// The files in reading order:
//
//   - container.go: tar and compressed files
//   - zip.go: zip, whose directory is charged before it is parsed
//   - members.go: the names of members, and which of them are mail not yet delivered
//   - gzipmembers.go: web archives that are compressed record by record
//   - warc.go: web archives record by record
//   - block.go: the bytes of a record
//   - payload.go: what a record archived
//   - header.go: the headers of records
//   - decoder.go: what undoes a compression, in memory that is used again
package archive
