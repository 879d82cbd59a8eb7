//go:build !unix

package engine

import "os"

// lock holds a folder for this process alone, where the system refuses to remove an open file.
func lock(file string) (*os.File, error) {
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
		return nil, ErrInUse
	}
	return os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
}
