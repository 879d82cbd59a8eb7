// Package rootsettings is what the person decided about archives: the tables [[root]] of
// their configuration. A root is the path of a file or folder, or the URI of an archive
// that is not on this disk.
//
// Secrets (password-file, token-file, the variable LINKCHECK_SECRET_<NAME>) are for the
// server of their root alone.
//
// Files, in reading order:
//   - read.go: what a table may say
//   - values.go: values of one kind each
//   - secrets.go: what is read from files and the environment
//   - sample.go: a table with every key, for people
package rootsettings
