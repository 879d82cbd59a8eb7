package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"
)

// snapshotPath is where a run leaves the store as it was, for readers, while it
// holds the store itself.
func snapshotPath(path string) string { return path + ".snapshot" }

const (
	firstSnapshot = time.Second // sooner than a reader gives up waiting for the store
	nextSnapshots = 30 * time.Minute
)

// KeepSnapshot keeps a copy of the store for readers until release is called: it
// makes one after a second, and another every half hour. Who wants to read before
// the first waits for the store longer than that, and a run of less than a second
// makes none. A copy that cannot be written does not end the run: the one before
// stays, or readers are told that the store is in use.
func (s *Store) KeepSnapshot() (release func()) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for wait := firstSnapshot; ; wait = nextSnapshots {
			select {
			case <-time.After(wait):
				_ = s.snapshot()
			case <-stop:
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-done
		_ = s.dropSnapshot() // one that stays behind is never read while the store can be
	}
}

// snapshot writes a copy for readers beside the store.
func (s *Store) snapshot() error { return s.Backup(snapshotPath(s.path)) }

// dropSnapshot removes the copy for readers; that there is none is no error.
func (s *Store) dropSnapshot() error {
	if err := os.Remove(snapshotPath(s.path)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// OpenReader opens the store for reading or, if a run holds it, the snapshot that
// the run left: of then tells when that was made. Without a snapshot the error
// wraps ErrInUse.
func OpenReader(path string, o *Options) (s *Store, of time.Time, err error) {
	opts := Options{}
	if o != nil {
		opts = *o
	}
	opts.ReadOnly = true
	s, err = Open(path, &opts)
	if !errors.Is(err, ErrInUse) {
		return s, of, err
	}
	info, serr := os.Stat(snapshotPath(path))
	if serr != nil {
		return nil, of, err
	}
	if snap, serr := Open(snapshotPath(path), &opts); serr == nil {
		return snap, info.ModTime(), nil
	}
	return nil, of, err
}

// Backup writes a sound copy of the store to path, under a temporary name first.
// It may run while the store is written.
func (s *Store) Backup(path string) error {
	return replace(path, func(tmp *os.File) error {
		return s.viewSettled(func(tx *bolt.Tx) error {
			_, err := tx.WriteTo(tmp)
			return err
		})
	})
}

// replace makes a file under a temporary name, syncs it and renames it to path.
// The name is always the same, so that a crash leaves at most one. A link is
// followed to its file; what is no file is never replaced.
func replace(path string, write func(*os.File) error) (err error) {
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%w: %s is no file", ErrUnwritable, path)
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return fmt.Errorf("%w: %w", ErrUnwritable, err)
		}
	}
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	tmp, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	err = errors.Join(write(tmp), tmp.Sync())
	if err = errors.Join(err, tmp.Close()); err != nil {
		return fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	if err = os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("%w: %w", ErrUnwritable, err)
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

// compactTx bounds a transaction of compaction, in octets.
const compactTx = 8 << 20

// Compact rewrites the store at path without its free pages and gives the sizes
// before and after. The store must not be open.
func Compact(path string, o *Options) (before, after int64, err error) {
	s, err := Open(path, o)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	before = sizeOf(path)
	err = replace(path, func(tmp *os.File) error {
		db, err := bolt.Open(tmp.Name(), 0o644, &bolt.Options{
			FreelistType: bolt.FreelistMapType, NoSync: true, // synced once, by replace
		})
		if err != nil {
			return err
		}
		return errors.Join(s.compactInto(db), db.Close())
	})
	if err != nil {
		return before, 0, fmt.Errorf("compact %s: %w", strconv.Quote(path), err)
	}
	return before, sizeOf(path), nil
}

func (s *Store) compactInto(db *bolt.DB) (err error) {
	defer caught(&err)()
	return bolt.Compact(db, s.db, compactTx)
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
