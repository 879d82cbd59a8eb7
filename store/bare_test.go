package store

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// bare is a file of bbolt that is given the rows of a store and nothing else is
// done: what the store takes longer is its own.
type bare struct {
	b  *testing.B
	s  *Store
	db *bolt.DB
}

func newBare(b *testing.B, s *Store) *bare {
	db, err := bolt.Open(filepath.Join(b.TempDir(), "bare.db"), 0o644, &bolt.Options{FreelistType: bolt.FreelistMapType, NoStatistics: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	return &bare{b, s, db}
}

// put gives what rows yields to the file in transactions of benchBatch.
func (r *bare) put(table []byte, rows func(tx *boltfile.Tx, yield func(k, v []byte)) error) {
	type row struct{ k, v []byte }
	var batch []row
	flush := func() error {
		return r.db.Update(func(tx *bolt.Tx) error {
			to, err := tx.CreateBucketIfNotExists(table)
			slices.SortFunc(batch, func(x, y row) int { return bytes.Compare(x.k, y.k) })
			for i := range batch {
				if err == nil {
					err = to.Put(batch[i].k, batch[i].v)
				}
			}
			batch = batch[:0]
			return err
		})
	}
	err := r.s.pending.View(func(tx *boltfile.Tx) error {
		return rows(tx, func(k, v []byte) {
			batch = append(batch, row{bytes.Clone(k), bytes.Clone(v)})
			if len(batch) == benchBatch {
				if err := flush(); err != nil {
					r.b.Error(err)
				}
			}
		})
	})
	if err != nil || flush() != nil {
		r.b.Fatal(err)
	}
}

// inOrder puts tables in the order of their keys.
func (r *bare) inOrder(tables ...[]byte) {
	for _, name := range tables {
		r.put(name, func(tx *boltfile.Tx, yield func(k, v []byte)) error {
			return boltfile.Each(tx.Bucket(name), func(k, v []byte) error { yield(k, v); return nil })
		})
	}
}

// identitiesAsCome puts the identities alone, in the order in which links come.
func (r *bare) identitiesAsCome() {
	r.put([]byte("identities as come"), func(tx *boltfile.Tx, yield func(k, v []byte)) error {
		return boltfile.Each(tx.Bucket(bucketLink), func(k, v []byte) error {
			row, err := decodeLink(v)
			yield(row.Identity, k)
			return err
		})
	})
}

// statesAsCome puts the states alone, in the order of a night.
func (r *bare) statesAsCome(n int) {
	r.put(bucketState, func(tx *boltfile.Tx, yield func(k, v []byte)) error {
		for i := range n {
			k := codec.Key(uint64(nightOrder(i, n) + 1))
			yield(k, tx.Bucket(bucketState).Get(k))
		}
		return nil
	})
}
