package boltfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	bolt "go.etcd.io/bbolt"

	"linkcheck/internal/newfile"
)

// Create makes a file that fill has filled; a crash leaves no half file. If another
// process was faster, its file stays.
func Create(path string, fill func(*bolt.Tx) error) error {
	err := newfile.Create(path, newfile.Private, func(f *os.File) error {
		db, err := openNew(f)
		if err != nil {
			return err
		}
		return errors.Join(db.Update(fill), db.Sync(), db.Close())
	})
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// openNew opens a file that was made just now; closing what it gives closes the file. It
// is synced by the caller, once.
func openNew(f *os.File) (*bolt.DB, error) {
	return bolt.Open(f.Name(), 0, &bolt.Options{
		FreelistType: bolt.FreelistMapType, NoSync: true,
		OpenFile: func(string, int, os.FileMode) (*os.File, error) { return f, nil },
	})
}

// Copy writes what a transaction sees to a file at path, which appears whole or not at
// all. The source may be written meanwhile. A file that was there leaves its mode to the
// copy; a link that stands there is replaced. It ends with ctx.
func Copy(ctx context.Context, path string, mode fs.FileMode, view func(func(*bolt.Tx) error) error) error {
	return unwritable(newfile.Replace(path, mode, func(tmp *os.File) error {
		return view(func(tx *bolt.Tx) error {
			_, err := tx.WriteTo(&ending{tmp, ctx})
			return cmp.Or(ctx.Err(), err)
		})
	}))
}

// ending is a writer that fails once its context has ended.
type ending struct {
	io.Writer
	ctx context.Context
}

func (w *ending) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(p)
}

// Compact rewrites the file without its free pages. The old file stays open and is to
// be closed: its name is that of the new one, and so is its mode. It ends with ctx.
func (f *File) Compact(ctx context.Context) error {
	return unwritable(newfile.Replace(newfile.Target(f.path), newfile.Private, func(tmp *os.File) error {
		db, err := openNew(tmp)
		if err != nil {
			return err
		}
		return errors.Join(f.compactInto(ctx, db), db.Sync(), db.Close())
	}))
}

const (
	compactRows = 10000 // in one transaction
	compactFill = 0.9   // of a page: rows come in order, and some will grow
)

// compactInto copies the buckets, which hold no buckets, to an empty file.
func (f *File) compactInto(ctx context.Context, db *bolt.DB) error {
	return f.View(func(from *bolt.Tx) error {
		return from.ForEach(func(name []byte, b *bolt.Bucket) error {
			for next := []byte{}; next != nil; {
				err := db.Update(func(tx *bolt.Tx) error {
					into, err := tx.CreateBucketIfNotExists(name)
					if err != nil {
						return err
					}
					into.FillPercent = compactFill
					next, err = Part(b, next, compactRows, into.Put)
					return cmp.Or(ctx.Err(), err, into.SetSequence(b.Sequence()))
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// unwritable wraps ErrUnwritable around an error of a new file, but not around the end of
// a context.
func unwritable(err error) error {
	if err == nil || errors.Is(err, ErrUnwritable) || errors.Is(err, ErrCorrupt) || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnwritable, err)
}
