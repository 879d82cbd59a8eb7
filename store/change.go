package store

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store/facts"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/recall"
	"linkcheck/uri/equal"
)

// Change is one change of a store. What a store knows follows from its changes, in their
// order: a change holds every time and number that it needs, and applying it asks no clock.
// Stores to which the same changes are applied number links alike.
type Change interface {
	// apply makes the change. last runs its last transaction, which is mostly its only one;
	// those before it may be done twice.
	apply(s *Store, last func(func(*boltfile.Tx) error) error) error
	fields(f *codec.Fields)
}

// Apply makes a change whose place in the log of changes is at: they have to come in their
// order. One that was made is passed over, and the place is committed with the change, so that
// a log which is read again from anywhere has every change made once. While one could not be
// made, none behind it is. A change of no log has the place 0.
func (s *Store) Apply(at uint64, c Change) error {
	s.applying.Lock()
	defer s.applying.Unlock()
	switch {
	case at != 0 && at <= s.cursor:
		return nil
	case s.owed != 0 && at != s.owed:
		return fmt.Errorf("change %d: change %d before it was not made", at, s.owed)
	}
	s.making = at
	err := c.apply(s, func(change func(*boltfile.Tx) error) error {
		return s.pending.Add(func(tx *boltfile.Tx) error {
			if err := change(tx); err != nil || at == 0 {
				return err
			}
			return tx.Bucket(bucketMeta).Put(metaCursor, codec.Key64(at))
		})
	})
	if err != nil {
		s.owed = at
		return err
	}
	s.cursor, s.owed = max(s.cursor, at), 0
	return s.sideBySide(func(at *Store) error { return at.pending.FlushMuch() })
}

// add makes the part of a change that falls to another file of a set than the first, once: a
// change that was cut off between two files is made again.
func (s *Store) add(change func(*boltfile.Tx) error) error {
	at := s.home.making
	return s.pending.Add(func(tx *boltfile.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if at != 0 && codec.Number(meta.Get(metaCursor)) >= at {
			return nil
		}
		if err := change(tx); err != nil || at == 0 {
			return err
		}
		return meta.Put(metaCursor, codec.Key64(at))
	})
}

// Cursor is the place of the last change that was made; 0: it was in no log.
func (s *Store) Cursor() uint64 {
	s.applying.Lock()
	defer s.applying.Unlock()
	return s.cursor
}

// emit has a change made, which is what the store was when it was thought of: no other is
// made meanwhile. A nil one is none.
func (s *Store) emit(change func() (Change, error)) error {
	s.emitting.Lock()
	defer s.emitting.Unlock()
	c, err := change()
	if err != nil || c == nil {
		return err
	}
	if s.divider != nil {
		return s.divider.divide(c)
	}
	return s.take(c)
}

// take has a change made that is this store's own.
func (s *Store) take(c Change) error {
	if s.emitTo == nil {
		return s.Apply(0, c)
	}
	return s.emitTo(c)
}

// Tell keeps values under keys in a shard of a fleet, nil for none any more: there Cache has
// them until others take their place.
func (s *Store) Tell(shard int, rows map[string][]byte) error {
	c := &results{notes: recall.Rows{}}
	for key, value := range rows {
		c.notes[key] = &recall.Row{Value: value}
	}
	if shard == s.shard {
		return s.emit(func() (Change, error) { return c, nil })
	}
	return s.tellTo(shard, c)
}

// Cache is what probers keep in the store from run to run. The next Record, EndRun or Close
// writes it. What cannot be read is not known; Verify lists it.
func (s *Store) Cache() check.Cache { return s.cache }

// kinds gives a change of each kind, by its number in octets: append only. A number beyond
// them is of a newer program.
func kinds() []Change {
	return []Change{&step{}, &swept{}, &moved{ctx: context.Background()}, &begun{&Run{}}, &results{}, &ended{&Run{}}, &rest{}, &pinned{},
		&pruned{ctx: context.Background(), n: &Stats{}}}
}

// changeVersion is the version of the octets of changes. Fields may be added at the end of
// a change without another one.
const changeVersion = 1

// EncodeChange gives a change as octets (linkcheck.change.v1), for a log: the number of its
// kind, the version, the edition of the rules by which links are made of what it holds, and
// its fields.
func EncodeChange(c Change) []byte {
	w := &codec.Writer{}
	w.Byte(byte(slices.IndexFunc(kinds(), func(k Change) bool { return reflect.TypeOf(k) == reflect.TypeOf(c) })))
	w.Byte(changeVersion)
	w.Uint(equal.Edition)
	c.fields(&codec.Fields{W: w})
	return w.Buf
}

// DecodeChange reads what EncodeChange wrote; b has to stay as it is until the change was
// made. The error wraps ErrNewer where another program has to make it: this one would number
// links otherwise, or does not know the kind.
func DecodeChange(b []byte) (Change, error) {
	r := &codec.Reader{Buf: b}
	kind, version, edition, all := r.Byte(), r.Byte(), r.Uint(), kinds()
	if int(kind) >= len(all) || version != changeVersion || edition != equal.Edition {
		return nil, fmt.Errorf("%w: change of kind %d, version %d, edition %d", ErrNewer, kind, version, edition)
	}
	c := all[kind]
	c.fields(&codec.Fields{R: r})
	return c, r.Err()
}

func (c *step) fields(f *codec.Fields) {
	f.Uint(&c.reading)
	f.Time(&c.now)
	codec.ListOf(f, &c.Batches, func(b **Batch) {
		f.Row(func() []byte { return (*b).encode() }, func(row []byte) (err error) { *b, err = decodeBatch(row); return err })
	})
	for _, list := range []*[]Source{&c.Found, &c.Whole, &c.Same, &c.Failed, &c.Noted, &c.Gone} {
		codec.ListOf(f, list, func(src *Source) {
			f.Row(func() []byte { return (&sourceRow{Source: *src}).encode() }, func(b []byte) error {
				row, err := decodeSource(codec.Key32(0), b)
				*src = row.Source
				return err
			})
		})
	}
	known := c.Root != nil
	if f.Bool(&known); known {
		if c.Root == nil {
			c.Root = &Root{}
		}
		f.JSON(c.Root)
		f.Uint32(&c.Root.Number)
	}
	f.Bool(&c.part)
	if f.R != nil && len(f.R.Buf) == 0 {
		return // of an older program
	}
	codec.ListOf(f, &c.Kept, func(k *facts.Kept) {
		f.Uint32(&k.Remote)
		f.Str(&k.Name)
		f.Row(func() []byte { return k.Value }, func(b []byte) error { k.Value = bytes.Clone(b); return nil })
	})
	codec.ListOf(f, &c.Heard, func(h *facts.Heard) {
		f.Str(&h.URL)
		f.Result(&h.Result)
	})
}

// batchFields are those of a batch: the mentions as they were extracted, for the keys are
// made again.
func batchFields(f *codec.Fields, remote *uint32, source *string, mentions *[]Mention, names *[]Name) {
	f.Uint32(remote)
	f.Str(source)
	codec.ListOf(f, mentions, func(m *Mention) {
		f.Row(func() []byte { return (&mentionRow{Mention: *m}).encode(notAText) }, func(b []byte) error {
			row, err := decodeMention(b, notAText)
			*m = row.Mention
			return err
		})
	})
	codec.ListOf(f, names, func(n *Name) {
		line := int64(n.Line)
		f.Str(&n.Name, &n.Member, &n.Locator)
		f.Int(&line)
		n.Line = int(line)
	})
}

func (b *Batch) encode() []byte {
	f, mentions := codec.Fields{W: &codec.Writer{}}, make([]Mention, len(b.items))
	for i, it := range b.items {
		if mentions[i] = *it.mention; it.keys.IsRelative() {
			mentions[i].URL = "" // Prepare gives it one
		}
	}
	batchFields(&f, &b.Remote, &b.source, &mentions, &b.names)
	return f.W.Buf
}

func decodeBatch(row []byte) (*Batch, error) {
	var remote uint32
	var source string
	var mentions []Mention
	var names []Name
	f := codec.Fields{R: &codec.Reader{Buf: row}}
	batchFields(&f, &remote, &source, &mentions, &names)
	b := Prepare(source, mentions, names)
	b.Remote = remote
	return b, f.R.Err()
}

func (c *swept) fields(f *codec.Fields) {
	f.Uint(&c.reading)
	f.Time(&c.now)
	f.Bool(&c.named)
	f.Bool(&c.retire)
}

func (c *moved) fields(f *codec.Fields) {
	f.Uint(&c.reading)
	f.Time(&c.now)
	codec.ListOf(f, &c.list, func(m *move) {
		f.Uint32(&m.from.remote)
		f.Str(&m.from.path, &m.path, &m.name, &m.root, &m.collection)
	})
}

func (c *results) fields(f *codec.Fields) {
	f.Uint(&c.run)
	age, splay := int64(c.policy.MaxAge), math.Float64bits(c.policy.Splay)
	f.Int(&age)
	f.Uint(&splay)
	c.policy = judge.Policy{MaxAge: time.Duration(age), Splay: math.Float64frombits(splay)}
	codec.ListOf(f, &c.list, func(l *Checked) {
		f.Uint(&l.ID)
		f.Result(&l.Result)
	})
	keys := slices.Sorted(maps.Keys(c.notes))
	notes := recall.Rows{}
	codec.ListOf(f, &keys, func(key *string) {
		f.Str(key)
		row := c.notes[*key]
		f.Row(func() []byte { return row.Encode() }, func(b []byte) error {
			got, err := recall.Decode(bytes.Clone(b))
			row = &got
			return err
		})
		notes[*key] = row
	})
	c.notes = notes
}

func (c *begun) fields(f *codec.Fields) { f.JSON(c.Run) }
func (c *ended) fields(f *codec.Fields) { f.JSON(c.Run) }

func (c *rest) fields(f *codec.Fields) {
	f.Str(&c.host)
	f.JSON(&c.backOff)
}

func (c *pinned) fields(f *codec.Fields) {
	f.Uint(&c.Link)
	f.Str(&c.Host)
	f.JSON(&c.Pin)
}

func (c *pruned) fields(f *codec.Fields) { f.Time(&c.older) }
