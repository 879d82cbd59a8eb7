package store

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

const (
	keptRetired = 90 * day // OUTCOMES section 4
	sweepRows   = 20000    // looked at in one transaction
)

// sourceTimes is what the sweep needs of each source, by number.
type sourceTimes struct {
	gen      uint64
	prevSeen time.Time
}

// sweep walks over all mentions once, if any source was read since the last sweep.
func (in *Ingest) sweep() error {
	var sources []sourceTimes
	err := in.s.file.View(func(tx *bolt.Tx) error {
		if tx.Bucket(bucketMeta).Get(metaSweep) == nil {
			return errStop
		}
		return tx.Bucket(bucketSource).ForEach(func(k, v []byte) error {
			row, err := decodeSource(k, v)
			if err != nil {
				return err
			}
			for int(row.id) >= len(sources) {
				sources = append(sources, sourceTimes{})
			}
			sources[row.id] = sourceTimes{row.gen, row.prevSeen}
			return nil
		})
	})
	if err == errStop {
		return nil
	}
	for from := []byte{}; from != nil && err == nil; {
		var stale [][]byte
		if stale, from, err = in.findStale(sources, from); err == nil && len(stale) > 0 {
			err = in.s.file.Update(func(tx *bolt.Tx) error { return in.retire(tx, sources, stale) })
		}
	}
	if err != nil {
		return err
	}
	return in.s.file.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucketMeta).Delete(metaSweep) })
}

// findStale reads the heads of some rows; next is nil at the end.
func (in *Ingest) findStale(sources []sourceTimes, from []byte) (stale [][]byte, next []byte, err error) {
	err = in.s.file.View(func(tx *bolt.Tx) error {
		c, n := tx.Bucket(bucketMention).Cursor(), 0
		for k, v := c.Seek(from); k != nil; k, v = c.Next() {
			if n++; n > sweepRows {
				next = bytes.Clone(k)
				return nil
			}
			r := codec.Reader{Buf: v}
			r.Byte()
			src, retired := readStandings(&r)
			if r.Err() != nil {
				return fmt.Errorf("mention of link %d: %w", codec.Number(k[:codec.KeyLen]), codec.ErrShort)
			}
			if retired.IsZero() && slices.ContainsFunc(src, func(s standing) bool { return isStale(sources, s) }) ||
				!retired.IsZero() && in.now.Sub(retired) > keptRetired {
				stale = append(stale, bytes.Clone(k))
			}
		}
		return nil
	})
	return stale, next, err
}

func isStale(sources []sourceTimes, s standing) bool {
	return int(s.Source) < len(sources) && s.Gen < sources[s.Source].gen
}

func (in *Ingest) retire(tx *bolt.Tx, sources []sourceTimes, stale [][]byte) error {
	b := tx.Bucket(bucketMention)
	for _, k := range stale {
		id := codec.Number(k[:codec.KeyLen])
		url, err := urlOf(tx, id)
		if err != nil {
			return err
		}
		row, err := decodeMention(b.Get(k), url)
		if err != nil {
			return fmt.Errorf("mention of link %d: %w", id, err)
		}
		if !row.m.Retired.IsZero() {
			in.sum.Dropped++
			if err := b.Delete(k); err != nil {
				return err
			}
			continue
		}
		last := row.src[0]
		row.src = slices.DeleteFunc(row.src, func(s standing) bool { return isStale(sources, s) })
		if len(row.src) == 0 {
			row.src = []standing{last}
			row.m.Retired, row.m.LastSeen = in.now, sources[last.Source].prevSeen
			in.sum.Retired++
			if err := adjustState(tx, id, -1, false); err != nil {
				return err
			}
		}
		if err := b.Put(k, row.encode(url)); err != nil {
			return err
		}
	}
	return nil
}
