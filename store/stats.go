package store

import (
	"os"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// Stats is the store in numbers.
type Stats struct {
	Schema    uint64
	Links     int // with a live mention
	Unnamed   int // all of whose mentions are retired
	Mentions  int
	Retired   int
	Events    int
	Sources   int
	Runs      int
	Pins      int
	States    map[string]int // of the links with a live mention
	FileBytes int64
	FreeBytes int64 // that compaction would give back, about
}

// Stats counts everything in one pass.
func (s *Store) Stats() (st Stats, err error) {
	st.States = map[string]int{}
	err = s.view(func(tx *bolt.Tx) error {
		st.Schema = codec.Number(tx.Bucket(bucketMeta).Get(metaSchema))
		err := tx.Bucket(bucketState).ForEach(func(_, v []byte) error {
			if len(v) < stateHead {
				return codec.ErrShort
			}
			if h := readHead(v); h.live == 0 {
				st.Unnamed++
			} else if !h.state.Known() {
				return codec.ErrShort
			} else {
				st.Links++
				st.States[h.state.String()]++
			}
			return nil
		})
		if err != nil {
			return err
		}
		return tx.Bucket(bucketMention).ForEach(func(_, v []byte) error {
			r := codec.Reader{Buf: v}
			r.Byte()
			if _, retired := readStandings(&r); retired.IsZero() {
				st.Mentions++
			} else {
				st.Retired++
			}
			return r.Err()
		})
	})
	if err != nil {
		return st, err
	}
	err = s.view(func(tx *bolt.Tx) error {
		st.Events = keys(tx, bucketHist)
		st.Sources, st.Runs, st.Pins = keys(tx, bucketSource), keys(tx, bucketRun), keys(tx, bucketPin)
		return nil
	})
	st.FreeBytes = boltfile.FreeBytes(s.Path())
	if info, serr := os.Stat(s.Path()); serr == nil {
		st.FileBytes = info.Size()
	}
	return st, err
}

func keys(tx *bolt.Tx, bucket []byte) (n int) {
	c := tx.Bucket(bucket).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		n++
	}
	return n
}
