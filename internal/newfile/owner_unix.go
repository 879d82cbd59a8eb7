//go:build unix

package newfile

import (
	"io/fs"
	"syscall"
)

// SameOwner reports whether two files belong to one user.
func SameOwner(a, b fs.FileInfo) bool {
	x, xok := a.Sys().(*syscall.Stat_t)
	y, yok := b.Sys().(*syscall.Stat_t)
	return xok && yok && x.Uid == y.Uid
}
