package store

import (
	"bytes"
	"context"
	"time"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
)

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
	for _, part := range []func([]byte) ([]byte, error){pr.links, pr.sources} {
		for from := []byte{}; from != nil; {
			if err := ctx.Err(); err != nil {
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
