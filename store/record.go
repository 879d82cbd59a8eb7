package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"
	bolt "go.etcd.io/bbolt"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/internal/codec"
)

// Checked is one link and what a probe learned of it.
type Checked struct {
	ID     uint64
	Result check.Result
}

// metaFolded is set while a fold is under way: the last row of the journal that it
// takes (8 octets), then the last link whose results are in their places.
var metaFolded = []byte("folded")

const (
	foldAt   = 1 << 18 // results that may wait in the journal
	foldRows = 5000    // put in their places in one transaction
	foldFill = 0.8     // of a page: rows grow by every visit
)

// folding is the results of the journal in the order of their links.
type folding struct {
	first, upTo uint64 // rows of the journal
	after       uint64 // results of links up to this one are in their places
	list        []waiting
}

// waiting is one result of a link and its place in the journal.
type waiting struct {
	link uint64
	row  uint32 // counted from the first
	at   uint32
}

// fold judges what waits in the journal, link by link. What a crash cuts off goes
// on where it was: no result counts twice.
func (s *Store) fold() error {
	for {
		var f folding
		if err := s.file.View(f.find); err != nil {
			return err
		}
		if f.upTo == 0 {
			break
		}
		for done := false; !done; {
			n := f.portion(foldRows)
			err := s.file.Update(func(tx *bolt.Tx) error { return f.take(tx, f.list[:n]) })
			if err != nil {
				return err
			}
			done, f.list = n == len(f.list), f.list[n:]
		}
	}
	s.loose.mu.Lock()
	defer s.loose.mu.Unlock()
	s.loose.waits, s.loose.rows = nil, 0
	return nil
}

// find reads where the results stand.
func (f *folding) find(tx *bolt.Tx) error {
	c := tx.Bucket(bucketJournal).Cursor()
	last, _ := c.Last()
	f.upTo = codec.Number(last)
	if v := tx.Bucket(bucketMeta).Get(metaFolded); len(v) == 16 {
		f.upTo, f.after = min(f.upTo, binary.BigEndian.Uint64(v)), binary.BigEndian.Uint64(v[8:])
	}
	k, v := c.First()
	if f.first = codec.Number(k); f.upTo < f.first {
		return fmt.Errorf("journal: %w", codec.ErrShort)
	}
	for ; k != nil && codec.Number(k) <= f.upTo; k, v = c.Next() {
		j, err := readJournal(v)
		for err == nil && j.at < len(v) {
			w := waiting{row: uint32(codec.Number(k) - f.first), at: uint32(j.at)}
			var c came
			if c, err = j.next(); c.link > f.after {
				w.link = c.link
				f.list = append(f.list, w)
			}
		}
		if err != nil {
			return fmt.Errorf("journal row %d: %w", codec.Number(k), err)
		}
	}
	slices.SortFunc(f.list, func(a, b waiting) int {
		return cmp.Or(cmp.Compare(a.link, b.link), cmp.Compare(a.row, b.row), cmp.Compare(a.at, b.at))
	})
	return nil
}

// portion is how many results the next transaction takes: about most, and all those
// of a link or none.
func (f *folding) portion(most int) int {
	n := min(most, len(f.list))
	for n > 0 && n < len(f.list) && f.list[n].link == f.list[n-1].link {
		n++
	}
	return n
}

// take puts results in their places. With the last of them the journal ends.
func (f *folding) take(tx *bolt.Tx, list []waiting) error {
	b := tx.Bucket(bucketJournal)
	rows := make([]journal, f.upTo-f.first+1)
	tx.Bucket(bucketState).FillPercent = foldFill
	tx.Bucket(bucketHist).FillPercent = foldFill
	for _, w := range list {
		j := &rows[w.row]
		if j.row == nil {
			var err error
			if *j, err = readJournal(b.Get(codec.Key64(f.first + uint64(w.row)))); err != nil {
				return err
			}
		}
		j.at = int(w.at)
		c, err := j.next()
		if err == nil {
			err = recordOne(tx, j.run, j.policy, &c)
		}
		if err != nil {
			return fmt.Errorf("link %d: %w", w.link, err)
		}
	}
	if len(list) < len(f.list) {
		at := binary.BigEndian.AppendUint64(codec.Key64(f.upTo), list[len(list)-1].link)
		return tx.Bucket(bucketMeta).Put(metaFolded, at)
	}
	var gone [][]byte
	c := b.Cursor()
	for k, _ := c.First(); k != nil && codec.Number(k) <= f.upTo; k, _ = c.Next() {
		gone = append(gone, bytes.Clone(k))
	}
	return deleteAll(b, gone, tx.Bucket(bucketMeta).Delete(metaFolded))
}

// recordOne judges a link by a result.
func recordOne(tx *bolt.Tx, run uint64, p judge.Policy, c *came) error {
	states, id, key := tx.Bucket(bucketState), c.link, codec.Key(c.link)
	v := states.Get(key)
	if v == nil {
		return nil
	}
	row, err := decodeState(v)
	if err != nil {
		return err
	}
	r, saidPart, sawPart, err := codec.SplitResult(c.result)
	if err != nil {
		return err
	}
	was := row.State
	row.Judgement = row.After(&r, run)
	row.Next = latest(p.NextCheck(&row.Judgement, &r, id), c.wait)
	said, saw := xxhash.Sum64(saidPart), xxhash.Sum64(sawPart)
	if said != row.said || was != row.State || row.histRun == 0 {
		row.histRun = run
		err = tx.Bucket(bucketHist).Put(eventKey(id, run), append([]byte{byte(row.State)}, c.result...))
	} else if saw != row.saw {
		err = refreshEvent(tx, eventKey(id, row.histRun), sawPart)
	}
	if err != nil {
		return err
	}
	row.said, row.saw, row.lastRun, row.when = said, saw, run, r
	row.final = 0
	if r.FinalURL != "" {
		row.final = hash(keyOf(r.FinalURL))
	}
	row.remember(probe{run, r.At})
	return states.Put(key, row.encode())
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// refreshEvent keeps in the newest row of history what conditional requests need.
func refreshEvent(tx *bolt.Tx, key, sawPart []byte) error {
	b := tx.Bucket(bucketHist)
	row := b.Get(key)
	r := codec.Reader{Buf: row}
	r.State()
	var old check.Result
	r.Timing(&old)
	r.Verdict(&old)
	if err := r.Err(); err != nil || len(row) == 0 {
		return fmt.Errorf("history: %w", codec.ErrShort)
	}
	return b.Put(key, append(bytes.Clone(row[:len(row)-len(r.Buf)]), sawPart...))
}
