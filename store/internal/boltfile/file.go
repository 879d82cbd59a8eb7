package boltfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// File is an open bbolt file. It may be used by many goroutines; changes queue up
// behind one another.
type File struct {
	db     *bolt.DB
	path   string
	sealed bool          // see seal.go
	views  atomic.Uint64 // so far
	home   *File         // see ReadIn; nil: none
	away   [][]byte

	Committed func() error // called behind each transaction of Update, which gives its error: for tests that kill; nil: nothing is
}

// Open opens the file at path, which must exist: for reading beside other readers, or
// alone for writing. It waits for another process that holds it, at most as long as wait,
// and ends with ctx. The error wraps ErrInUse, ErrForeign, ErrCorrupt or ErrUnwritable where it is one of
// these, and the file is then as it was: every page and row is checked before anything is
// written.
func Open(ctx context.Context, path string, readOnly bool, wait time.Duration) (*File, error) {
	for {
		if err := checkHeader(path); err != nil {
			return nil, err
		}
		db, f, err := openLocked(ctx, path, true, wait) // to read: bbolt then trusts no page yet, and nobody writes
		sealed := false
		if err == nil {
			if sealed, err = checkOpen(ctx, db, f); err == nil && readOnly {
				if same(path, f) {
					return &File{db: db, path: path, sealed: sealed}, nil
				}
			}
			err = errors.Join(err, db.Close())
		}
		if err != nil {
			return nil, err
		}
		if readOnly {
			continue
		}
		if db, f, err = openLocked(ctx, path, false, wait); err != nil {
			return nil, err
		}
		if same(path, f) {
			return &File{db: db, path: path, sealed: sealed}, nil
		}
		if err := db.Close(); err != nil {
			return nil, err
		}
	}
}

// same reports whether an open file is still the one at path: a compaction may have put
// a new one in its place while we waited for the lock.
func same(path string, f *os.File) bool {
	now, err := os.Stat(path)
	locked, lerr := f.Stat()
	return err == nil && lerr == nil && os.SameFile(now, locked)
}

// checkOpen checks all pages and rows of a file that nobody writes, and that bbolt goes by
// the same header.
func checkOpen(ctx context.Context, db *bolt.DB, f *os.File) (sealed bool, err error) {
	defer catchPanic(&err)()
	w, err := walk(ctx, f)
	if err != nil {
		return false, err
	}
	if len(w.problems) > 0 {
		return false, fmt.Errorf("%w: %s", ErrCorrupt, w.problems[0])
	}
	return w.tables[string(bucketSums)] != nil, db.View(func(tx *bolt.Tx) error {
		if uint64(db.Info().PageSize) != w.pageSize || uint64(tx.ID()) != w.meta.tx || uint64(tx.Size()) != w.pages*w.pageSize {
			return fmt.Errorf("%w: two headers that differ", ErrCorrupt)
		}
		return nil
	})
}

// firstMap is how much address space is mapped at first: for a larger map bbolt copies
// every row that a transaction holds.
const firstMap = 64 << 20

// lockWait is how long bbolt waits for the lock of a file before a look at the context.
const lockWait = 250 * time.Millisecond

// openLocked opens a file once no other process holds it.
func openLocked(ctx context.Context, path string, readOnly bool, wait time.Duration) (*bolt.DB, *os.File, error) {
	for until := time.Now().Add(wait); ; {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		left := time.Until(until)
		db, f, err := openBolt(path, readOnly, max(min(left, lockWait), time.Millisecond))
		if left <= lockWait || !errors.Is(err, ErrInUse) {
			return db, f, err
		}
	}
}

func openBolt(path string, readOnly bool, wait time.Duration) (db *bolt.DB, f *os.File, err error) {
	defer catchPanic(&err)()
	opts := &bolt.Options{
		Timeout: wait, ReadOnly: readOnly, FreelistType: freelistOf(path), NoStatistics: true,
		OpenFile: func(name string, flag int, _ os.FileMode) (*os.File, error) {
			var err error
			f, err = os.OpenFile(name, flag&^os.O_CREATE, 0)
			return f, err
		},
	}
	if !readOnly && runtime.GOOS != "windows" { // there the file grows with the map
		opts.InitialMmapSize = firstMap
	}
	db, err = bolt.Open(path, 0, opts)
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		err = ErrInUse
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		err = fmt.Errorf("%w: %w", ErrCorrupt, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		err = fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	return db, f, err
}

// smallFile is the length up to which the free pages of a file are held in order.
const smallFile = 32 << 20

// freelistOf says how bbolt holds the free pages of a file in memory. In order, the first
// ones are taken first, and what is free stays together: a row over several pages finds
// room. Out of a map they are taken anywhere, and a small file grows to the double in some
// hundred nights; where many are free that is quicker.
func freelistOf(path string) bolt.FreelistType {
	if info, err := os.Stat(path); err == nil && info.Size() <= smallFile {
		return bolt.FreelistArrayType
	}
	return bolt.FreelistMapType
}

// Path is the file's name.
func (f *File) Path() string { return f.path }

// ReadOnly says whether the file is open for reading only.
func (f *File) ReadOnly() bool { return f.db.IsReadOnly() }

// Close ends the use of the file.
func (f *File) Close() error { return f.db.Close() }

// Sealed says whether the rows carry checksums.
func (f *File) Sealed() bool { return f.sealed }

// ReadIn has the transactions of this file read some buckets in another one, which they may
// not change. A transaction of that file must not wait for one of this.
func (f *File) ReadIn(home *File, buckets [][]byte) { f.home, f.away = home, buckets }

// View runs read on a consistent view of the file. It must not keep what it was given.
// A damaged page or row is an error that wraps ErrCorrupt.
func (f *File) View(read func(*Tx) error) (err error) {
	defer catchPanic(&err)()
	return f.db.View(func(btx *bolt.Tx) error {
		tx := &Tx{tx: btx, sealed: f.sealed, file: f}
		defer tx.leave()
		if f.views.Add(1)%forgetViews == 0 {
			defer Forget(tx)
		}
		return read(tx)
	})
}

// Update runs change as one: all of it is on disk when Update returns nil, or none.
// Beside the errors of change, the error wraps ErrReadOnly, ErrUnwritable or ErrCorrupt.
func (f *File) Update(change func(*Tx) error) (err error) {
	defer catchPanic(&err)()
	inside := false
	err = f.db.Update(func(btx *bolt.Tx) error {
		f.db.AllocSize = int(min(max(btx.Size()/8, leastGrowth), mostGrowth))
		tx := &Tx{tx: btx, sealed: f.sealed, file: f}
		defer tx.leave()
		if cerr := change(tx); cerr != nil {
			inside = true
			return cerr
		}
		return tx.writeSums()
	})
	switch {
	case errors.Is(err, bolterrors.ErrDatabaseReadOnly):
		return ErrReadOnly
	case err != nil && !inside:
		return fmt.Errorf("%w: %w", ErrUnwritable, err)
	case err != nil:
		return err
	}
	err = f.db.View(func(tx *bolt.Tx) error {
		Forget(&Tx{tx: tx})
		return nil
	})
	if err == nil && f.Committed != nil {
		err = f.Committed()
	}
	return err
}

// How much of the file may be in the memory of the process for long. To forget pages and to
// read them again costs as much as many small views do.
const (
	mostMapped  = 32 << 20 // octets
	forgetViews = 64
)

// By how much a file grows at a time: an eighth of its length, within these bounds.
const (
	leastGrowth = 64 << 10
	mostGrowth  = 16 << 20
)
