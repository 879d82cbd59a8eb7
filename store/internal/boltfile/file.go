package boltfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// File is an open bbolt file. It may be used by many goroutines; changes queue up
// behind one another.
type File struct {
	db   *bolt.DB
	path string
}

// Open opens the file at path, which must exist: for reading beside other readers, or
// alone for writing. It waits for another process that holds it, at most as long as wait.
// The error wraps ErrInUse, ErrForeign, ErrCorrupt or ErrUnwritable where it is one of
// these, and the file is then as it was.
func Open(path string, readOnly bool, wait time.Duration) (*File, error) {
	for {
		if err := checkHeader(path); err != nil {
			return nil, err
		}
		var locked os.FileInfo
		db, err := openBolt(path, readOnly, wait, func(name string, flag int, mode os.FileMode) (*os.File, error) {
			f, err := os.OpenFile(name, flag&^os.O_CREATE, mode)
			if err == nil {
				locked, err = f.Stat()
			}
			return f, err
		})
		if err != nil {
			return nil, err
		}
		// A compaction may have put a new file in its place while we waited for the lock.
		if now, err := os.Stat(path); err == nil && os.SameFile(now, locked) {
			return &File{db, path}, nil
		}
		if err := db.Close(); err != nil {
			return nil, err
		}
	}
}

// firstMap is how much address space is mapped at first: for a larger map bbolt copies
// every row that a transaction holds.
const firstMap = 64 << 20

func openBolt(path string, readOnly bool, wait time.Duration, opener func(string, int, os.FileMode) (*os.File, error)) (db *bolt.DB, err error) {
	defer catchPanic(&err)()
	opts := &bolt.Options{
		Timeout: wait, ReadOnly: readOnly, OpenFile: opener,
		FreelistType: bolt.FreelistMapType, NoStatistics: true,
	}
	if !readOnly && runtime.GOOS != "windows" { // there the file grows with the map
		opts.InitialMmapSize = firstMap
	}
	db, err = bolt.Open(path, 0o644, opts)
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, ErrInUse
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return nil, fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	return db, err
}

// Path is the file's name.
func (f *File) Path() string { return f.path }

// ReadOnly says whether the file is open for reading only.
func (f *File) ReadOnly() bool { return f.db.IsReadOnly() }

// Close ends the use of the file.
func (f *File) Close() error { return f.db.Close() }

// View runs read on a consistent view of the file. It must not keep what it was given.
// A damaged page is an error that wraps ErrCorrupt.
func (f *File) View(read func(*bolt.Tx) error) (err error) {
	defer catchPanic(&err)()
	return f.db.View(read)
}

// Update runs change as one: all of it is on disk when Update returns nil, or none.
// Beside the errors of change, the error wraps ErrReadOnly, ErrUnwritable or ErrCorrupt.
func (f *File) Update(change func(*bolt.Tx) error) (err error) {
	defer catchPanic(&err)()
	inside := false
	err = f.db.Update(func(tx *bolt.Tx) error {
		f.db.AllocSize = int(min(max(tx.Size()/8, leastGrowth), mostGrowth))
		cerr := change(tx)
		inside = cerr != nil
		return cerr
	})
	switch {
	case errors.Is(err, bolterrors.ErrDatabaseReadOnly):
		return ErrReadOnly
	case err != nil && !inside:
		return fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	return err
}

// By how much a file grows at a time: an eighth of its length, within these bounds.
const (
	leastGrowth = 64 << 10
	mostGrowth  = 16 << 20
)
