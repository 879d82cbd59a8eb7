package store

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"

	"linkcheck/store/facts"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// Ingest is one reading of sources into the store. Every mention notes the reading in
// which a source last held it, and a source the reading in which it was last read
// whole; what is older than its source has vanished from it. So a reading that is cut
// off anywhere loses nothing: the next one reads the unfinished sources again.
type Ingest struct {
	Reading uint64             // its number
	Now     time.Time          // Source.LastSeen of what is met in it, and not in vain
	Counts  facts.IngestCounts // so far

	s       *Store
	brought bool // mentions
	named   bool // names
	part    bool // of what a fleet reads
}

// BeginIngest begins a reading, whose number is taken by its first step. One at a time.
func (s *Store) BeginIngest(now time.Time) (*Ingest, error) {
	in := &Ingest{s: s, Now: now.UTC().Truncate(time.Second)}
	err := s.file.View(func(tx *boltfile.Tx) error {
		in.Reading = tx.Bucket(bucketMention).Sequence() + 1
		return nil
	})
	return in, err
}

// Add takes a step. Several goroutines may.
func (in *Ingest) Add(st Step) error {
	return in.s.emit(func() (Change, error) {
		for _, b := range st.Batches {
			in.brought, in.named = true, in.named || len(b.names) > 0
		}
		if st.Root != nil {
			if err := in.numberRoot(st.Root); err != nil {
				return nil, err
			}
			root := *st.Root
			st.Root = &root
		}
		return &step{in.Reading, in.Now, st, false, &in.Counts}, nil
	})
}

// step is the change that a Step makes.
type step struct {
	reading uint64
	now     time.Time
	Step
	part   bool                // that falls to another shard of a fleet than the first
	counts *facts.IngestCounts // to which it adds, where it was not decoded
}

func (c *step) apply(s *Store, last func(func(*boltfile.Tx) error) error) error {
	in := Ingest{s: s, Reading: c.reading, Now: c.now, part: c.part}
	st := c.Step
	var err error
	if len(s.shards) > 1 && len(st.Batches) > 0 {
		st.Batches, err = in.addToShards(&st)
	}
	if err == nil {
		err = last(func(tx *boltfile.Tx) error { return in.add(tx, &st) })
	}
	if err == nil && c.counts != nil {
		c.counts.Add(&in.Counts)
	}
	return err
}

// addToShards adds the mentions that stand in other files than the first, and gives what is
// left of the batches. Their sources and the number of the reading are in the first file
// before, so that a crash leaves no mention of what is not known.
func (in *Ingest) addToShards(st *Step) (left []*Batch, err error) {
	parts := make([][]*Batch, len(in.s.shards))
	var bare []*Batch
	for _, b := range st.Batches {
		bare = append(bare, &Batch{Remote: b.Remote, source: b.source})
		for n, part := range b.divide(len(parts)) {
			if part != nil {
				parts[n] = append(parts[n], part)
			}
		}
	}
	before, err := in.announcement(st.Root, bare)
	if err == nil && before != nil {
		err = in.s.file.Update(func(tx *boltfile.Tx) error { return in.add(tx, before) })
	}
	if err != nil {
		return nil, err
	}
	return parts[0], in.inEach(func(part *Ingest) error {
		batches := parts[part.s.place]
		if part.s == in.s || len(batches) == 0 {
			return nil
		}
		return part.s.pending.Add(func(tx *boltfile.Tx) error { return part.add(tx, &Step{Batches: batches}) })
	})
}

// announcement is what the first file is to know before the others have mentions: the number
// of the reading, and what it does not have yet of a root and of the sources of batches; nil:
// it knows. How far the root was read comes later. What a cut leaves to the others alone is
// read again: such a source is not what it is known by.
func (in *Ingest) announcement(root *Root, bare []*Batch) (st *Step, err error) {
	return st, in.s.file.View(func(tx *boltfile.Tx) error {
		needed := lastReading(tx).reading != in.Reading
		for _, b := range bare {
			row, found, err := sourceByPath(tx, b.Remote, b.source)
			if err != nil {
				return err
			}
			needed = needed || !found || b.Remote != 0 || row.isKnown()
		}
		if !needed {
			return nil
		}
		st = &Step{Batches: bare}
		if root != nil && tx.Bucket(bucketRoot).Get(codec.Key32(root.Number)) == nil {
			fresh := *root
			fresh.Mark = nil
			st.Root = &fresh
		}
		return nil
	})
}

// inEach does in each file what a reading does there.
func (in *Ingest) inEach(do func(*Ingest) error) error {
	var mu sync.Mutex
	return in.s.sideBySide(func(at *Store) error {
		part := Ingest{s: at, Reading: in.Reading, Now: in.Now}
		err := do(&part)
		mu.Lock()
		defer mu.Unlock()
		in.Counts.Add(&part.Counts)
		return err
	})
}

// forgetSeen is after how many sources, or mentions, the pages are forgotten on which they
// or their links stood.
const forgetSeen = 250

func (in *Ingest) add(tx *boltfile.Tx, st *Step) error {
	if row := lastReading(tx); row.reading != in.Reading {
		row = readingRow{in.Reading, tx.Bucket(bucketLink).Sequence(), false}
		if err := errors.Join(row.put(tx), tx.Bucket(bucketMention).RaiseSequence(in.Reading)); err != nil {
			return err
		}
	}
	if err := in.heard(tx, st); err != nil { // before anything changes
		return err
	}
	if st.Root != nil {
		if err := putRoot(tx, st.Root); err != nil {
			return err
		}
	}
	n := 0
	for _, b := range st.Batches {
		if n += len(b.items); n >= forgetSeen {
			boltfile.Forget(tx)
			n = 0
		}
		if err := in.addBatch(tx, b); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		list []Source
		take func(*boltfile.Tx, *Source) error
	}{{st.Found, in.found}, {st.Whole, in.readWhole}, {st.Same, in.same}, {st.Failed, in.failed}, {st.Noted, in.noted}, {st.Gone, in.gone}} {
		for i := range part.list {
			if n++; n%forgetSeen == 0 {
				boltfile.Forget(tx)
			}
			if err := part.take(tx, &part.list[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// readWhole: what a source that was read whole no longer holds will be retired by
// Finish. Its collection may be another than before.
func (in *Ingest) readWhole(tx *boltfile.Tx, src *Source) error {
	return in.change(tx, src, true, func(row *sourceRow) {
		before := row.prevSeen
		if row.Read != in.Reading {
			before = row.LastSeen
		}
		*row = sourceRow{Source: *src, id: row.id, prevSeen: before}
		row.Read, row.Asked = in.Reading, in.Reading
		row.LastSeen, row.Gone, row.Noted, row.NotedAt = in.Now, time.Time{}, 0, time.Time{}
	})
}

// same: of a file the time and the names may be others now; of a document of a remote
// root the server's words.
func (in *Ingest) same(tx *boltfile.Tx, src *Source) error {
	row, found, err := sourceByPath(tx, src.Remote, src.Path)
	if err != nil || !found {
		return cmp.Or(err, fmt.Errorf("source %q: %w", src.Path, ErrNotFound))
	}
	row.LastSeen, row.ModTime, row.Root, row.Rows, row.Name, row.Asked = in.Now, src.ModTime, src.Root, src.Rows, src.Name, in.Reading
	row.Version, row.Media, row.Noted, row.NotedAt = src.Version, src.Media, 0, time.Time{}
	return putSource(tx, &row)
}

func (in *Ingest) failed(tx *boltfile.Tx, src *Source) error {
	return in.change(tx, src, false, func(row *sourceRow) {
		if row.Asked = in.Reading; src.Version != "" {
			row.Version = src.Version
		}
	})
}

func (in *Ingest) noted(tx *boltfile.Tx, src *Source) error {
	return in.change(tx, src, false, func(row *sourceRow) {
		row.Asked, row.Noted, row.NotedAt = in.Reading, src.Noted, src.NotedAt.UTC().Truncate(time.Second)
		if row.Noted == 0 {
			row.Gone, row.NotedAt, row.Version = time.Time{}, time.Time{}, src.Version
		}
	})
}

// found: of a source that was never read, what a list says of it is kept until then.
func (in *Ingest) found(tx *boltfile.Tx, src *Source) error {
	return in.change(tx, src, false, func(row *sourceRow) {
		if row.Read == 0 {
			row.Version, row.Media, row.Depth = src.Version, src.Media, src.Depth
		}
	})
}

func (in *Ingest) gone(tx *boltfile.Tx, src *Source) error {
	return in.change(tx, src, true, func(row *sourceRow) {
		row.prevSeen, row.Gone, row.Read = row.LastSeen, in.Now, in.Reading
		row.Size, row.Mentions, row.Problems, row.Damage, row.NotRead, row.Faults = -1, 0, 0, "", nil, facts.Faults{}
		row.Hash, row.Version, row.Noted, row.NotedAt = nil, "", 0, time.Time{}
	})
}

// change changes the row of a source. retire says that mentions of older readings may
// have vanished, and their names with them.
func (in *Ingest) change(tx *boltfile.Tx, src *Source, retire bool, change func(*sourceRow)) error {
	row, found, err := sourceByPath(tx, src.Remote, src.Path)
	switch {
	case err == nil && !found && in.part: // it holds nothing here
		return nil
	case err == nil && !found:
		row, err = in.source(tx, src.Remote, src.Path)
	case in.part && row.Read != in.Reading:
		row.LastSeen = src.LastSeen // as the first shard has it
	}
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

// Finish spells new links as their first mentions, retires what has vanished and forgets
// what was retired 90 days ago.
func (in *Ingest) Finish() (facts.IngestCounts, error) {
	err := in.s.emit(func() (Change, error) {
		retire := false
		err := in.s.file.View(func(tx *boltfile.Tx) error {
			retire = tx.Bucket(bucketMeta).Get(metaRetire) != nil
			return nil
		})
		if !in.brought && !retire {
			return nil, err
		}
		return &swept{in.Reading, in.Now, in.named, retire, &in.Counts}, err
	})
	return in.Counts, err
}
