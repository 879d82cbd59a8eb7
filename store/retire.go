package store

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
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

// Pruned counts what Prune removed.
type Pruned struct {
	Events, Mentions, Links, Sources, Runs int
}

// pruneRows is how many links or sources Prune reads in one transaction.
const pruneRows = 5000

// Prune forgets what is older than a time: history but for the newest event of
// each link, mentions retired before it, links left without any mention, sources that are
// gone since before it and hold nothing, and runs that no history names. When ctx ends
// first, what was forgotten stays so.
func (s *Store) Prune(ctx context.Context, older time.Time) (Pruned, error) {
	if err := s.pending.Flush(ctx); err != nil {
		return Pruned{}, err
	}
	pr := pruner{s: s, older: older, oldestRun: 1 << 63, held: map[uint32]bool{}}
	for i, part := range []func([]byte) ([]byte, error){pr.links, pr.sources} {
		for from := []byte{}; from != nil; {
			if err := ctx.Err(); err != nil && (i == 0 || len(from) > 0) { // what is small is pruned whole or not at all
				return pr.Pruned, err
			}
			before := pr.Pruned
			err := s.file.Update(func(tx *boltfile.Tx) (err error) {
				pr.tx = tx
				from, err = part(from)
				return err
			})
			if err != nil {
				return before, err
			}
		}
	}
	err := s.file.Update(func(tx *boltfile.Tx) (err error) {
		pr.Runs, err = boltfile.DeleteIf(tx.Bucket(bucketRun), nil, func(_, v []byte) (bool, error) {
			r, err := readRun(v)
			return r.ID < pr.oldestRun && r.Started.Before(older), err
		})
		return err
	})
	return pr.Pruned, err
}

// pruner prunes in a transaction, and counts what it removed.
type pruner struct {
	s  *Store
	tx *boltfile.Tx
	Pruned
	older     time.Time
	oldestRun uint64          // that history names
	held      map[uint32]bool // sources with mentions
}

// links prunes some links; next is nil at the end.
func (pr *pruner) links(from []byte) (next []byte, err error) {
	var ids []uint64
	next, err = boltfile.Part(pr.tx.Bucket(bucketLink), from, pruneRows, func(k, _ []byte) error {
		ids = append(ids, codec.Number(k))
		return nil
	})
	for _, id := range ids {
		left, merr := pr.mentions(id)
		switch {
		case merr != nil:
			return nil, merr
		case left > 0:
			err = pr.events(id)
		default:
			err = pr.link(id)
		}
		if err != nil {
			return nil, err
		}
	}
	return next, err
}

// mentions prunes the mentions of a link and gives the number of those left.
func (pr *pruner) mentions(id uint64) (left int, err error) {
	n, err := boltfile.DeleteIf(pr.tx.Bucket(bucketMention), codec.Key(id), func(_, v []byte) (bool, error) {
		holders, retired, err := readMentionHead(v)
		if retired.IsZero() || !retired.Before(pr.older) {
			left++
			for _, h := range holders {
				pr.held[h.Source] = true
			}
			return false, err
		}
		return true, err
	})
	pr.Mentions += n
	return left, err
}

func (pr *pruner) events(id uint64) error {
	state, err := decodeState(pr.tx.Bucket(bucketState).Get(codec.Key(id)))
	if err != nil {
		return err
	}
	n, err := boltfile.DeleteIf(pr.tx.Bucket(bucketHistory), codec.Key(id), func(k, v []byte) (bool, error) {
		e, err := decodeEvent(v)
		if err != nil {
			return false, err
		}
		run := codec.Number(k[codec.KeyLen:])
		if run == state.EventRun || !e.Result.At.Before(pr.older) {
			pr.oldestRun = min(pr.oldestRun, run)
			return false, nil
		}
		return true, nil
	})
	pr.Events += n
	return err
}

// link removes a link that nothing names any more, with its history.
func (pr *pruner) link(id uint64) error {
	pr.Links++
	key := codec.Key(id)
	identity, err := linkIdentity(pr.tx.Bucket(bucketLink).Get(key))
	if err != nil {
		return err
	}
	finder := pr.s.pending.Finder(pr.tx)
	if err := finder.Remove(pending.Hash(identity), id); err != nil {
		return err
	}
	for _, row := range []struct{ bucket, key []byte }{{bucketLink, key}, {bucketState, key}, {bucketPin, pinKey(id, "")}} {
		if err := pr.tx.Bucket(row.bucket).Delete(row.key); err != nil {
			return err
		}
	}
	_, err = boltfile.DeleteIf(pr.tx.Bucket(bucketHistory), key, func(_, _ []byte) (bool, error) { return true, nil })
	return err
}

// sources prunes some sources; next is nil at the end.
func (pr *pruner) sources(from []byte) (next []byte, err error) {
	rows, names := pr.tx.Bucket(bucketSource), pr.tx.Bucket(bucketName).Cursor()
	var gone []sourceRow
	next, err = boltfile.Part(rows, from, pruneRows, func(k, v []byte) error {
		row, err := decodeSource(k, v)
		named, _ := names.Seek(k)
		if err == nil && !row.Gone.IsZero() && row.Gone.Before(pr.older) && !pr.held[row.id] && !bytes.HasPrefix(named, k) {
			gone = append(gone, row)
		}
		return err
	})
	for i := range gone {
		row := &gone[i]
		if err == nil {
			err = unfileSource(pr.tx, row)
		}
		if err == nil {
			err = rows.Delete(codec.Key32(row.id))
		}
	}
	pr.Sources += len(gone)
	return next, err
}
