package boltfile

import (
	"bytes"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// Tx is a transaction. It reads rows without their checksums, which it checks, and writes
// them with theirs.
type Tx struct {
	tx      *bolt.Tx
	sealed  bool
	buckets []*Bucket // that were asked for
	room    []byte    // for sealed values, which bbolt holds until the end
	file    *File     // nil: of a new file
	home    *Tx       // of File.ReadIn, once it was asked for
}

// Bucket is a bucket in a transaction.
type Bucket struct {
	FillPercent float64 // of a page, as bbolt knows it

	b       *bolt.Bucket
	tx      *Tx
	name    []byte
	plain   bool // its rows carry no checksums
	changed bool
	totals

	at   *bolt.Cursor // finds rows by key: one of bbolt's own for each search costs more than the search
	last lastRead
}

// lastRead is the row that was read last, for the sums: what is read is mostly what is
// written next.
type lastRead struct {
	key   []byte
	sum   uint64 // its checksum
	known bool
}

// Size is the length of the file.
func (tx *Tx) Size() int64 { return tx.tx.Size() }

// Bucket gives a bucket, or nil.
func (tx *Tx) Bucket(name []byte) *Bucket {
	for _, b := range tx.buckets {
		if bytes.Equal(b.name, name) {
			return b
		}
	}
	if tx.file != nil && slices.ContainsFunc(tx.file.away, func(other []byte) bool { return bytes.Equal(name, other) }) {
		return tx.awayBucket(name)
	}
	b := tx.tx.Bucket(name)
	if b == nil {
		return nil
	}
	return tx.add(name, b)
}

// awayBucket gives a bucket that stands in another file (File.ReadIn).
func (tx *Tx) awayBucket(name []byte) *Bucket {
	home := tx.Home()
	if home == nil {
		return nil
	}
	b := home.Bucket(name)
	if b != nil {
		tx.buckets = append(tx.buckets, b)
	}
	return b
}

// Home gives a transaction of the file that File.ReadIn names, which ends with this one; nil:
// there is none, or it was closed.
func (tx *Tx) Home() *Tx {
	if tx.home == nil && tx.file != nil && tx.file.home != nil {
		home := tx.file.home
		if btx, err := home.db.Begin(false); err == nil {
			tx.home = &Tx{tx: btx, sealed: home.sealed, file: home}
		}
	}
	return tx.home
}

// leave ends what a transaction read in another file.
func (tx *Tx) leave() {
	if tx.home != nil {
		if tx.home.file.views.Add(1)%forgetViews == 0 {
			Forget(tx.home)
		}
		_ = tx.home.tx.Rollback() // it read only
	}
}

func (tx *Tx) add(name []byte, b *bolt.Bucket) *Bucket {
	t := &Bucket{FillPercent: bolt.DefaultFillPercent, b: b, tx: tx, name: bytes.Clone(name), plain: !tx.sealed || bytes.Equal(name, BucketMeta)}
	tx.buckets = append(tx.buckets, t)
	if tx.sealed && tx.tx.Writable() {
		t.totals = tx.totals(t.name)
	}
	return t
}

// NeedBucket gives a bucket, which it makes if there is none.
func (tx *Tx) NeedBucket(name []byte) (*Bucket, error) {
	if b := tx.Bucket(name); b != nil {
		return b, nil
	}
	made, err := tx.tx.CreateBucket(name)
	if err != nil {
		return nil, err
	}
	b := tx.add(name, made)
	b.changed = true
	return b, nil
}

// DropBucket removes a bucket, if it is there.
func (tx *Tx) DropBucket(name []byte) error {
	if tx.tx.Bucket(name) == nil {
		return nil
	}
	tx.buckets = slices.DeleteFunc(tx.buckets, func(b *Bucket) bool { return bytes.Equal(b.name, name) })
	if tx.sealed {
		if err := tx.tx.Bucket(bucketSums).Delete(name); err != nil {
			return err
		}
	}
	return tx.tx.DeleteBucket(name)
}

// open gives the value of a row as it was given to Put.
func (b *Bucket) open(k, v []byte) []byte {
	if b.plain || k == nil || v == nil {
		return v
	}
	v, _, ok := unseal(k, v)
	if !ok {
		panic(damaged{b.name, bytes.Clone(k)})
	}
	return v
}

// Get gives the value of a row, or nil.
func (b *Bucket) Get(k []byte) []byte {
	v := b.find(k)
	if b.plain || v == nil {
		return v
	}
	v, sum, ok := unseal(k, v)
	if !ok {
		panic(damaged{b.name, bytes.Clone(k)})
	}
	if b.tx.tx.Writable() {
		b.last.key, b.last.sum, b.last.known = append(b.last.key[:0], k...), sum, true
	}
	return v
}

// find gives the value of a row as it stands in the file, or nil.
func (b *Bucket) find(k []byte) []byte {
	if b.at == nil {
		b.at = b.b.Cursor()
	}
	if found, v := b.at.Seek(k); bytes.Equal(found, k) {
		return v
	}
	return nil
}

// Put writes a row.
func (b *Bucket) Put(k, v []byte) error {
	if b.tx.sealed {
		b.forget(k)
	}
	return b.PutNew(k, v)
}

// PutNew is Put, a little quicker, for a row that is not there.
func (b *Bucket) PutNew(k, v []byte) error {
	b.b.FillPercent = b.FillPercent
	b.last.known = false
	if b.tx.sealed {
		sum := digest(k, v)
		b.rows, b.sum, b.changed = b.rows+1, b.sum+sum, true
		if !b.plain {
			v = b.tx.seal(v, sum)
		}
	}
	return b.b.Put(k, v)
}

// Delete removes a row, if it is there.
func (b *Bucket) Delete(k []byte) error {
	if b.tx.sealed {
		b.forget(k)
	}
	b.last.known = false
	return b.b.Delete(k)
}

// forget takes a row, if it is there, from the sums.
func (b *Bucket) forget(k []byte) {
	if b.last.known && bytes.Equal(b.last.key, k) {
		b.rows, b.sum, b.changed = b.rows-1, b.sum-b.last.sum, true
		return
	}
	old := b.find(k)
	if old == nil {
		return
	}
	sum, ok := uint64(0), true
	if b.plain {
		sum = digest(k, old)
	} else if _, sum, ok = unseal(k, old); !ok {
		panic(damaged{b.name, bytes.Clone(k)})
	}
	b.rows, b.sum, b.changed = b.rows-1, b.sum-sum, true
}

// Rows is the number of rows of a bucket that this transaction does not change.
func (b *Bucket) Rows() int {
	if b.tx.sealed {
		return int(b.tx.totals(b.name).rows)
	}
	return b.b.Stats().KeyN
}

// Sequence is the counter of the bucket.
func (b *Bucket) Sequence() uint64 { return b.b.Sequence() }

// SetSequence sets the counter.
func (b *Bucket) SetSequence(n uint64) error {
	b.changed = true
	return b.b.SetSequence(n)
}

// RaiseSequence sets the counter to a number if it is below.
func (b *Bucket) RaiseSequence(n uint64) error {
	if b.Sequence() >= n {
		return nil
	}
	return b.SetSequence(n)
}

// NextSequence adds one to the counter, and gives it.
func (b *Bucket) NextSequence() (uint64, error) {
	b.changed = true
	return b.b.NextSequence()
}

// Cursor goes over the rows of a bucket in the order of their keys. A key of nil is the
// end.
type Cursor struct {
	b *Bucket
	c *bolt.Cursor
}

// Cursor gives a cursor.
func (b *Bucket) Cursor() *Cursor { return &Cursor{b, b.b.Cursor()} }

// Bucket is the bucket that the cursor was made of.
func (c *Cursor) Bucket() *Bucket { return c.b }

// First goes to the first row.
func (c *Cursor) First() (k, v []byte) { return c.open(c.c.First()) }

// Last goes to the last row.
func (c *Cursor) Last() (k, v []byte) { return c.open(c.c.Last()) }

// Next goes to the next row.
func (c *Cursor) Next() (k, v []byte) { return c.open(c.c.Next()) }

// Seek goes to the first row whose key is not before one.
func (c *Cursor) Seek(key []byte) (k, v []byte) { return c.open(c.c.Seek(key)) }

func (c *Cursor) open(k, v []byte) ([]byte, []byte) { return k, c.b.open(k, v) }
