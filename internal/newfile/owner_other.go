//go:build !unix

package newfile

import "io/fs"

// SameOwner reports whether two files belong to one user, where files show whose they
// are: here they do not.
func SameOwner(a, b fs.FileInfo) bool { return true }
