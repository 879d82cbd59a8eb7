package store

import (
	"bytes"
	"iter"

	bolt "go.etcd.io/bbolt"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// follower is a cursor that follows the numbers of links through a table.
type follower struct {
	c     *bolt.Cursor
	steps int // a search from the root costs as much as so many steps forward
	k, v  []byte
	last  []byte // the link that it was led to
}

// to goes to the first row of a link; false if it has none.
func (f *follower) to(id []byte) bool {
	if f.last == nil || bytes.Compare(id, f.last) < 0 {
		f.k, f.v = f.c.Seek(id)
	}
	f.last = append(f.last[:0], id...)
	for n := 0; f.k != nil && bytes.Compare(f.k[:min(codec.KeyLen, len(f.k))], id) < 0; n++ {
		if n == f.steps {
			f.k, f.v = f.c.Seek(id)
			break
		}
		f.k, f.v = f.c.Next()
	}
	return bytes.HasPrefix(f.k, id)
}

// nextOf goes to the next row of the same link; false if there is none.
func (f *follower) nextOf(id []byte) bool {
	f.k, f.v = f.c.Next()
	return bytes.HasPrefix(f.k, id)
}

// pageRows is how many rows an iterator reads in one transaction. Between pages
// no transaction is open, so a slow reader does not keep old pages alive.
const pageRows = 1000

// pages yields what read makes of every row of a bucket, in pages.
func pages[T any](s *Store, bucket []byte, read func(tx *bolt.Tx, k, v []byte) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for next := []byte{}; next != nil; {
			var page []T
			err := s.pending.View(func(tx *bolt.Tx) (err error) {
				next, err = boltfile.Part(tx.Bucket(bucket), next, pageRows, func(k, v []byte) error {
					item, err := read(tx, k, v)
					if err == nil {
						page = append(page, item)
					}
					return err
				})
				return err
			})
			for _, item := range page {
				if !yield(item, nil) {
					return
				}
			}
			if err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}
