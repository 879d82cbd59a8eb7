// Package ready makes the files with which library systems do a mend themselves: lists of
// replacements, of records, and whole records (docs/MEND.md says where each system takes them).
// It is pure: changes that were made in copies go in, files come out.
//
// The files in reading order:
//
//   - ready.go: Batch, the changes and the files of each system
//   - replace.go: which replacements are safe as replacements of text
package ready
