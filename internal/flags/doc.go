// Package flags is what flags of a command line have in common, whichever verb they belong
// to: kinds of values, words, times, and how a value comes from a file or the environment.
//
// Files, in reading order:
//   - flags.go: times with days, words, clocks and ages
//   - values.go: values of files and of the environment, and what is wrong with a value
//   - nearest.go: the name that a word is a misspelling of
package flags
