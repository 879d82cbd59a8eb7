package store

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"slices"

	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// Entry is a link with what stands around it.
type Entry struct {
	Link
	Places []Mention // the live ones, in the order of Explanation.Mentions
	Past   []Event   // as Explanation.History
}

// Pick says what a scan reads of the links. The zero value reads all links and
// nothing around them.
type Pick struct {
	Only   func(id uint64) bool // nil: all
	Places bool
	Past   bool
}

const (
	scanRows  = 500  // entries that a scan reads in one transaction
	scanExtra = 5000 // mentions and events after which a transaction ends early
	stepsToGo = 24   // steps of a cursor that cost as much as a search from the root
)

// Scan yields the picked links, oldest first. It goes through the tables side by
// side, which all begin their keys with the number of the link: that is many times
// as fast as looking every link up.
func (s *Store) Scan(pick Pick) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		page := make([]Entry, 0, scanRows)
		for next := uint64(1); next != 0; {
			clear(page)
			err := s.pending.View(func(tx *bolt.Tx) (err error) {
				page, next, err = s.scanPage(tx, page[:0], next, &pick)
				return err
			})
			for i := range page {
				if !yield(page[i], nil) {
					return
				}
			}
			if err != nil {
				yield(Entry{}, err)
				return
			}
		}
	}
}

// Entry gives one link with its history and its live mentions: all of them in their
// order, or if there are more than most any so many; or ErrNotFound.
func (s *Store) Entry(id uint64, most int) (e Entry, err error) {
	err = s.pending.ViewLinks(func(tx *bolt.Tx) (err error) {
		sc := s.scanner(tx, id)
		if sc.most = most; !sc.link.to(codec.Key(id)) {
			return fmt.Errorf("link %d: %w", id, ErrNotFound)
		}
		e, err = sc.entry(sc.link.k, &Pick{Places: true, Past: true})
		return err
	}, id)
	return e, err
}

// scanner reads the tables side by side.
type scanner struct {
	*Store
	sources                       sourceReader
	link, state, history, mention follower
	most                          int // mentions of one link
}

// scanner begins at a link.
func (s *Store) scanner(tx *bolt.Tx, from uint64) *scanner {
	sc := &scanner{Store: s, sources: sourceReader{tx: tx}, most: math.MaxInt}
	start := codec.Key(from)
	sc.link.open(tx.Bucket(bucketLink), start)
	sc.state.open(tx.Bucket(bucketState), start)
	sc.history.open(tx.Bucket(bucketHistory), start)
	sc.mention.open(tx.Bucket(bucketMention), start)
	return sc
}

// scanPage appends the entries from link `from` on; next is 0 at the end.
func (s *Store) scanPage(tx *bolt.Tx, page []Entry, from uint64, pick *Pick) (_ []Entry, next uint64, err error) {
	sc := s.scanner(tx, from)
	for extra := 0; sc.link.k != nil; sc.link.next() {
		id := codec.Number(sc.link.k)
		if len(page) == scanRows || extra >= scanExtra {
			return page, id, nil
		}
		if pick.Only != nil && !pick.Only(id) {
			continue
		}
		e, err := sc.entry(sc.link.k, pick)
		if err != nil {
			return page, 0, err
		}
		page = append(page, e)
		extra += len(e.Places) + len(e.Past)
	}
	return page, 0, nil
}

// entry reads the link at the cursors.
func (sc *scanner) entry(id []byte, pick *Pick) (e Entry, err error) {
	if len(id) != codec.KeyLen || !sc.state.to(id) {
		return e, fmt.Errorf("link %d: %w", codec.Number(id), ErrNotFound)
	}
	var state stateRow
	if e.Link, state, err = sc.assemble(codec.Number(id), sc.link.v, sc.state.v); err != nil {
		return e, err
	}
	if state.eventRun != 0 {
		if err := sc.readHistory(&e, id, &state, pick.Past); err != nil {
			return e, fmt.Errorf("history of link %d: %w", e.ID, err)
		}
	}
	if pick.Places && state.live > 0 {
		if err := sc.readMentions(&e, id); err != nil {
			return e, fmt.Errorf("mention of link %d: %w", e.ID, err)
		}
	}
	return e, nil
}

// readHistory reads the last result of a link, and all of its history where that is
// wanted.
func (sc *scanner) readHistory(e *Entry, id []byte, state *stateRow, all bool) error {
	visits, found := state.visits, false
	for more := sc.history.to(id); more; more = sc.history.nextOf(id) {
		run, err := eventRun(sc.history.k)
		if err != nil {
			return err
		}
		if !all && run != state.eventRun {
			continue
		}
		row, err := decodeEvent(sc.history.v)
		if err != nil {
			return err
		}
		if run == state.eventRun {
			e.Last, found = lastResult(&row, state), true
		}
		if all {
			e.Past, visits = addVisits(e.Past, visits, run)
			e.Past = append(e.Past, Event{Run: run, State: row.State, Result: row.Result})
		}
	}
	if !found {
		return codec.ErrShort
	}
	if all {
		e.Past, _ = addVisits(e.Past, visits, 0)
	}
	return nil
}

// readMentions reads the live mentions of a link.
func (sc *scanner) readMentions(e *Entry, id []byte) error {
	for more := sc.mention.to(id); more && len(e.Places) < sc.most; more = sc.mention.nextOf(id) {
		m, err := decodeMention(sc.mention.v, e.URL)
		if err != nil {
			return err
		}
		if !m.Retired.IsZero() {
			continue
		}
		m.Link = e.ID
		if err := sc.sources.complete(&m); err != nil {
			return err
		}
		e.Places = append(e.Places, m.Mention)
	}
	slices.SortFunc(e.Places, compareMentions)
	return nil
}

// follower is a cursor that follows the numbers of links through a table.
type follower struct {
	c    *bolt.Cursor
	k, v []byte
}

func (f *follower) open(b *bolt.Bucket, start []byte) {
	f.c = b.Cursor()
	f.k, f.v = f.c.Seek(start)
}

func (f *follower) next() { f.k, f.v = f.c.Next() }

// to goes forward to the first row of a link; false if it has none.
func (f *follower) to(id []byte) bool {
	for n := 0; f.k != nil && bytes.Compare(f.k[:min(codec.KeyLen, len(f.k))], id) < 0; n++ {
		if n == stepsToGo {
			f.k, f.v = f.c.Seek(id)
			break
		}
		f.next()
	}
	return bytes.HasPrefix(f.k, id)
}

// nextOf goes to the next row of the same link; false if there is none.
func (f *follower) nextOf(id []byte) bool {
	f.next()
	return bytes.HasPrefix(f.k, id)
}
