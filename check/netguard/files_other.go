//go:build !unix

package netguard

// OpenFiles is how many files and connections this process may have open at a time; 0: the
// system tells of no limit.
func OpenFiles() int { return 0 }
