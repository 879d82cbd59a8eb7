package boltfile

import (
	"bytes"
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

// Create makes a sealed file that fill has filled; a crash leaves no half file. If another
// process was faster, its file stays.
func Create(path string, fill func(*Tx) error) error {
	err := newfile.Create(path, newfile.Private, func(f *os.File) error {
		db, err := openNew(f)
		if err != nil {
			return err
		}
		return errors.Join(fillPart(db, fill), db.Sync(), db.Close())
	})
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// openNew opens a file that was made just now; closing what it gives closes the file. It
// is synced by the caller, once.
func openNew(f *os.File) (*bolt.DB, error) {
	db, err := bolt.Open(f.Name(), 0, &bolt.Options{
		FreelistType: bolt.FreelistMapType, NoSync: true,
		OpenFile: func(string, int, os.FileMode) (*os.File, error) { return f, nil },
	})
	if err == nil {
		db.AllocSize = leastGrowth // else the file has the length of the map, a power of two
	}
	return db, err
}

// fillPart runs fill on a new file, which is to be sealed.
func fillPart(db *bolt.DB, fill func(*Tx) error) error {
	return db.Update(func(btx *bolt.Tx) error {
		if _, err := btx.CreateBucketIfNotExists(bucketSums); err != nil {
			return err
		}
		tx := &Tx{tx: btx, sealed: true}
		return cmp.Or(fill(tx), tx.writeSums())
	})
}

// Copy writes what a transaction sees to a file at path, which appears whole or not at
// all, and only if every page and row of the copy is sound. The source may be written
// meanwhile. A file that was there leaves its mode to the copy; a link that stands there is
// replaced. check is asked about the copy before it appears; nil: nothing is. It ends with
// ctx.
func Copy(ctx context.Context, path string, mode fs.FileMode, view func(func(*Tx) error) error, check func(path string) error) error {
	return unwritable(newfile.Replace(path, mode, func(tmp *os.File) error {
		err := view(func(tx *Tx) error {
			_, err := tx.tx.WriteTo(&ending{tmp, ctx})
			return cmp.Or(ctx.Err(), err)
		})
		if err == nil {
			err = settle(tmp)
		}
		if err != nil {
			return err
		}
		w, err := walk(ctx, tmp)
		if err == nil && len(w.problems) > 0 {
			err = fmt.Errorf("%w: %s", ErrCorrupt, w.problems[0])
		}
		if err == nil && check != nil {
			err = check(tmp.Name())
		}
		return err
	}))
}

// settle puts the header of the last transaction in the place that is its own by its number: bbolt
// writes it into the first page of a copy, and the next transaction might take its place.
func settle(f *os.File) error {
	head, err := readHead(f)
	at := metaOffsets(head)
	if err != nil || len(at) != 2 || readMeta(head, at[0]).tx%2 == 0 {
		return err
	}
	for i := range at {
		if _, err := f.WriteAt(head[at[1-i]+pageHeader:][:metaLength], int64(at[i]+pageHeader)); err != nil {
			return err
		}
	}
	return nil
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

// Rewrite writes the rows to a new file, sealed and without free pages, and gives it the
// name of this one, and its mode. end may change the new file in its last transaction; nil:
// it does not. The old file stays open and is to be closed. It ends with ctx.
func (f *File) Rewrite(ctx context.Context, end func(*Tx) error) error {
	return unwritable(newfile.Replace(newfile.Target(f.path), newfile.Private, func(tmp *os.File) error {
		db, err := openNew(tmp)
		if err != nil {
			return err
		}
		err = f.rewriteInto(ctx, db)
		if err == nil && end != nil {
			err = fillPart(db, end)
		}
		return errors.Join(err, db.Sync(), db.Close())
	}))
}

const (
	rewriteRows = 10000 // in one transaction
	rewriteFill = 0.9   // of a page: rows come in order, and some will grow
)

// rewriteInto copies the buckets, which hold no buckets, to an empty file.
func (f *File) rewriteInto(ctx context.Context, db *bolt.DB) error {
	return f.View(func(from *Tx) error {
		return from.tx.ForEach(func(name []byte, _ *bolt.Bucket) error {
			if bytes.Equal(name, bucketSums) {
				return nil
			}
			b := from.Bucket(name)
			for next := []byte{}; next != nil; {
				err := fillPart(db, func(tx *Tx) error {
					into, err := tx.NeedBucket(name)
					if err != nil {
						return err
					}
					into.FillPercent = rewriteFill
					next, err = Part(b, next, rewriteRows, into.PutNew)
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
