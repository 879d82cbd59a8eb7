package boltfile

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// A file is sealed if it holds the bucket of sums: every value then ends with a checksum of
// its row, and for each bucket the sums hold how many rows it has, the sum of their
// checksums, and its counter. They are written by the transaction that changes the rows.
// So a bit that flipped shows in its row, and rows that vanish with a flip on a page show
// in the sums.

// BucketMeta names the bucket that says what a file is. Its rows end with no checksum, so
// that a program which knows of none reads them too; they have a place in the sums.
var BucketMeta = []byte("meta")

var bucketSums = []byte("sums")

const sumLen = 8 // octets of a checksum

// digest is the checksum of a row.
func digest(k, v []byte) uint64 {
	const odd = 0x9E3779B185EBCA87
	return bits.RotateLeft64(xxhash.Sum64(k)*odd, 31) + xxhash.Sum64(v)
}

// unseal takes the checksum from a value; not ok: the row is not as it was written.
func unseal(k, sealed []byte) (v []byte, sum uint64, ok bool) {
	n := len(sealed) - sumLen
	if n < 0 {
		return nil, 0, false
	}
	v, sum = sealed[:n:n], binary.BigEndian.Uint64(sealed[n:])
	return v, sum, digest(k, v) == sum
}

// totals are what the sums hold of a bucket.
type totals struct{ rows, sum, counter uint64 }

func (t *totals) encode() []byte {
	b := binary.AppendUvarint(nil, t.rows)
	return binary.BigEndian.AppendUint64(binary.AppendUvarint(b, t.counter), t.sum)
}

func decodeTotals(b []byte) (t totals, ok bool) {
	rows, n := binary.Uvarint(b)
	if n <= 0 {
		return t, false
	}
	counter, m := binary.Uvarint(b[n:])
	if m <= 0 || len(b) != n+m+8 {
		return t, false
	}
	return totals{rows, binary.BigEndian.Uint64(b[n+m:]), counter}, true
}

// damaged is what a read of a row that is not as it was written panics with; View and
// Update make an error of it, as of bbolt's own panics.
type damaged struct{ bucket, key []byte }

func (d damaged) String() string {
	return fmt.Sprintf("a row of %q is not as it was written: %s", d.bucket, shownKey(d.key))
}

// shownKey is a key for a message.
func shownKey(k []byte) string {
	const most = 40
	return fmt.Sprintf("%x", k[:min(len(k), most)])
}

// totals reads the sums of a bucket; a new one has none.
func (tx *Tx) totals(name []byte) (t totals) {
	sealed := tx.tx.Bucket(bucketSums).Get(name)
	if sealed == nil {
		return t
	}
	v, _, ok := unseal(name, sealed)
	if ok {
		t, ok = decodeTotals(v)
	}
	if !ok {
		panic(damaged{bucketSums, name})
	}
	return t
}

// writeSums writes the sums of the buckets that were changed, at the end of a transaction.
func (tx *Tx) writeSums() error {
	if !tx.sealed {
		return nil
	}
	sums := tx.tx.Bucket(bucketSums)
	for _, b := range tx.buckets {
		if !b.changed {
			continue
		}
		b.counter = b.b.Sequence()
		v := b.totals.encode()
		if err := sums.Put(b.name, tx.seal(v, digest(b.name, v))); err != nil {
			return err
		}
	}
	return nil
}

const roomLen = 64 << 10

// seal gives a value with its checksum.
func (tx *Tx) seal(v []byte, sum uint64) []byte {
	n := len(v) + sumLen
	if n > len(tx.room) {
		tx.room = make([]byte, max(n, roomLen))
	}
	sealed := tx.room[:n:n]
	tx.room = tx.room[n:]
	binary.BigEndian.PutUint64(sealed[copy(sealed, v):], sum)
	return sealed
}
