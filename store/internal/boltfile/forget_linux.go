package boltfile

import (
	"syscall"
)

// Forget ends the use of memory for the pages that were read by a transaction and others
// before it: bbolt maps the whole file, and each page that was ever looked at counts as
// memory of this process until the kernel is in want of it. What is looked at again comes
// back out of the kernel's own cache. The map is read only and as long as the file at
// least, and stays while the transaction is open.
func Forget(tx *Tx) {
	if tx.home != nil {
		Forget(tx.home)
	}
	if size := tx.Size(); size > mostMapped {
		// A refusal leaves everything as it is.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, tx.tx.DB().Info().Data, uintptr(size), syscall.MADV_DONTNEED)
	}
}
