package store

import (
	"encoding/json"
	"fmt"
	"iter"

	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// StartRun begins a run and gives its number. Runs that were interrupted stay
// without an end.
func (s *Store) StartRun(r Run) (id uint64, err error) {
	err = s.file.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketRun)
		if id, err = b.NextSequence(); err != nil {
			return err
		}
		r.ID = id
		return putRun(b, &r)
	})
	return id, err
}

// EndRun keeps the summary of a run, and drops what was remembered and has lapsed.
func (s *Store) EndRun(r Run) error {
	if err := s.dropLapsed(); err != nil {
		return err
	}
	return s.withNotes(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketRun)
		if b.Get(codec.Key(r.ID)) == nil {
			return fmt.Errorf("run %d: %w", r.ID, ErrNotFound)
		}
		return putRun(b, &r)
	})
}

func putRun(b *bolt.Bucket, r *Run) error {
	v, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return b.Put(codec.Key(r.ID), v)
}

func readRun(v []byte) (r Run, err error) {
	if err := json.Unmarshal(v, &r); err != nil {
		return r, fmt.Errorf("%w: run: %w", ErrCorrupt, err)
	}
	return r, nil
}

// Runs yields the runs, oldest first.
func (s *Store) Runs() iter.Seq2[Run, error] {
	return walk(s, bucketRun, []byte{}, nil, func(_ *bolt.Tx, _, v []byte) (Run, error) { return readRun(v) })
}
