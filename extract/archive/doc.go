// Package archive opens what holds other documents: containers (tar, zip), compressed
// files, and web archives (WARC, ARC). What is inside goes back through Nest.
//
// The files in reading order:
//
//   - container.go: tar, zip and compressed files, and the limits against bombs
//   - gzipmembers.go: web archives that are compressed record by record
//   - warc.go: the records of a web archive
//   - block.go: the bytes of a record
//   - arc.go: the header line of a record of the older form
//   - payload.go: what a record archived
package archive
