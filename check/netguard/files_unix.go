//go:build unix

package netguard

import (
	"math"
	"syscall"
)

// OpenFiles is how many files and connections this process may have open at a time; 0: the
// system tells of no limit.
func OpenFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || uint64(limit.Cur) > math.MaxInt32 {
		return 0
	}
	return int(limit.Cur)
}
