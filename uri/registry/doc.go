// Package registry is the frozen "info" registry and a librarian's additions: how the
// identifiers of each namespace are written, whether they are well formed, and which
// services resolve them.
//
// Files in reading order: registry.go (the records), standing.go, canon.go (their rules
// of spelling), checkdigit.go.
package registry
