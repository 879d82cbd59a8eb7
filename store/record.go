package store

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"linkcheck/check"
)

// Checked is one link and what a probe learned of it.
type Checked struct {
	ID     uint64
	Result check.Result
}

// Record judges and keeps the results of a run in one transaction: when it
// returns nil they survive a crash. Batches of some thousand are quick. A link
// that was removed meanwhile is passed over. Of two results for one link in a
// run, history keeps the later.
func (s *Store) Record(run uint64, p Policy, batch []Checked) error {
	sorted := slices.Clone(batch)
	slices.SortStableFunc(sorted, func(a, b Checked) int { return cmp.Compare(a.ID, b.ID) })
	for i := range sorted { // to the second, as the file keeps it: judged by no more than is remembered
		sorted[i].Result.At = sorted[i].Result.At.Truncate(time.Second)
	}
	var rests []rest
	err := s.withNotes(func(tx *bolt.Tx) error {
		rests = rests[:0]
		for i := range sorted {
			if err := s.recordOne(tx, run, p, &sorted[i], &rests); err != nil {
				return err
			}
		}
		return s.putRests(tx, rests)
	})
	if err == nil {
		s.ram.rest(rests)
	}
	return err
}

func (s *Store) recordOne(tx *bolt.Tx, run uint64, p Policy, c *Checked, rests *[]rest) error {
	states, key := tx.Bucket(bucketState), idKey(c.ID)
	v := states.Get(key)
	if v == nil {
		return nil
	}
	row, err := decodeState(v)
	if err != nil {
		return fmt.Errorf("link %d: %w", c.ID, err)
	}
	was := row.State
	row.judged = judge(row.judged, &c.Result, run)
	row.Next = schedule(row.judged, &c.Result, c.ID, p)
	said, saw := gist(&c.Result)
	if said != row.said || was != row.State || row.histRun == 0 {
		row.histRun = run
		err = putEvent(tx, eventKey(c.ID, run), row.State, &c.Result)
	} else if saw != row.saw {
		err = refreshEvent(tx, eventKey(c.ID, row.histRun), &c.Result)
	}
	if err != nil {
		return err
	}
	row.said, row.saw, row.lastRun, row.when = said, saw, run, c.Result
	row.final = 0
	if c.Result.FinalURL != "" {
		row.final = hash(keyOf(c.Result.FinalURL))
	}
	row.remember(probe{run, c.Result.At})
	if s.ram.tellsOfRest(&c.Result) {
		host, err := hostOf(tx, c.ID)
		if err != nil {
			return err
		}
		*rests = append(*rests, rest{host, &c.Result})
		row.Next = latest(row.Next, s.ram.host(host).next(&c.Result))
	}
	return states.Put(key, row.encode())
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func putEvent(tx *bolt.Tx, key []byte, s State, r *check.Result) error {
	e := eventRow{State: s, Result: *r}
	return tx.Bucket(bucketHist).Put(key, e.encode())
}

// refreshEvent keeps in the newest row of history what conditional requests need.
func refreshEvent(tx *bolt.Tx, key []byte, r *check.Result) error {
	b := tx.Bucket(bucketHist)
	e, err := decodeEvent(b.Get(key))
	if err != nil {
		return fmt.Errorf("history of link %d: %w", number(key[:idLen]), err)
	}
	e.Result.ContentType, e.Result.Title, e.Result.Digest = r.ContentType, r.Title, r.Digest
	e.Result.ETag, e.Result.LastModified = r.ETag, r.LastModified
	return b.Put(key, e.encode())
}

func hostOf(tx *bolt.Tx, id uint64) (string, error) {
	l, err := decodeLink(tx.Bucket(bucketLink).Get(idKey(id)))
	if err != nil {
		return "", err
	}
	return l.hostName()
}
