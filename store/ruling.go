package store

import (
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"

	"linkcheck/judge"
	"linkcheck/store/internal/codec"
)

// Ruling says which rule holds a link in its state.
type Ruling struct {
	State   judge.State // the pin's where one holds
	Rule    string      // a sentence, as judge.Judgement.Rule gives it, with the pin before it
	Strikes []judge.Strike
	Doubt   judge.State // the doubtful state that the last doubtful answer spoke for; New: none
	DoubtAt time.Time
	Pin     *Pin
}

// Ruling explains the state of a link, or gives ErrNotFound.
func (s *Store) Ruling(id uint64) (r Ruling, err error) {
	err = s.viewLink(id, func(tx *bolt.Tx) error {
		l, err := s.link(openLinks(tx), codec.Key(id))
		if err != nil {
			return err
		}
		row, err := decodeState(tx.Bucket(bucketState).Get(codec.Key(id)))
		if err != nil {
			return err
		}
		r = Ruling{State: l.State, Rule: row.Rule(), Strikes: row.Strikes, Doubt: row.Doubt, DoubtAt: row.DoubtAt, Pin: l.Pin}
		if l.Pin != nil {
			r.Rule = fmt.Sprintf("%s by a decision of %q: %q; judged by itself: %s", l.State, l.Pin.By, l.Pin.Why, r.Rule)
		}
		return nil
	})
	return r, err
}
