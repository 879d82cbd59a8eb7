package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
)

// pinTable holds the pins by their keys. All of them are in the file too.
type pinTable struct {
	mu    sync.RWMutex
	byKey map[string]Pin
}

func pinKey(link uint64, host string) []byte {
	if link != 0 {
		return append([]byte{'l'}, codec.Key(link)...)
	}
	return append([]byte{'h'}, strings.ToLower(host)...)
}

// holding finds the pin that holds for a link at a time: its own before its host's.
func (t *pinTable) holding(link uint64, host string, now time.Time) *Pin {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if len(t.byKey) == 0 {
		return nil
	}
	for _, key := range [][]byte{pinKey(link, ""), pinKey(0, host)} {
		p, ok := t.byKey[string(key)]
		if ok && len(key) > 1 && (p.Until.IsZero() || now.Before(p.Until)) {
			return &p
		}
	}
	return nil
}

// SetPin notes a person's decision about a link, or about all links of a host, future
// ones too. Another pin of the same link or host is replaced; one of state New removes it.
// What is not there is ErrNotFound.
func (s *Store) SetPin(p Pin) error {
	if p.State != judge.New && (p.State < judge.PinnedAlive || p.State > judge.Ignored) || p.Link == 0 && p.Host == "" {
		return fmt.Errorf("mark: state %s of link %d host %q", p.State, p.Link, p.Host)
	}
	return s.emit(func() (Change, error) {
		return &pinned{p}, s.of(p.Link).file.View(func(tx *boltfile.Tx) error {
			switch {
			case p.State == judge.New && tx.Bucket(bucketPin).Get(pinKey(p.Link, p.Host)) == nil:
				return fmt.Errorf("pin: %w", ErrNotFound)
			case p.Link != 0 && tx.Bucket(bucketLink).Get(codec.Key(p.Link)) == nil:
				return fmt.Errorf("link %d: %w", p.Link, ErrNotFound)
			}
			return nil
		})
	})
}

// pinned is the change that SetPin makes. A link that was removed meanwhile gets no pin.
type pinned struct{ Pin }

func (c *pinned) apply(s *Store, last func(func(*boltfile.Tx) error) error) error {
	v, err := json.Marshal(c.Pin)
	if err != nil {
		return err
	}
	put := func(tx *boltfile.Tx) error {
		b, k := tx.Bucket(bucketPin), pinKey(c.Link, c.Host)
		if c.State == judge.New || c.Link != 0 && tx.Bucket(bucketLink).Get(codec.Key(c.Link)) == nil {
			return b.Delete(k)
		}
		return b.Put(k, v)
	}
	at := s.of(c.Link)
	if at != s {
		if err := at.file.Update(put); err != nil {
			return err
		}
		put = func(*boltfile.Tx) error { return nil }
	}
	if err := last(put); err != nil {
		return err
	}
	return at.loadTables()
}

// Pins lists the pins, those that have lapsed too: links by number, then hosts by name.
func (s *Store) Pins() []Pin {
	var list []Pin
	for _, at := range s.shards {
		at.pins.mu.RLock()
		for _, p := range at.pins.byKey {
			if p.Link != 0 || at == s { // each shard of a fleet has those of hosts
				list = append(list, p)
			}
		}
		at.pins.mu.RUnlock()
	}
	slices.SortFunc(list, func(a, b Pin) int { return cmp.Or(strings.Compare(a.Host, b.Host), cmp.Compare(a.Link, b.Link)) })
	return list
}

// holding finds the pin that holds for a link at a time: its own before its host's, which
// stands with the hosts.
func (s *Store) holding(link uint64, host string, now time.Time) *Pin {
	p := s.pins.holding(link, host, now)
	if p == nil && s.home != s {
		p = s.home.pins.holding(0, host, now)
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
