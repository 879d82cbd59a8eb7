//go:build unix

package config

import (
	"io/fs"
	"os"
	"syscall"
)

// trusted says whether a file belongs to the person or to root.
func trusted(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(stat.Uid) == os.Geteuid() || stat.Uid == 0)
}
