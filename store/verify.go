package store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/pending"
	"linkcheck/store/internal/recall"
	"linkcheck/store/internal/under"
	"linkcheck/store/setfile"
)

// maxProblems is how many problems Verify lists before it stops looking.
const maxProblems = 100

// ctxRows is how many rows Verify reads before it looks at its context again.
const ctxRows = 1000

// Verify reads the whole store and lists what is wrong with it: pages, rows that
// cannot be read, rows without their counterparts, wrong counts. Nothing listed
// means sound. It changes nothing; nothing must be written meanwhile.
func (s *Store) Verify(ctx context.Context) (problems []string, err error) {
	lists := make([][]string, len(s.shards))
	err = s.sideBySide(func(at *Store) error {
		list, err := at.verify(ctx)
		for i := range list {
			if s.dir != "" {
				list[i] = filepath.Base(at.file.Path()) + ": " + list[i]
			}
		}
		lists[at.place] = list
		return err
	})
	problems = slices.Concat(lists...)
	return problems[:min(len(problems), maxProblems)], err
}

// verify is Verify for one file.
func (s *Store) verify(ctx context.Context) (problems []string, err error) {
	if problems, err = boltfile.CheckPages(ctx, s.file.Path()); err != nil || len(problems) > 0 {
		return problems, err // rows on bad pages are not worth reading
	}
	var v verifier
	err = s.pending.View(func(tx *boltfile.Tx) error {
		v = verifier{tx: tx, s: s, index: s.pending.Finder(tx), mentions: boltfile.Follow(tx.Bucket(bucketMention))}
		return v.all(ctx)
	})
	return v.problems, err
}

// checkRows reads every row of a store without checksums, so that one that cannot be read
// is met before anything is written; rows of the journal are numbered one after the other.
func (s *Store) checkRows(ctx context.Context) error {
	return s.file.View(func(tx *boltfile.Tx) error {
		for i := range tables {
			b, read := tx.Bucket(tables[i].bucket), 0
			if b == nil { // older schemas have fewer
				continue
			}
			for k, v := range boltfile.From(b, nil) {
				if read++; read%ctxRows == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				if _, err := tables[i].show(k, v); err != nil {
					return fmt.Errorf("%w: a row of %q: %w", ErrCorrupt, tables[i].bucket, err)
				}
			}
		}
		journal, next := tx.Bucket(pending.BucketJournal), uint64(0)
		if journal == nil {
			return nil
		}
		for k := range boltfile.From(journal, nil) {
			if n := codec.Number(k); len(k) != len(codec.Key64(0)) || next != 0 && n != next {
				return fmt.Errorf("%w: row %x of the journal", ErrCorrupt, k)
			} else {
				next = n + 1
			}
		}
		return nil
	})
}

type verifier struct {
	tx       *boltfile.Tx
	s        *Store
	index    pending.Finder
	mentions boltfile.Follower // of the link that is checked
	problems []string
}

// all checks the rows of all buckets, until there are too many problems.
func (v *verifier) all(ctx context.Context) error {
	for _, table := range []struct {
		bucket []byte
		check  func(k, row []byte)
	}{
		{pending.BucketIndex, v.indexRow}, {bucketLink, v.link}, {bucketMention, v.mention}, {bucketHistory, v.event},
		{bucketSource, v.source}, {bucketRoot, v.root}, {bucketUnder, v.under}, {bucketName, v.names}, {bucketRun, v.run}, {bucketCache, v.cached},
	} {
		if v.s.home != v.s && !v.s.home.ofFleet() && slices.ContainsFunc(homeBuckets, func(b []byte) bool { return bytes.Equal(b, table.bucket) }) {
			continue
		}
		n := 0
		for k, row := range boltfile.From(v.tx.Bucket(table.bucket), nil) {
			table.check(k, row)
			if n++; n%ctxRows == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if len(v.problems) >= maxProblems {
				return nil
			}
		}
	}
	return nil
}

func (v *verifier) add(format string, args ...any) {
	v.problems = append(v.problems, fmt.Sprintf(format, args...))
}

// get gives a row of a bucket, or nil.
func (v *verifier) get(bucket, key []byte) []byte { return v.tx.Bucket(bucket).Get(key) }

func (v *verifier) indexRow(k, _ []byte) {
	hash, link, ok := pending.SplitIndexKey(k)
	if !ok {
		v.add("index %x: no link number", k)
		return
	}
	identity, err := linkIdentity(v.get(bucketLink, codec.Key(link)))
	if err != nil || pending.Hash(identity) != hash {
		v.add("index %x: link %d is another", k, link)
	}
}

func (v *verifier) link(k, b []byte) {
	row, err := decodeLink(b)
	if err != nil || len(k) != codec.KeyLen {
		v.add("link %x: %v", k, err)
		return
	}
	id := codec.Number(k)
	if !v.index.Has(pending.Hash(row.Identity), id) {
		v.add("link %d: not found by its form", id)
	}
	if n := len(v.s.home.shards); n > 1 && (setfile.Of(row.Identity, n) != v.s.place || v.s.home.number(id) != v.s.place) {
		v.add("link %d: stands in the file of other hosts", id)
	}
	state, err := decodeState(v.get(bucketState, k))
	if err != nil {
		v.add("link %d: state: %v", id, err)
		return
	}
	live := uint32(0)
	for more := v.mentions.To(k); more; more = v.mentions.NextOf(k) {
		if _, retired, _ := readMentionHead(v.mentions.V); retired.IsZero() {
			live++
		}
	}
	if live != state.Live {
		v.add("link %d: %d live mentions, counted as %d", id, live, state.Live)
	}
	if state.EventRun != 0 && v.get(bucketHistory, eventKey(id, state.EventRun)) == nil {
		v.add("link %d: the event of run %d is missing", id, state.EventRun)
	}
}

func (v *verifier) mention(k, b []byte) {
	if len(k) != codec.KeyLen+hashLen || v.get(bucketLink, k[:codec.KeyLen]) == nil {
		v.add("mention %x: no such link", k)
		return
	}
	id := codec.Number(k[:codec.KeyLen])
	m, err := decodeMention(b, "")
	if err != nil || len(m.holders) == 0 {
		v.add("mention of link %d: unreadable: %v", id, err)
		return
	}
	for _, h := range m.holders {
		if v.get(bucketSource, codec.Key32(h.Source)) == nil {
			v.add("mention of link %d: source %d is missing", id, h.Source)
		}
	}
}

func (v *verifier) event(k, b []byte) {
	if len(k) != 2*codec.KeyLen || v.get(bucketLink, k[:codec.KeyLen]) == nil {
		v.add("event %x: no such link", k)
	} else if _, err := decodeEvent(b); err != nil {
		v.add("event of link %d: %v", codec.Number(k[:codec.KeyLen]), err)
	}
}

func (v *verifier) source(k, b []byte) {
	row, err := decodeSource(k, b)
	if err != nil {
		v.add("source %x: %v", k, err)
		return
	}
	at := v.get(bucketPath, []byte(row.Path))
	if row.Remote != 0 {
		at = v.get(bucketUnder, under.Key(row.Remote, row.Path))
	}
	if row.Remote == 0 && !bytes.Equal(at, k) || !slices.ContainsFunc(slices.Collect(under.Each(at)), func(id []byte) bool { return bytes.Equal(id, k) }) {
		v.add("source %q: not found by its path", row.Path)
	}
	if row.Remote != 0 && v.get(bucketRoot, codec.Key32(row.Remote)) == nil {
		v.add("source %q: root %d is missing", row.Path, row.Remote)
	}
}

func (v *verifier) root(k, b []byte) {
	if r, err := decodeRoot(k, b); err != nil || r.URI == "" {
		v.add("root %x: unreadable", k)
	}
}

func (v *verifier) under(k, b []byte) {
	if len(k) > under.KeyLen || len(b) == 0 || len(b)%4 != 0 {
		v.add("under %x: unreadable", k)
		return
	}
	for id := range under.Each(b) {
		row, err := decodeSource(id, v.get(bucketSource, id))
		if err != nil || !bytes.Equal(under.Key(row.Remote, row.Path), k) {
			v.add("under %x: source %d is another", k, codec.Number(id))
		}
	}
}

func (v *verifier) names(k, b []byte) {
	if len(k) != nameKeyLen || v.get(bucketSource, k[:4]) == nil {
		v.add("names %x: no such source", k)
	} else if err := eachName(b, func(uint64, Name) error { return nil }); err != nil {
		v.add("names %x: %v", k, err)
	}
}

func (v *verifier) run(k, b []byte) {
	if r, err := readRun(b); err != nil || len(k) != codec.KeyLen || r.ID != codec.Number(k) {
		v.add("run %x: unreadable", k)
	}
}

func (v *verifier) cached(k, b []byte) {
	if row, err := recall.Decode(b); err != nil || row.Until.IsZero() {
		v.add("recall of %.200q: unreadable", k)
	}
}

// number gives that which the first shard has for a source of another. One that it does not
// know yet gets a fresh one.
func (r *rows) number(tx, first *boltfile.Tx, id uint32) (number uint32, fresh bool, err error) {
	row, err := sourceByNumber(tx, id)
	if err != nil {
		return 0, false, err
	}
	known, found, err := sourceByPath(first, row.Remote, row.Path)
	if found || err != nil {
		return known.id, false, err
	}
	number, old := r.fresh[placeOf(&row)]
	if !old {
		number = uint32(first.Bucket(bucketSource).Sequence()) + uint32(len(r.fresh)) + 1
		r.fresh[placeOf(&row)] = number
	}
	return number, !old, nil
}

// readAllAgain has every source and every root read again.
func (s *Store) readAllAgain(ctx context.Context) error {
	for _, m := range []mend{{bucketSource, readAgain}, {bucketRoot, sweepAgain}} {
		for from := []byte{}; from != nil; {
			err := cmp.Or(ctx.Err(), s.file.Update(func(tx *boltfile.Tx) (err error) {
				from, err = m.some(tx, from)
				return err
			}))
			if err != nil {
				return err
			}
		}
	}
	return s.file.Update(func(tx *boltfile.Tx) error { return tx.Bucket(bucketMeta).Put(metaRetire, []byte{1}) })
}
