package store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"time"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
	"linkcheck/store/internal/said"
)

// SetPin notes a person's word about a link, or a mark about all links of a host, future
// ones too, and a line about it in the log, where it gets the next number. Another word of the
// same verb about the same is replaced; an empty one takes it back. What is not there is
// ErrNotFound.
func (s *Store) SetPin(p Pin) error {
	if !p.Valid() {
		return fmt.Errorf("mark: %q, state %s of link %d host %q", p.Verb, p.State, p.Link, p.Host)
	}
	return s.emit(func() (Change, error) {
		at, err := s.of(p.Link), error(nil)
		p.Before = at.pins.Of(&p)
		if s.emitTo == nil { // else its place in the log of changes is its number: what is known here may be old
			p.ID, err = s.lastWord()
			p.ID++
		}
		return &pinned{p}, cmp.Or(err, at.file.View(func(tx *boltfile.Tx) error {
			switch {
			case p.Empty() && p.Before == nil:
				return fmt.Errorf("pin: %w", ErrNotFound)
			case p.Link != 0 && tx.Bucket(bucketLink).Get(codec.Key(p.Link)) == nil:
				return fmt.Errorf("link %d: %w", p.Link, ErrNotFound)
			}
			return nil
		}))
	})
}

// lastWord is the greatest number in the log.
func (s *Store) lastWord() (last uint64, err error) {
	for _, at := range s.shards {
		err = cmp.Or(err, at.file.View(func(tx *boltfile.Tx) error {
			last = max(last, tx.Bucket(bucketPin).Sequence())
			return nil
		}))
	}
	return last, err
}

// raiseWords has the next word numbered behind the one that a key names.
func raiseWords(tx *boltfile.Tx, k, _ []byte) error {
	return tx.Bucket(bucketPin).RaiseSequence(said.LogID(k))
}

// pinned is the change that SetPin makes: the word and its line of the log at once, in the file
// of the link. A link that was removed meanwhile gets none.
type pinned struct{ Pin }

func (c *pinned) apply(s *Store, last func(func(*boltfile.Tx) error) error) error {
	gone, at := false, s.of(c.Link)
	if c.ID == 0 {
		c.ID, c.Before = s.making, at.pins.Of(&c.Pin)
	}
	put := func(tx *boltfile.Tx) error {
		if gone = c.Link != 0 && tx.Bucket(bucketLink).Get(codec.Key(c.Link)) == nil; gone {
			return nil
		}
		return said.Put(tx.Bucket(bucketPin), &c.Pin)
	}
	if at != s {
		if err := at.file.Update(put); err != nil {
			return err
		}
		put = func(*boltfile.Tx) error { return nil }
	}
	if err := last(put); err != nil {
		return err
	}
	if !gone {
		at.pins.Add(c.Pin)
	}
	return nil
}

// Pins lists the marks, those that have lapsed too: links by number, then hosts by name.
func (s *Store) Pins() []Pin {
	return said.Marks(func(yield func(*said.Table) bool) {
		for _, at := range s.shards {
			if !yield(&at.pins) {
				return
			}
		}
	})
}

// Log gives all that people said, but of links that Prune forgot, in the order in which they
// said it: each with what it took the place of.
func (s *Store) Log() (list []Pin, err error) {
	for _, at := range s.shards {
		err = cmp.Or(err, at.pending.View(func(tx *boltfile.Tx) error { return said.Log(tx.Bucket(bucketPin), at == s, &list) }))
	}
	return list, err
}

// holding finds the mark that holds for a link at a time: its own before its host's, which
// stands with the hosts.
func (s *Store) holding(link uint64, host string, now time.Time) *Pin {
	p := s.pins.Mark(link, host, now)
	if p == nil && s.home != s {
		p = s.home.pins.Mark(0, host, now)
	}
	return p
}

// pruneRows is how many links or sources Prune reads in one transaction.
const pruneRows = 5000

// Prune forgets what is older than a time: history but for the newest event of
// each link, mentions retired before it, links left without any mention, sources that are
// gone since before it and hold nothing, and runs that no history names. When ctx ends
// first, what was forgotten stays so. It counts that.
func (s *Store) Prune(ctx context.Context, older time.Time) (n Stats, err error) {
	err = s.emit(func() (Change, error) { return &pruned{ctx, older.Truncate(time.Second), &n}, nil })
	return n, err
}

// pruned is the change that Prune makes.
type pruned struct {
	ctx   context.Context
	older time.Time
	n     *Stats
}

func (c *pruned) apply(s *Store, last func(func(*boltfile.Tx) error) error) error {
	pr := pruner{older: c.older, oldestRun: 1 << 63, held: map[uint32]bool{}}
	defer func() { *c.n = pr.Stats }()
	err := s.flush(c.ctx)
	for _, pr.s = range s.shards {
		err = cmp.Or(err, pr.walk(c.ctx, pr.links, true))
	}
	pr.s = s
	if err = cmp.Or(err, pr.walk(c.ctx, pr.sources, false)); err != nil {
		return err
	}
	return last(func(tx *boltfile.Tx) (err error) {
		pr.Runs, err = boltfile.DeleteIf(tx.Bucket(bucketRun), nil, func(_, v []byte) (bool, error) {
			r, err := readRun(v)
			return r.ID < pr.oldestRun && r.Started.Before(c.older), err
		})
		return err
	})
}

// pruner prunes in a transaction, and counts what it removed.
type pruner struct {
	s  *Store
	tx *boltfile.Tx
	Stats
	older     time.Time
	oldestRun uint64          // that history names
	held      map[uint32]bool // sources with mentions
}

// walk prunes part after part of a file. What is small enough for one is pruned whole or not
// at all, whatever becomes of ctx, but where large says that it is not.
func (pr *pruner) walk(ctx context.Context, part func(from []byte) (next []byte, err error), large bool) error {
	for from := []byte{}; from != nil; {
		if err := ctx.Err(); err != nil && (large || len(from) > 0) {
			return err
		}
		before := pr.Stats
		err := pr.s.file.Update(func(tx *boltfile.Tx) (err error) {
			pr.tx = tx
			from, err = part(from)
			return err
		})
		if err != nil {
			pr.Stats = before
			return err
		}
	}
	return nil
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
	for _, row := range []struct{ bucket, key []byte }{{bucketLink, key}, {bucketState, key}} {
		if err := pr.tx.Bucket(row.bucket).Delete(row.key); err != nil {
			return err
		}
	}
	for _, rows := range []struct{ bucket, prefix []byte }{{bucketPin, said.LinkKey(id)}, {bucketHistory, key}} {
		_, derr := boltfile.DeleteIf(pr.tx.Bucket(rows.bucket), rows.prefix, func(_, _ []byte) (bool, error) { return true, nil })
		err = cmp.Or(err, derr)
	}
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
