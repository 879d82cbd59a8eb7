package store

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/pending"
)

// Ingest is one reading of sources into the store. Every mention notes the reading in
// which a source last held it, and a source the reading in which it was last read
// whole; what is older than its source has vanished from it. So a reading that is cut
// off anywhere loses nothing: the next one reads the unfinished sources again.
type Ingest struct {
	s       *Store
	reading uint64
	now     time.Time
	seen    []Source // unchanged, and not noted as such yet
	counts  IngestCounts
	named   bool // the reading brought names
}

// IngestCounts counts what a reading changed.
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
	err := s.file.Update(func(tx *boltfile.Tx) (err error) {
		in.reading, err = tx.Bucket(bucketMention).NextSequence()
		return err
	})
	return in, err
}

// Batch is mentions made ready for the store.
type Batch struct {
	source string
	items  []*item
	names  []Name
}

// item is a mention with the keys of its link.
type item struct {
	mention      *Mention
	keys         linkKeys
	identityHash uint64
	mentionHash  uint64
	link         uint64
	fresh        bool // the link is new
}

// Prepare works out the identities of mentions of one source, and takes the names that
// stand in it; a mention whose URL is empty is a relative reference without a base. It
// needs no store and may run beside Add. Some ten thousand mentions make a good batch.
func Prepare(source string, list []Mention, names []Name) *Batch {
	b := &Batch{source: source, items: make([]*item, len(list)), names: names}
	all, mentions := make([]item, len(list)), slices.Clone(list)
	for i := range mentions {
		m, it := &mentions[i], &all[i]
		m.Source, b.items[i] = source, it
		if m.URL != "" {
			it.keys = keysOf(m.URL)
		} else {
			m.URL, it.keys = m.Raw, relativeKeys(m.Raw)
		}
		it.mention, it.mentionHash = m, mentionHash(m)
		it.identityHash = pending.Hash(it.keys.identity)
	}
	slices.SortStableFunc(b.items, func(x, y *item) int {
		return cmp.Or(bytes.Compare(x.keys.identity, y.keys.identity), cmp.Compare(x.mentionHash, y.mentionHash))
	})
	return b
}

// Len is the number of mentions.
func (b *Batch) Len() int { return len(b.items) }

// Counts gives what was changed so far.
func (in *Ingest) Counts() IngestCounts { return in.counts }

// Add writes the mentions of batches and their links, and notes the sources
// that are read whole with them, all in one transaction.
func (in *Ingest) Add(whole []Source, batches ...*Batch) error {
	before := in.counts
	err := in.s.pending.Add(func(tx *boltfile.Tx) error {
		for _, b := range batches {
			if err := in.addBatch(tx, b); err != nil {
				return err
			}
		}
		for i, src := range whole {
			if i%forgetSeen == 0 {
				boltfile.Forget(tx)
			}
			if err := in.readWhole(tx, src); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		in.counts = before
		return err
	}
	return in.s.pending.FlushMuch()
}

// readWhole: what a source that was read whole no longer holds will be retired by
// Finish. Its collection may be another than before.
func (in *Ingest) readWhole(tx *boltfile.Tx, src Source) error {
	return in.change(tx, src.Path, true, func(row *sourceRow) {
		id, before := row.id, row.LastSeen
		*row = sourceRow{Source: src, id: id, reading: in.reading, seenReading: in.reading, prevSeen: before}
		row.LastSeen, row.Gone = in.now, time.Time{}
	})
}

// Gone notes that sources do not exist any more: Finish retires their mentions.
func (in *Ingest) Gone(paths ...string) error {
	return in.s.file.Update(func(tx *boltfile.Tx) error {
		for _, path := range paths {
			err := in.change(tx, path, true, func(row *sourceRow) {
				row.reading, row.prevSeen, row.Gone = in.reading, row.LastSeen, in.now
				row.Size, row.Mentions, row.Problems, row.Damage, row.NotRead = -1, 0, 0, "", nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Unreadable notes that a source exists and could not be read: its mentions stay.
func (in *Ingest) Unreadable(path string) error {
	return in.s.file.Update(func(tx *boltfile.Tx) error {
		return in.change(tx, path, false, func(row *sourceRow) { row.seenReading = in.reading })
	})
}

// change changes the row of a source. retire says that mentions of older readings may
// have vanished, and their names with them.
func (in *Ingest) change(tx *boltfile.Tx, path string, retire bool, change func(*sourceRow)) error {
	row, err := in.source(tx, path)
	if err != nil {
		return err
	}
	change(&row)
	if retire {
		if err := tx.Bucket(bucketMeta).Put(metaRetire, []byte{1}); err != nil {
			return err
		}
		if err := in.dropNames(tx, row.id, !row.Gone.IsZero()); err != nil {
			return err
		}
	}
	return putSource(tx, &row)
}

// Known gives what earlier readings noted of a source; seen says that this one found it
// already, below another path.
func (in *Ingest) Known(path string) (src Source, found, seen bool, err error) {
	err = in.s.file.View(func(tx *boltfile.Tx) error {
		row, ok, err := sourceByPath(tx, path)
		src, found, seen = row.Source, ok, ok && row.seenReading == in.reading
		return err
	})
	return src, found, seen, err
}

// Missing yields those of the wanted sources that earlier readings found and this one did
// not. It comes after the calls for those that it did find.
func (in *Ingest) Missing(wanted func(*Source) bool) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		if err := in.noteSeen(); err != nil {
			yield(Source{}, err)
			return
		}
		boltfile.Pages(in.s.file.View, bucketSource, nil, func(_ *boltfile.Tx, k, v []byte) (src Source, missing bool, err error) {
			row, err := decodeSource(k, v)
			return row.Source, row.seenReading != in.reading && row.Gone.IsZero() && row.reading != 0 && wanted(&row.Source), err
		})(yield)
	}
}

// seenAtOnce is how many unchanged sources are noted in one transaction.
const seenAtOnce = 2000

// forgetSeen is after how many sources the pages are forgotten on which they stood.
const forgetSeen = 250

// Unchanged notes that a source is as it was when it was last read; it was not read again.
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
	err := in.s.file.Update(func(tx *boltfile.Tx) error {
		for i, src := range in.seen {
			if i%forgetSeen == 0 {
				boltfile.Forget(tx)
			}
			row, found, err := sourceByPath(tx, src.Path)
			if err != nil || !found {
				return cmp.Or(err, fmt.Errorf("source %q: %w", src.Path, ErrNotFound))
			}
			row.LastSeen, row.ModTime, row.Root, row.Name, row.seenReading = in.now, src.ModTime, src.Root, src.Name, in.reading
			if err := putSource(tx, &row); err != nil {
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
	err := in.noteSeen()
	if err == nil && in.named {
		err = in.makeNamingDue()
	}
	if err == nil {
		err = in.retireVanished()
	}
	return in.counts, err
}
