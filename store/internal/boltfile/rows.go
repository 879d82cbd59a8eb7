package boltfile

import (
	"bytes"
	"iter"
)

// ForgetAfter is how many octets From reads before the pages they stood on are forgotten.
// The kernel maps some 16 pages around each one that is looked at.
const ForgetAfter = 1 << 20

// From yields the rows of a bucket from a key on. They are valid in their transaction
// only, and while nothing is changed.
func From(b *Bucket, key []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		c, read := b.Cursor(), 0
		for k, v := c.Seek(key); k != nil && yield(k, v); k, v = c.Next() {
			if read += len(k) + len(v); read > ForgetAfter {
				read = 0
				Forget(b.tx)
			}
		}
	}
}

// Each calls f for all rows of a bucket until it gives an error.
func Each(b *Bucket, f func(k, v []byte) error) error {
	for k, v := range From(b, nil) {
		if err := f(k, v); err != nil {
			return err
		}
	}
	return nil
}

// Part calls f for the rows of a bucket from a key on, at most for as many as most says.
// next is the key after them, nil at the end.
func Part(b *Bucket, from []byte, most int, f func(k, v []byte) error) (next []byte, err error) {
	n := 0
	for k, v := range From(b, from) {
		if n++; n > most {
			return bytes.Clone(k), nil
		}
		if err := f(k, v); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// DeleteIf removes those rows that which chooses among the keys that begin with prefix,
// and gives their number.
func DeleteIf(b *Bucket, prefix []byte, which func(k, v []byte) (bool, error)) (n int, err error) {
	var gone [][]byte
	for k, v := range From(b, prefix) {
		if !bytes.HasPrefix(k, prefix) {
			break
		}
		yes, err := which(k, v)
		if err != nil {
			return 0, err
		}
		if yes {
			gone = append(gone, bytes.Clone(k))
		}
	}
	for _, k := range gone {
		if err := b.Delete(k); err != nil {
			return 0, err
		}
	}
	return len(gone), nil
}

// pageRows is how many rows Pages reads in one transaction, less what weigh says. Then what
// was looked at with them is forgotten: each may stand on some pages of its own, in other buckets.
const pageRows = 1000

// passedRows is how many rows that are not wanted count as one: most are passed over unread.
const passedRows = 8

// Pages yields what read makes of the rows of a bucket, which it reads by view; ok says
// that a row is wanted. No transaction is open while the caller works, so a slow one keeps
// no old pages of the file alive. Items of very different sizes have a weigh, which says
// for how many rows more than one an item counts; nil: all are small.
func Pages[T any](view func(func(*Tx) error) error, bucket []byte, weigh func(T) int, read func(tx *Tx, k, v []byte) (item T, ok bool, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var page []T
		for next := []byte{}; next != nil; {
			clear(page)
			page = page[:0]
			err := view(func(tx *Tx) error {
				defer Forget(tx)
				from, left, passed := next, pageRows, 0
				next = nil
				for k, v := range From(tx.Bucket(bucket), from) {
					if left <= 0 {
						next = bytes.Clone(k)
						return nil
					}
					item, ok, err := read(tx, k, v)
					if err != nil {
						return err
					}
					if !ok {
						if passed++; passed%passedRows == 0 {
							left--
						}
						continue
					}
					page = append(page, item)
					if left--; weigh != nil {
						left -= weigh(item)
					}
				}
				return nil
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

// Follower is a cursor that goes from row to row of keys that begin alike, such as those of
// one link. Keys are asked for in their order, or nearly.
type Follower struct {
	K, V []byte // the row at hand; a K of nil is the end
	c    *Cursor
	last []byte // the beginning that it was last sent to
}

// followSteps: a search from the root costs about as much as this many steps forward.
const followSteps = 24

// Follow gives one of a bucket.
func Follow(b *Bucket) Follower { return Follower{c: b.Cursor()} }

// To goes to the first row whose key begins so; false if there is none.
func (f *Follower) To(begin []byte) bool {
	if f.last == nil || bytes.Compare(begin, f.last) < 0 {
		f.K, f.V = f.c.Seek(begin)
	}
	f.last = append(f.last[:0], begin...)
	for n := 0; f.K != nil && bytes.Compare(f.K[:min(len(begin), len(f.K))], begin) < 0; n++ {
		if n == followSteps {
			f.K, f.V = f.c.Seek(begin)
			break
		}
		f.K, f.V = f.c.Next()
	}
	return bytes.HasPrefix(f.K, begin)
}

// NextOf goes to the next row; false if its key begins otherwise.
func (f *Follower) NextOf(begin []byte) bool {
	f.K, f.V = f.c.Next()
	return bytes.HasPrefix(f.K, begin)
}
