package store

import (
	"bytes"
	"fmt"
	"slices"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

const (
	dropRetiredAfter = 90 * day // OUTCOMES section 4
	retireRows       = 20000    // read in one transaction
)

// sourceTimes is what retiring needs of a source.
type sourceTimes struct {
	reading  uint64
	prevSeen uint64 // codec.Seconds
}

// retireVanished walks over all mentions once, if any source was read since it last
// did.
func (in *Ingest) retireVanished() error {
	var sources []sourceTimes // by number
	needed := false
	err := in.s.file.View(func(tx *boltfile.Tx) error {
		if needed = tx.Bucket(bucketMeta).Get(metaRetire) != nil; !needed {
			return nil
		}
		b := tx.Bucket(bucketSource)
		sources = make([]sourceTimes, b.Sequence()+1)
		return boltfile.Each(b, func(k, v []byte) error {
			row, err := decodeSource(k, v)
			if err == nil && int(row.id) >= len(sources) {
				err = codec.ErrShort
			}
			if err != nil {
				return err
			}
			sources[row.id] = sourceTimes{row.Read, codec.Seconds(row.prevSeen)}
			return nil
		})
	})
	if !needed {
		return err
	}
	for from := []byte{}; from != nil && err == nil; {
		var stale [][]byte
		if stale, from, err = in.findStale(sources, from); err == nil && len(stale) > 0 {
			err = in.s.file.Update(func(tx *boltfile.Tx) error { return in.retire(tx, sources, stale) })
		}
	}
	if err != nil {
		return err
	}
	return in.s.file.Update(func(tx *boltfile.Tx) error { return tx.Bucket(bucketMeta).Delete(metaRetire) })
}

// findStale reads the heads of some rows; next is nil at the end.
func (in *Ingest) findStale(sources []sourceTimes, from []byte) (stale [][]byte, next []byte, err error) {
	err = in.s.file.View(func(tx *boltfile.Tx) (err error) {
		next, err = boltfile.Part(tx.Bucket(bucketMention), from, retireRows, func(k, v []byte) error {
			holders, retired, err := readMentionHead(v)
			if err != nil {
				return fmt.Errorf("mention of link %d: %w", codec.Number(k[:codec.KeyLen]), err)
			}
			if retired.IsZero() && slices.ContainsFunc(holders, func(h holding) bool { return isStale(sources, h) }) ||
				!retired.IsZero() && in.now.Sub(retired) > dropRetiredAfter {
				stale = append(stale, bytes.Clone(k))
			}
			return nil
		})
		return err
	})
	return stale, next, err
}

func isStale(sources []sourceTimes, h holding) bool {
	return int(h.Source) < len(sources) && h.Reading < sources[h.Source].reading
}

// retire takes stale holders from mentions, retires mentions that nobody holds, and
// removes those that were retired long ago.
func (in *Ingest) retire(tx *boltfile.Tx, sources []sourceTimes, stale [][]byte) error {
	b := tx.Bucket(bucketMention)
	for _, k := range stale {
		link := codec.Number(k[:codec.KeyLen])
		url, err := urlOf(tx, link)
		if err != nil {
			return err
		}
		row, err := decodeMention(b.Get(k), url)
		if err != nil {
			return fmt.Errorf("mention of link %d: %w", link, err)
		}
		if !row.Retired.IsZero() {
			in.Counts.Dropped++
			if err := b.Delete(k); err != nil {
				return err
			}
			continue
		}
		last := row.holders[0]
		row.holders = slices.DeleteFunc(row.holders, func(h holding) bool { return isStale(sources, h) })
		if len(row.holders) == 0 {
			row.holders = []holding{last}
			row.Retired, row.LastSeen = in.now, codec.TimeOf(sources[last.Source].prevSeen)
			in.Counts.Retired++
			if err := countMentions(tx, link, -1, false); err != nil {
				return err
			}
		}
		if err := b.Put(k, row.encode(url)); err != nil {
			return err
		}
	}
	return nil
}
