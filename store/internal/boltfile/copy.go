package boltfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Create makes a file that fill has filled, under a temporary name first, so that a
// crash leaves no half file. If another process was faster, its file stays.
func Create(path string, fill func(*bolt.Tx) error) (err error) {
	removeStale(path)
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(tmp.Name())) }()
	if err := tmp.Close(); err != nil {
		return err
	}
	db, err := bolt.Open(tmp.Name(), 0o644, &bolt.Options{FreelistType: bolt.FreelistMapType})
	if err != nil {
		return err
	}
	if err := errors.Join(os.Chmod(tmp.Name(), 0o644), db.Update(fill), db.Close()); err != nil {
		return err
	}
	if err := os.Link(tmp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// staleAge is the age at which a half-made file can only be what a crash left.
const staleAge = time.Hour

func removeStale(path string) {
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".new-*")) // none if the name is a bad pattern
	for _, name := range left {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > staleAge {
			_ = os.Remove(name) // the next one tries again
		}
	}
}

// Copy writes what a transaction sees to a file at path, which appears whole or not
// at all. The source may be written meanwhile.
func Copy(path string, view func(func(*bolt.Tx) error) error) error {
	return replace(path, func(tmp *os.File) error {
		return view(func(tx *bolt.Tx) error {
			_, err := tx.WriteTo(tmp)
			return err
		})
	})
}

// compactTx bounds a transaction of compaction, in octets.
const compactTx = 8 << 20

// Compact rewrites the file without its free pages. The old file stays open and is to
// be closed: its name is that of the new one.
func (f *File) Compact() error {
	return replace(f.path, func(tmp *os.File) error {
		db, err := bolt.Open(tmp.Name(), 0o644, &bolt.Options{
			FreelistType: bolt.FreelistMapType, NoSync: true, // synced once, by replace
		})
		if err != nil {
			return err
		}
		return errors.Join(f.compactInto(db), db.Close())
	})
}

func (f *File) compactInto(db *bolt.DB) (err error) {
	defer catchPanic(&err)()
	return bolt.Compact(db, f.db, compactTx)
}

// replace makes a file under a temporary name, syncs it and renames it to path.
// The name is always the same, so that a crash leaves at most one. A symbolic link is
// followed to its file; what is no file is never replaced.
func replace(path string, write func(*os.File) error) (err error) {
	defer func() {
		if err != nil && !errors.Is(err, ErrUnwritable) {
			err = fmt.Errorf("%w: %w", ErrUnwritable, err)
		}
	}()
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%w: %s is no file", ErrUnwritable, path)
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	tmp, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	err = errors.Join(write(tmp), tmp.Sync())
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return syncDir(filepath.Dir(path))
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
