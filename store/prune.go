package store

import (
	"bytes"
	"time"

	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// Pruned says what Prune removed.
type Pruned struct {
	Events, Mentions, Links, Runs int
}

// pruneRows is how many links are looked at in one transaction.
const pruneRows = 5000

// Prune forgets what is older than a time: history but for the newest event of
// each link, mentions retired before it, links left without any mention, and
// runs that no history names.
func (s *Store) Prune(older time.Time) (p Pruned, err error) {
	if err := s.settle(); err != nil {
		return p, err
	}
	oldest := uint64(1 << 63)
	for from := []byte{}; from != nil && err == nil; {
		sum := p
		err = s.file.Update(func(tx *bolt.Tx) (err error) {
			p = sum
			from, err = pruneLinks(tx, from, older, &p, &oldest)
			return err
		})
	}
	if err != nil {
		return p, err
	}
	err = s.file.Update(func(tx *bolt.Tx) error {
		runs := tx.Bucket(bucketRun)
		var gone [][]byte
		err := runs.ForEach(func(k, v []byte) error {
			r, err := readRun(v)
			if err == nil && r.ID < oldest && r.Started.Before(older) {
				gone = append(gone, bytes.Clone(k))
			}
			return err
		})
		p.Runs += len(gone)
		return deleteAll(runs, gone, err)
	})
	return p, err
}

func pruneLinks(tx *bolt.Tx, from []byte, older time.Time, p *Pruned, oldest *uint64) (next []byte, err error) {
	var ids []uint64
	c := tx.Bucket(bucketLink).Cursor()
	for k, _ := c.Seek(from); k != nil; k, _ = c.Next() {
		if len(ids) == pruneRows {
			next = bytes.Clone(k)
			break
		}
		ids = append(ids, codec.Number(k))
	}
	for _, id := range ids {
		left, err := pruneMentions(tx, id, older, p)
		if err != nil {
			return nil, err
		}
		if left == 0 {
			p.Links++
			if err := dropLink(tx, id); err != nil {
				return nil, err
			}
			continue
		}
		if err := pruneEvents(tx, id, older, p, oldest); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// pruneMentions says how many mentions are left.
func pruneMentions(tx *bolt.Tx, id uint64, older time.Time, p *Pruned) (left int, err error) {
	b, prefix := tx.Bucket(bucketMention), codec.Key(id)
	var gone [][]byte
	c := b.Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		r := codec.Reader{Buf: v}
		r.Byte()
		_, retired := readStandings(&r)
		if r.Err() != nil {
			return 0, codec.ErrShort
		}
		if retired.IsZero() || !retired.Before(older) {
			left++
		} else {
			gone = append(gone, bytes.Clone(k))
		}
	}
	p.Mentions += len(gone)
	return left, deleteAll(b, gone, nil)
}

func pruneEvents(tx *bolt.Tx, id uint64, older time.Time, p *Pruned, oldest *uint64) error {
	state, err := decodeState(tx.Bucket(bucketState).Get(codec.Key(id)))
	if err != nil {
		return err
	}
	b, prefix := tx.Bucket(bucketHist), codec.Key(id)
	var gone [][]byte
	c := b.Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		e, err := decodeEvent(v)
		if err != nil {
			return err
		}
		if run := codec.Number(k[codec.KeyLen:]); run == state.histRun || !e.Result.At.Before(older) {
			*oldest = min(*oldest, run)
		} else {
			gone = append(gone, bytes.Clone(k))
		}
	}
	p.Events += len(gone)
	return deleteAll(b, gone, nil)
}

// dropLink removes a link that nothing names any more, with its history.
func dropLink(tx *bolt.Tx, id uint64) error {
	key := codec.Key(id)
	row, err := decodeLink(tx.Bucket(bucketLink).Get(key))
	if err != nil {
		return err
	}
	if err := tx.Bucket(bucketIndex).Delete(indexKey(nameOf(row.form), id)); err != nil {
		return err
	}
	for _, name := range [][]byte{bucketLink, bucketState} {
		if err := tx.Bucket(name).Delete(key); err != nil {
			return err
		}
	}
	b := tx.Bucket(bucketHist)
	var gone [][]byte
	c := b.Cursor()
	for k, _ := c.Seek(key); bytes.HasPrefix(k, key); k, _ = c.Next() {
		gone = append(gone, bytes.Clone(k))
	}
	return deleteAll(b, gone, tx.Bucket(bucketPin).Delete(pinKey(id, "")))
}

func deleteAll(b *bolt.Bucket, list [][]byte, err error) error {
	for _, k := range list {
		if err == nil {
			err = b.Delete(k)
		}
	}
	return err
}
