package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"linkcheck/store/internal/codec"

	bolt "go.etcd.io/bbolt"
)

// metaSweep is set while a source may hold mentions that were not found again.
var metaSweep = []byte("sweep")

// Ingest is one reading of sources into the store. Every mention notes the
// reading (its generation) in which a source last held it, and a source the
// reading in which it was last read whole; what is older than its source has
// vanished from it. So a reading that is cut off anywhere loses nothing: the
// next one reads the unfinished sources again.
type Ingest struct {
	s    *Store
	gen  uint64
	now  time.Time
	seen []Source
	sum  IngestCounts

	named bool // names came
}

// IngestCounts says what a reading changed.
type IngestCounts struct {
	Mentions int // read
	NewLinks int
	New      int // mentions not known before
	Returned int // mentions that were retired
	Retired  int // mentions that vanished
	Dropped  int // mentions that had been retired for 90 days
}

// BeginIngest begins a reading. One at a time.
func (s *Store) BeginIngest(now time.Time) (*Ingest, error) {
	in := &Ingest{s: s, now: now.UTC().Truncate(time.Second)}
	err := s.file.Update(func(tx *bolt.Tx) (err error) {
		in.gen, err = tx.Bucket(bucketMention).NextSequence()
		return err
	})
	return in, err
}

// Batch is mentions made ready for the store.
type Batch struct {
	source string
	items  []*ready
	names  []Name
}

type ready struct {
	m     *Mention
	is    identity
	form  []byte
	name  uint64 // hash of the form
	apart bool   // the form does not hold the host
	hash  uint64
	link  uint64
	fresh bool // the link is new
}

// Prepare works out the identities of mentions of one source; one whose URL is
// empty is a relative reference without a base. It needs no store
// and may run beside Add. Some ten thousand mentions make a good batch.
func Prepare(source string, list []Mention) *Batch {
	b := &Batch{source: source, items: make([]*ready, len(list))}
	all, mentions := make([]ready, len(list)), slices.Clone(list)
	for i := range mentions {
		m, r := &mentions[i], &all[i]
		m.Source, b.items[i] = source, r
		if r.is = identify(m.URL); m.URL == "" {
			m.URL, r.is = m.Raw, identity{key: RelativeMark + m.Raw}
		}
		r.m, r.hash = m, mentionHash(m)
		r.form, r.apart = formKey(r.is)
		r.name = nameOf(r.form)
	}
	slices.SortStableFunc(b.items, func(x, y *ready) int {
		return cmp.Or(bytes.Compare(x.form, y.form), cmp.Compare(x.hash, y.hash))
	})
	return b
}

// Len is the number of mentions.
func (b *Batch) Len() int { return len(b.items) }

// Counts says what was changed so far.
func (in *Ingest) Counts() IngestCounts { return in.sum }

// Add keeps the mentions of batches and the links they name, and notes the sources
// that are read whole with them, all in one transaction.
func (in *Ingest) Add(whole []Source, batches ...*Batch) error {
	l := &in.s.loose
	l.work.Lock()
	defer l.work.Unlock()
	sum := in.sum
	err := in.s.file.Update(func(tx *bolt.Tx) error {
		in.sum = sum
		for _, b := range batches {
			if err := in.addBatch(tx, b); err != nil {
				return err
			}
		}
		for _, src := range whole {
			if err := in.done(tx, src); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		in.sum = sum
		return errors.Join(err, in.s.forgetNamed())
	}
	if len(l.fresh) < fileAt {
		return nil
	}
	return in.s.fileLinks()
}

// done: what a source that was read whole no longer holds will be retired by
// Finish. Its collection may be another than before.
func (in *Ingest) done(tx *bolt.Tx, src Source) error {
	return in.change(tx, src.Path, true, func(row *sourceRow) {
		id, before := row.id, row.LastSeen
		*row = sourceRow{Source: src, id: id, gen: in.gen, seenGen: in.gen, prevSeen: before}
		row.LastSeen, row.Gone = in.now, time.Time{}
	})
}

// Gone says that a source is no more: Finish retires its mentions.
func (in *Ingest) Gone(path string) error {
	return in.s.file.Update(func(tx *bolt.Tx) error {
		return in.change(tx, path, true, func(row *sourceRow) {
			row.gen, row.prevSeen, row.Gone = in.gen, row.LastSeen, in.now
			row.Size, row.Mentions = -1, 0
		})
	})
}

// Keep says that a source is there and could not be read: all stays as it was.
func (in *Ingest) Keep(path string) error {
	return in.s.file.Update(func(tx *bolt.Tx) error {
		return in.change(tx, path, false, func(row *sourceRow) { row.seenGen = in.gen })
	})
}

func (in *Ingest) change(tx *bolt.Tx, path string, sweep bool, change func(*sourceRow)) error {
	row, err := in.source(tx, path)
	if err != nil {
		return err
	}
	change(&row)
	if sweep {
		if err := tx.Bucket(bucketMeta).Put(metaSweep, []byte{1}); err != nil {
			return err
		}
		if err := in.dropNames(tx, row.id, !row.Gone.IsZero()); err != nil {
			return err
		}
	}
	return tx.Bucket(bucketSource).Put(codec.Key32(row.id), row.encode())
}

// Missing yields the sources that earlier readings found under a root and this
// one has not. What this reading saw of the root must have been told before.
func (in *Ingest) Missing(root string) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		if err := in.noteSeen(); err != nil {
			yield(Source{}, err)
			return
		}
		all := walk(in.s, bucketSource, []byte{}, nil, func(_ *bolt.Tx, k, v []byte) (sourceRow, error) { return decodeSource(k, v) })
		for row, err := range all {
			if err == nil && (row.Root != root || row.seenGen == in.gen || !row.Gone.IsZero() || row.gen == 0) {
				continue
			}
			if !yield(row.Source, err) {
				return
			}
		}
	}
}

// seenAtOnce bounds the sources that wait to be noted as unchanged.
const seenAtOnce = 5000

// Unchanged says that a source holds what it held: it was not read.
func (in *Ingest) Unchanged(src Source) error {
	if in.seen = append(in.seen, src); len(in.seen) < seenAtOnce {
		return nil
	}
	return in.noteSeen()
}

func (in *Ingest) noteSeen() error {
	if len(in.seen) == 0 {
		return nil
	}
	err := in.s.file.Update(func(tx *bolt.Tx) error {
		for _, src := range in.seen {
			row, found, err := sourceByPath(tx, src.Path)
			if err != nil || !found {
				return cmp.Or(err, fmt.Errorf("source %q: %w", src.Path, ErrNotFound))
			}
			row.LastSeen, row.ModTime, row.Root, row.seenGen = in.now, src.ModTime, src.Root, in.gen
			if err := tx.Bucket(bucketSource).Put(codec.Key32(row.id), row.encode()); err != nil {
				return err
			}
		}
		return nil
	})
	in.seen = in.seen[:0]
	return err
}

// Finish retires what has vanished and forgets what was retired 90 days ago.
func (in *Ingest) Finish() (IngestCounts, error) {
	if err := in.noteSeen(); err != nil {
		return in.sum, err
	}
	if in.named {
		if err := in.wakeNaming(); err != nil {
			return in.sum, err
		}
	}
	err := in.sweep()
	return in.sum, err
}
