// Package builds writes reports in the forms that builds, code hosts and feed readers take:
// JUnit XML, SARIF, GitLab's code quality, GitHub's workflow commands, Markdown, Atom, and what changed as JSON. Who
// keeps documents beside programs sees a dead link where a failed test is shown.
//
// A finding is a place of a link that needs a person. Each form has its own words for how
// bad it is: a link to fix is an error, one to update a warning, one to look at a note.
//
// The files in reading order:
//
//	gitlab.go   GitLab's code quality
//	sarif.go    results of an analysis
//	github.go   GitHub's workflow commands
//	atom.go     what changed, for feed readers
//	junit.go    tests: every link that was asked, a test of its document
//	findings.go what these have in common
//	markdown.go tables for a page or a comment
//	changes.go  what changed in a run, for who is told at once
package builds
