package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"

	"linkcheck/store/internal/boltfile"
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
func (s *Store) snapshot() error { return s.Backup(snapshotPath(s.file.Path())) }

// dropSnapshot removes the copy for readers; that there is none is no error.
func (s *Store) dropSnapshot() error {
	if err := os.Remove(snapshotPath(s.file.Path())); !errors.Is(err, fs.ErrNotExist) {
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
	return boltfile.Copy(path, s.pending.ViewFlushed)
}

// Compact rewrites the store at path without its free pages and gives the sizes
// before and after. The store must not be open.
func Compact(path string, o *Options) (before, after int64, err error) {
	s, err := Open(path, o)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	before = sizeOf(path)
	if err := s.file.Compact(); err != nil {
		return before, 0, fmt.Errorf("compact %s: %w", strconv.Quote(path), err)
	}
	return before, sizeOf(path), nil
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
