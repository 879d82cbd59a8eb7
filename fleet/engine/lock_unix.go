//go:build unix

package engine

import (
	"os"
	"syscall"
)

// lock holds a folder for this process alone: the server itself would share it.
func lock(file string) (*os.File, error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		_ = f.Close()
		return nil, ErrInUse
	}
	return f, nil
}
