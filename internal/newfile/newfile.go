// Package newfile makes files that appear whole or not at all, also in a folder where
// others may write: temporary names are random, are never there before, and no link is
// followed to one.
package newfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The modes of new files.
const (
	Private fs.FileMode = 0o600 // for the owner alone
	Shared  fs.FileMode = 0o666 // for whom the umask lets
)

// Target follows links: it gives the name of the file that path leads to, and path itself
// where that leads to nothing.
func Target(path string) string {
	if file, err := filepath.EvalSymlinks(path); err == nil {
		return file
	}
	return path
}

// Replace writes a file under a temporary name beside path, syncs it, and gives it the
// name path. A file that was there leaves its mode to it; a link that stands there is
// replaced itself. write may close the file, and has then to sync it. On an error path is
// as it was; one of this function wraps *fs.PathError or *os.LinkError.
func Replace(path string, mode fs.FileMode, write func(*os.File) error) error {
	old, err := os.Lstat(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && old.Mode().Type()&^fs.ModeSymlink != 0:
		return &fs.PathError{Op: "replace", Path: path, Err: fmt.Errorf("it is no file: %w", fs.ErrInvalid)}
	case err == nil && old.Mode().IsRegular():
		mode = old.Mode().Perm()
	default:
		old = nil
	}
	return place(path, mode, func(f *os.File) error {
		if old != nil { // the umask has no say over it
			if err := f.Chmod(mode); err != nil {
				return err
			}
		}
		return write(f)
	}, os.Rename)
}

// Create is Replace for a path that is not there; if it is there in the end, it stays and
// the error wraps fs.ErrExist.
func Create(path string, mode fs.FileMode, write func(*os.File) error) error {
	return place(path, mode, write, os.Link)
}

// place writes a temporary file and gives it its name by publish.
func place(path string, mode fs.FileMode, write func(*os.File) error, publish func(from, to string) error) (err error) {
	dir, base := filepath.Split(path)
	removeStale(dir, base)
	name := filepath.Join(dir, temporary(base))
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if rerr := os.Remove(name); !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}()
	err = write(f)
	for _, end := range []func() error{f.Sync, f.Close} {
		if eerr := end(); err == nil && !errors.Is(eerr, os.ErrClosed) {
			err = eerr
		}
	}
	if err == nil {
		err = publish(name, path)
	}
	if err == nil {
		syncFolder(dir)
	}
	return err
}

const (
	suffix   = ".tmp"
	longest  = 200 // octets of a name that a temporary one repeats: most systems allow 255
	staleAge = time.Hour
)

// temporary gives a name that nobody can foresee.
func temporary(base string) string { return prefix(base) + rand.Text() + suffix }

func prefix(base string) string { return "." + base[:min(len(base), longest)] + "." }

// removeStale removes what a crash left of earlier files of a name: what is so old that
// nobody writes it.
func removeStale(dir, base string) {
	entries, _ := os.ReadDir(filepath.Clean(dir)) // what cannot be listed stays
	for _, e := range entries {
		middle, ours := strings.CutPrefix(e.Name(), prefix(base))
		middle, whole := strings.CutSuffix(middle, suffix)
		if !ours || !whole || len(middle) != len(rand.Text()) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAge {
			_ = os.Remove(filepath.Join(dir, e.Name())) // the next one tries again
		}
	}
}

// syncFolder makes a new name outlast a loss of power, where the folder can be read and
// its file system knows of that.
func syncFolder(dir string) {
	if d, err := os.Open(filepath.Clean(dir)); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
