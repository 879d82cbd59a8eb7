package store

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"linkcheck/check"
	"linkcheck/store/internal/codec"
)

const day = 24 * time.Hour

// pageRows is how many rows an iterator reads in one transaction. Between pages
// no transaction is open, so a slow reader does not keep old pages alive.
const pageRows = 1000

// errStop ends a walk early without being an error to the caller.
var errStop = errors.New("stop")

// walk calls read for every key of a bucket from `from` on that has the prefix,
// in pages; what read returned is yielded between the pages.
func walk[T any](s *Store, bucket, from, prefix []byte, read func(tx *bolt.Tx, k, v []byte) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		next := bytes.Clone(from)
		for next != nil {
			var page []T
			start := next
			next = nil
			err := s.view(func(tx *bolt.Tx) error {
				c := tx.Bucket(bucket).Cursor()
				for k, v := c.Seek(start); k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
					if len(page) == pageRows {
						next = bytes.Clone(k)
						break
					}
					item, err := read(tx, k, v)
					if err != nil {
						return err
					}
					page = append(page, item)
				}
				return nil
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

// Links yields every link, oldest first. A link without live mentions has
// Mentions 0.
func (s *Store) Links() iter.Seq2[Link, error] {
	return walk(s, bucketLink, []byte{}, nil, func(tx *bolt.Tx, k, _ []byte) (Link, error) {
		return s.link(openLinks(tx), k)
	})
}

// Link gives one link, or ErrNotFound.
func (s *Store) Link(id uint64) (l Link, err error) {
	err = s.viewLink(id, func(tx *bolt.Tx) (err error) {
		l, err = s.link(openLinks(tx), codec.Key(id))
		return err
	})
	return l, err
}

// Each calls take for every one of the links, in their order, with ErrNotFound for
// one that is not there. take must not use the store nor keep what it is given.
func (s *Store) Each(ids []uint64, take func(*Link, error)) error {
	view := s.file.View
	if slices.ContainsFunc(ids, s.loose.waiting) {
		view = s.view
	}
	return view(func(tx *bolt.Tx) error {
		t := openLinks(tx)
		var l Link
		var err error
		for _, id := range ids {
			l, err = s.link(t, codec.Key(id))
			take(&l, err)
		}
		return nil
	})
}

// Find gives the link that a string as written stands for.
func (s *Store) Find(written string) (l Link, found bool, err error) {
	form, _ := formKey(identify(written))
	err = s.view(func(tx *bolt.Tx) (err error) {
		id, err := lookUp(tx.Bucket(bucketIndex).Cursor(), nameOf(form), form)
		if found = id != 0; found && err == nil {
			l, err = s.link(openLinks(tx), codec.Key(id))
		}
		return err
	})
	return l, found, err
}

// linkTables are what a link is read from.
type linkTables struct{ link, state, hist *bolt.Cursor }

func openLinks(tx *bolt.Tx) linkTables {
	return linkTables{tx.Bucket(bucketLink).Cursor(), tx.Bucket(bucketState).Cursor(), tx.Bucket(bucketHist).Cursor()}
}

// row is what stands at a key; nil: nothing.
func row(c *bolt.Cursor, key []byte) []byte {
	if k, v := c.Seek(key); bytes.Equal(k, key) {
		return v
	}
	return nil
}

// link reads a link with its last result and the pin that holds now.
func (s *Store) link(t linkTables, key []byte) (l Link, err error) {
	if len(key) != codec.KeyLen {
		return l, codec.ErrShort
	}
	v, st := row(t.link, key), row(t.state, key)
	if v == nil || st == nil {
		return l, fmt.Errorf("link %d: %w", codec.Number(key), ErrNotFound)
	}
	is, err := decodeLink(v)
	if err != nil {
		return l, fmt.Errorf("link %d: %w", codec.Number(key), err)
	}
	state, err := decodeState(st)
	if err != nil {
		return l, fmt.Errorf("state of link %d: %w", codec.Number(key), err)
	}
	if l, err = s.assemble(codec.Number(key), &is, &state); err != nil || state.histRun == 0 {
		return l, err
	}
	e, err := decodeEvent(row(t.hist, eventKey(l.ID, state.histRun)))
	if err != nil {
		return l, fmt.Errorf("history of link %d: %w", l.ID, err)
	}
	l.Last = lastResult(&e, &state)
	return l, nil
}

// lastResult is what the newest row of history says, as the last visit saw it again.
func lastResult(e *eventRow, state *stateRow) check.Result {
	r, when := e.Result, &state.when
	r.At, r.Took, r.Bytes, r.Attempts, r.RetryAfter = when.At, when.Took, when.Bytes, when.Attempts, when.RetryAfter
	return r
}

func (s *Store) assemble(id uint64, row *linkRow, state *stateRow) (l Link, err error) {
	l = Link{
		ID: id, FirstSeen: row.firstSeen, Mentions: int(state.live), Variants: state.variants,
		State: state.State, Judged: state.State, Changes: state.Changes.List(), ChangedRun: state.ChangedRun,
		FirstChecked: state.FirstChecked, LastOK: state.LastOK, FailingSince: state.FailingSince,
		Strikes: state.Streak, Needed: state.Needed(), Checks: state.Checks, NextCheck: state.Next, LastRun: state.lastRun, HostLives: state.HostLives,
	}
	if l.Key, l.Scheme, l.Host, err = readForm(row.form); err != nil {
		return l, fmt.Errorf("link %d: %w", id, err)
	}
	if row.host != "" {
		l.Host = row.host
	}
	if l.URL = row.url; l.URL == "" {
		l.URL = l.Key
	}
	if p := s.ram.pin(id, l.Host, s.now()); p != nil {
		l.Pin, l.State, l.Changes = p, p.State, nil
	}
	return l, nil
}

// hostName is the host of a link, "" if it has none.
func (l *linkRow) hostName() (string, error) {
	if l.host != "" {
		return l.host, nil
	}
	_, _, host, err := readForm(l.form)
	return host, err
}

// MentionsOf yields the mentions of a link, retired ones too, in the order of
// collection, record, source and place.
func (s *Store) MentionsOf(id uint64) iter.Seq2[Mention, error] {
	return func(yield func(Mention, error) bool) {
		list, err := s.mentions(id)
		for _, m := range list {
			if !yield(m, nil) {
				return
			}
		}
		if err != nil {
			yield(Mention{}, err)
		}
	}
}

func (s *Store) mentions(id uint64) (list []Mention, err error) {
	err = s.file.View(func(tx *bolt.Tx) error {
		row, err := decodeLink(tx.Bucket(bucketLink).Get(codec.Key(id)))
		if err != nil {
			return fmt.Errorf("link %d: %w", id, err)
		}
		url := row.url
		if url == "" {
			if url, _, _, err = readForm(row.form); err != nil {
				return err
			}
		}
		sources := sourceCache{tx: tx}
		prefix := codec.Key(id)
		c := tx.Bucket(bucketMention).Cursor()
		for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
			m, err := decodeMention(v, url)
			if err != nil {
				return fmt.Errorf("mention of link %d: %w", id, err)
			}
			m.m.Link = id
			if err := sources.place(&m); err != nil {
				return err
			}
			list = append(list, m.m)
		}
		return nil
	})
	slices.SortFunc(list, compareMentions)
	return list, err
}

// History gives the remembered probes of a link, oldest first: every change, and
// the last 30 visits.
func (s *Store) History(id uint64) (list []Event, err error) {
	err = s.viewLink(id, func(tx *bolt.Tx) error {
		state, err := decodeState(tx.Bucket(bucketState).Get(codec.Key(id)))
		if err != nil {
			return fmt.Errorf("link %d: %w", id, err)
		}
		visits, prefix := state.probes, codec.Key(id)
		c := tx.Bucket(bucketHist).Cursor()
		for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
			e, err := decodeEvent(v)
			if err != nil || len(k) != 2*codec.KeyLen {
				return fmt.Errorf("%w: history of link %d", ErrCorrupt, id)
			}
			run := codec.Number(k[codec.KeyLen:])
			list, visits = addVisits(list, visits, run)
			list = append(list, Event{Run: run, State: e.State, Result: e.Result})
		}
		list, _ = addVisits(list, visits, 0)
		return nil
	})
	return list, err
}

// addVisits adds the visits before a run (0: all) that brought nothing new: each
// repeats what the event before it said. The visit of the run itself is dropped.
func addVisits(list []Event, visits []probe, before uint64) ([]Event, []probe) {
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
