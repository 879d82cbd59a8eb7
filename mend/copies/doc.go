// Package copies reads sources, shows what a mend would change in them, and writes corrected
// copies into a folder of their own. It never writes a source.
//
// The files in reading order:
//
//   - plan.go: what is wanted in which source
//   - fixes.go: tables of fixes that a person may have edited
//   - copies.go: Mend, source by source
//   - readyfiles.go: files for library systems beside the copies
//   - folder.go: where the copies go, and the list of what was changed in them
//   - redirects.go: the same for servers of mirrors
package copies
