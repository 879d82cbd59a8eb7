package store

import (
	"fmt"
	"iter"

	bolt "go.etcd.io/bbolt"

	"linkcheck/judge"
	"linkcheck/store/internal/pending"
)

// Links yields every link, oldest first. A link without live mentions has
// Mentions 0.
func (s *Store) Links() iter.Seq2[Link, error] {
	return func(yield func(Link, error) bool) {
		for e, err := range s.Scan(Pick{}) {
			if !yield(e.Link, err) {
				return
			}
		}
	}
}

// Link gives one link, or ErrNotFound.
func (s *Store) Link(id uint64) (l Link, err error) {
	eachErr := s.Each([]uint64{id}, func(found *Link, lerr error) { l, err = *found, lerr })
	if eachErr != nil {
		err = eachErr
	}
	return l, err
}

// Each calls take for every one of the links, in their order, with ErrNotFound for
// one that is not there. take must not use the store nor keep what it is given.
func (s *Store) Each(ids []uint64, take func(*Link, error)) error {
	return s.pending.ViewLinks(func(tx *bolt.Tx) error {
		r := s.reader(tx)
		for _, id := range ids {
			e, _, err := r.read(id, &Pick{})
			take(&e.Link, err)
		}
		return nil
	}, ids...)
}

// Find gives the link that a string as written stands for.
func (s *Store) Find(written string) (l Link, found bool, err error) {
	identity := keysOf(written).identity
	err = s.pending.View(func(tx *bolt.Tx) error {
		finder := s.pending.Finder(tx)
		id, err := finder.Link(pending.Hash(identity), identity)
		if found = id != 0; !found || err != nil {
			return err
		}
		e, _, err := s.reader(tx).read(id, &Pick{})
		l = e.Link
		return err
	})
	return l, found, err
}

// Explanation is all that the store knows of a link.
type Explanation struct {
	Link     Link
	Rule     string // a sentence: why its state is what it is
	Strikes  []judge.Strike
	History  []Event   // every change, and the last 30 probes, oldest first
	Mentions []Mention // retired ones too, in the order of collection, record, source and location
}

// Explain gives all that the store knows of a link, as of one moment; or ErrNotFound.
func (s *Store) Explain(id uint64) (x Explanation, err error) {
	err = s.pending.ViewLinks(func(tx *bolt.Tx) error {
		r := s.reader(tx)
		r.retired = true
		e, state, err := r.read(id, &Pick{Mentions: true, History: true})
		x = Explanation{Link: e.Link, Rule: state.Rule(), Strikes: state.Strikes, History: e.History, Mentions: e.LiveMentions}
		if p := e.Pin; p != nil {
			x.Rule = fmt.Sprintf("%s by a decision of %q: %q; judged by itself: %s", p.State, p.By, p.Why, x.Rule)
		}
		return err
	}, id)
	return x, err
}
