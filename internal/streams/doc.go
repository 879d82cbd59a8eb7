// Package streams is the standard streams of a program that Ctrl-C ends, and what is shown
// of long work where they are a terminal.
//
// Files, in reading order:
//   - progress.go: how far long work is
//   - streams.go: standard input and output, which end with a context; whether a stream is a terminal
package streams
