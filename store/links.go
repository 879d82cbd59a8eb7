package store

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
)

// Links yields every link, oldest first. A link without live mentions has
// Mentions 0.
func (s *Store) Links() iter.Seq2[Link, error] {
	return pages(s, bucketLink, func(tx *bolt.Tx, k, _ []byte) (Link, error) {
		return s.openLinks(tx).link(k)
	})
}

// Link gives one link, or ErrNotFound.
func (s *Store) Link(id uint64) (l Link, err error) {
	err = s.pending.ViewLinks(func(tx *bolt.Tx) (err error) {
		l, err = s.openLinks(tx).link(codec.Key(id))
		return err
	}, id)
	return l, err
}

// Each calls take for every one of the links, in their order, with ErrNotFound for
// one that is not there. take must not use the store nor keep what it is given.
func (s *Store) Each(ids []uint64, take func(*Link, error)) error {
	return s.pending.ViewLinks(func(tx *bolt.Tx) error {
		t := s.openLinks(tx)
		var l Link
		var err error
		for _, id := range ids {
			l, err = t.link(codec.Key(id))
			take(&l, err)
		}
		return nil
	}, ids...)
}

// Find gives the link that a string as written stands for.
func (s *Store) Find(written string) (l Link, found bool, err error) {
	identity := keysOf(written).identity
	err = s.pending.View(func(tx *bolt.Tx) (err error) {
		finder := s.pending.Finder(tx)
		id, err := finder.Link(pending.Hash(identity), identity)
		if found = id != 0; found && err == nil {
			l, err = s.openLinks(tx).link(codec.Key(id))
		}
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
func (s *Store) Explain(id uint64) (e Explanation, err error) {
	err = s.pending.ViewLinks(func(tx *bolt.Tx) error {
		if e.Link, err = s.openLinks(tx).link(codec.Key(id)); err != nil {
			return err
		}
		state, err := decodeState(tx.Bucket(bucketState).Get(codec.Key(id)))
		if err != nil {
			return fmt.Errorf("link %d: %w", id, err)
		}
		e.Rule, e.Strikes = state.Rule(), state.Strikes
		if p := e.Link.Pin; p != nil {
			e.Rule = fmt.Sprintf("%s by a decision of %q: %q; judged by itself: %s", p.State, p.By, p.Why, e.Rule)
		}
		if e.History, err = historyOf(tx, id, state.visits); err != nil {
			return err
		}
		e.Mentions, err = mentionsOf(tx, id, e.Link.URL)
		return err
	}, id)
	return e, err
}

// linkTables are what a link is read from.
type linkTables struct {
	s                     *Store
	links, states, events *bolt.Cursor
}

func (s *Store) openLinks(tx *bolt.Tx) linkTables {
	return linkTables{s, tx.Bucket(bucketLink).Cursor(), tx.Bucket(bucketState).Cursor(), tx.Bucket(bucketHistory).Cursor()}
}

// link reads a link with its last result and the pin that holds now.
func (t linkTables) link(key []byte) (l Link, err error) {
	if len(key) != codec.KeyLen {
		return l, codec.ErrShort
	}
	link, state := seek(t.links, key), seek(t.states, key)
	if link == nil || state == nil {
		return l, fmt.Errorf("link %d: %w", codec.Number(key), ErrNotFound)
	}
	l, row, err := t.s.assemble(codec.Number(key), link, state)
	if err != nil || row.eventRun == 0 {
		return l, err
	}
	e, err := decodeEvent(seek(t.events, eventKey(l.ID, row.eventRun)))
	if err != nil {
		return l, fmt.Errorf("history of link %d: %w", l.ID, err)
	}
	l.Last = lastResult(&e, &row)
	return l, nil
}

// seek gives the row at a key; nil: none.
func seek(c *bolt.Cursor, key []byte) []byte {
	if k, v := c.Seek(key); bytes.Equal(k, key) {
		return v
	}
	return nil
}

// lastResult is what the newest row of history says, as the last probe saw it again.
func lastResult(e *eventRow, state *stateRow) check.Result {
	r, last := e.Result, &state.last
	r.At, r.Took, r.Bytes, r.Attempts, r.RetryAfter = last.At, last.Took, last.Bytes, last.Attempts, last.RetryAfter
	return r
}

// assemble makes a link of its rows, without its last result.
func (s *Store) assemble(id uint64, link, stateOf []byte) (l Link, state stateRow, err error) {
	row, err := decodeLink(link)
	if err != nil {
		return l, state, fmt.Errorf("link %d: %w", id, err)
	}
	if state, err = decodeState(stateOf); err != nil {
		return l, state, fmt.Errorf("state of link %d: %w", id, err)
	}
	p, err := row.parts()
	if err != nil {
		return l, state, fmt.Errorf("link %d: %w", id, err)
	}
	l = Link{
		ID: id, Key: p.key, URL: p.url, Scheme: p.scheme, Host: p.host, Relative: strings.HasPrefix(p.key, relativeMark),
		FirstSeen: row.firstSeen, Mentions: int(state.live), Variants: state.variants,
		State: state.State, Judged: state.State, Changes: state.Changes.List(), ChangedRun: state.ChangedRun,
		FirstChecked: state.FirstChecked, LastOK: state.LastOK, FailingSince: state.FailingSince,
		Strikes: state.Streak, Needed: state.Needed(), Checks: state.Checks,
		NextCheck: state.Next, LastRun: state.lastRun, HostLives: state.HostLives,
	}
	if pin := s.pins.holding(id, l.Host, s.now()); pin != nil {
		l.Pin, l.State, l.Changes = pin, pin.State, nil
	}
	return l, state, nil
}

// historyOf reads the remembered probes of a link.
func historyOf(tx *bolt.Tx, id uint64, visits []visit) (list []Event, err error) {
	for k, v := range boltfile.WithPrefix(tx.Bucket(bucketHistory), codec.Key(id)) {
		run, err := eventRun(k)
		e, derr := decodeEvent(v)
		if err = cmp.Or(err, derr); err != nil {
			return nil, fmt.Errorf("%w: history of link %d", ErrCorrupt, id)
		}
		list, visits = addVisits(list, visits, run)
		list = append(list, Event{Run: run, State: e.State, Result: e.Result})
	}
	list, _ = addVisits(list, visits, 0)
	return list, nil
}

// addVisits adds the visits before a run (0: all) that brought nothing new: each
// repeats what the event before it said. The visit of the run itself is dropped.
func addVisits(list []Event, visits []visit, before uint64) ([]Event, []visit) {
	for len(visits) > 0 && (before == 0 || visits[0].run <= before) {
		v := visits[0]
		visits = visits[1:]
		if v.run == before || len(list) == 0 || list[len(list)-1].Run == v.run {
			continue
		}
		e := list[len(list)-1]
		e.Run, e.Result.At, e.Same = v.run, v.at, true
		e.Result.Took, e.Result.Bytes, e.Result.Attempts, e.Result.RetryAfter = 0, 0, 0, 0
		list = append(list, e)
	}
	return list, visits
}

// mentionsOf reads the mentions of a link.
func mentionsOf(tx *bolt.Tx, id uint64, url string) (list []Mention, err error) {
	sources := sourceReader{tx: tx}
	for _, v := range boltfile.WithPrefix(tx.Bucket(bucketMention), codec.Key(id)) {
		m, err := decodeMention(v, url)
		if err == nil {
			err = sources.complete(&m)
		}
		if err != nil {
			return nil, fmt.Errorf("mention of link %d: %w", id, err)
		}
		m.Link = id
		list = append(list, m.Mention)
	}
	slices.SortFunc(list, compareMentions)
	return list, nil
}

func compareMentions(a, b Mention) int {
	return cmp.Or(
		strings.Compare(a.Collection, b.Collection), strings.Compare(a.Record, b.Record),
		strings.Compare(a.Source, b.Source), strings.Compare(a.Member, b.Member),
		cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		strings.Compare(a.Locator, b.Locator), strings.Compare(a.Raw, b.Raw))
}

// pageRows is how many rows an iterator reads in one transaction. Between pages
// no transaction is open, so a slow reader does not keep old pages alive.
const pageRows = 1000

// pages yields what read makes of every row of a bucket, in pages.
func pages[T any](s *Store, bucket []byte, read func(tx *bolt.Tx, k, v []byte) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for next := []byte{}; next != nil; {
			var page []T
			err := s.pending.View(func(tx *bolt.Tx) (err error) {
				next, err = boltfile.Part(tx.Bucket(bucket), next, pageRows, func(k, v []byte) error {
					item, err := read(tx, k, v)
					if err == nil {
						page = append(page, item)
					}
					return err
				})
				return err
			})
			for _, item := range page {
				if !yield(item, nil) {
					return
				}
			}
			if err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}
