package store

import (
	bolt "go.etcd.io/bbolt"

	"linkcheck/check"
	"linkcheck/store/internal/codec"
)

// Tally counts what a run found: outcomes of the links it probed, changes it
// made, and the states of all links with a live mention. What a person has pinned
// is no change: it is not news.
type Tally struct {
	Outcomes, States, Changes map[string]int
	Last                      map[check.Outcome]int // of the links with a live mention: what they answered when they were last asked
}

// Tally reads all states once.
func (s *Store) Tally(run uint64) (t Tally, err error) {
	t = Tally{Outcomes: map[string]int{}, States: map[string]int{}, Changes: map[string]int{}, Last: map[check.Outcome]int{}}
	var changed []uint64
	err = s.states(func(id uint64, row *stateRow) {
		if row.live > 0 {
			t.States[row.State.String()]++
			if row.Checks > 0 {
				t.Last[row.when.Outcome]++
			}
		}
		if row.Checks > 0 && row.lastRun == run {
			t.Outcomes[row.when.Outcome.String()]++
		}
		if row.ChangedRun == run && row.Changes != 0 {
			changed = append(changed, id)
		}
	})
	for _, id := range changed {
		l, lerr := s.Link(id)
		if lerr != nil {
			return t, lerr
		}
		for _, c := range l.Changes {
			t.Changes[string(c)]++
		}
	}
	return t, err
}

// states calls f for every state row.
func (s *Store) states(f func(id uint64, row *stateRow)) error {
	return s.view(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketState).ForEach(func(k, v []byte) error {
			row, err := decodeState(v)
			if err != nil {
				return err
			}
			f(codec.Number(k), &row)
			return nil
		})
	})
}
