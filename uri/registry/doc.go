// Package registry is the frozen "info" registry and a librarian's additions: how the
// identifiers of each namespace are written, whether they are well formed, and which
// services resolve them.
//
// The files, in reading order:
//
//	standing.go    what the registry says of one URI
//	registry.go    the records, read from registry.toml and from a librarian's file
//	canon.go       how the identifiers of a namespace are spelled
//	checkdigit.go  check characters, which only warn
package registry
