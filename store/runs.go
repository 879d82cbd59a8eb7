package store

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"linkcheck/check"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

const day = 24 * time.Hour

// StartRun begins a run and gives its number. Runs that were interrupted stay
// without an end.
func (s *Store) StartRun(r Run) (id uint64, err error) {
	err = s.file.Update(func(tx *boltfile.Tx) error {
		b := tx.Bucket(bucketRun)
		if id, err = b.NextSequence(); err != nil {
			return err
		}
		r.ID = id
		return putRun(b, &r)
	})
	return id, err
}

// EndRun writes the summary of a run, and drops what has lapsed in the cache. A run whose
// summary has no end is forgotten: it ended in order before it asked anything.
func (s *Store) EndRun(r Run) error {
	return s.writeCache(s.file.Update, func(tx *boltfile.Tx) error {
		if err := dropLapsed(tx, s.now()); err != nil {
			return err
		}
		b := tx.Bucket(bucketRun)
		if b.Get(codec.Key(r.ID)) == nil {
			return fmt.Errorf("run %d: %w", r.ID, ErrNotFound)
		}
		if r.Ended.IsZero() {
			return b.Delete(codec.Key(r.ID))
		}
		return putRun(b, &r)
	})
}

const runFill = 0.95 // of a page: rows come in order, and only the last one grows

func putRun(b *boltfile.Bucket, r *Run) error {
	v, err := json.Marshal(r)
	if err != nil {
		return err
	}
	b.FillPercent = runFill
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
	return boltfile.Pages(s.file.View, bucketRun, nil, func(_ *boltfile.Tx, _, v []byte) (r Run, ok bool, err error) {
		r, err = readRun(v)
		return r, true, err
	})
}

// Tally counts what a run found: outcomes of the links it probed, changes it
// made, and the states of all links with a live mention. What a person has pinned
// is no change: it is not news.
type Tally struct {
	Outcomes, States, Changes map[string]int
	Last                      map[check.Outcome]int // of the last probes of the links with a live mention
}

// Tally reads all states once.
func (s *Store) Tally(run uint64) (t Tally, err error) {
	t = Tally{Outcomes: map[string]int{}, States: map[string]int{}, Changes: map[string]int{}, Last: map[check.Outcome]int{}}
	var changed []uint64
	err = s.pending.View(func(tx *boltfile.Tx) error {
		return boltfile.Each(tx.Bucket(bucketState), func(k, v []byte) error {
			row, _, err := decodeProbes(v)
			if err != nil {
				return err
			}
			if row.Live > 0 {
				t.States[row.State.String()]++
				if row.Checks > 0 {
					t.Last[row.Last.Outcome]++
				}
			}
			if row.Checks > 0 && row.LastRun == run {
				t.Outcomes[row.Last.Outcome.String()]++
			}
			if row.ChangedRun == run && row.Changes != 0 {
				changed = append(changed, codec.Number(k))
			}
			return nil
		})
	})
	if err != nil {
		return t, err
	}
	var missing error
	err = s.Each(changed, func(l *Link, lerr error) {
		missing = cmp.Or(lerr, missing)
		for _, c := range l.Changes {
			t.Changes[string(c)]++
		}
	})
	return t, cmp.Or(err, missing)
}

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
	err = s.pending.View(func(tx *boltfile.Tx) error {
		st.Schema = codec.Number(tx.Bucket(bucketMeta).Get(metaSchema))
		for _, v := range boltfile.From(tx.Bucket(bucketState), nil) {
			h, err := readStateHead(v)
			if err != nil {
				return err
			}
			if h.live == 0 {
				st.Unnamed++
				continue
			}
			if !h.state.Known() {
				return codec.ErrShort
			}
			st.Links++
			st.States[h.state.String()]++
		}
		for _, v := range boltfile.From(tx.Bucket(bucketMention), nil) {
			_, retired, err := readMentionHead(v)
			if err != nil {
				return err
			}
			if retired.IsZero() {
				st.Mentions++
			} else {
				st.Retired++
			}
		}
		rows := func(bucket []byte) int { return tx.Bucket(bucket).Rows() }
		st.Events, st.Sources, st.Runs, st.Pins = rows(bucketHistory), rows(bucketSource), rows(bucketRun), rows(bucketPin)
		return nil
	})
	if err != nil {
		return st, err
	}
	st.FreeBytes = boltfile.FreeBytes(s.file.Path())
	st.FileBytes = sizeOf(s.file.Path())
	return st, nil
}
