package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
)

// Move gives sources other paths, names, roots or collections: change is called for each
// and says whether it changed something. Their mentions go with them, with all that is
// known, and nothing is read again for it. Sources that meet at one path become one: what
// the one that was there last does not hold is retired by Finish. What a crash or the end
// of ctx cuts off is to be done again; until then some mentions count as new ones when their
// sources are read again. It gives the number of sources that were changed.
func (in *Ingest) Move(ctx context.Context, change func(*Source) bool) (n int, err error) {
	roots, err := in.s.Roots()
	if err != nil {
		return 0, err
	}
	rows := boltfile.Pages(in.s.file.View, bucketSource, nil, func(_ *boltfile.Tx, k, v []byte) (sourceRow, bool, error) {
		row, err := decodeSource(k, v)
		return row, true, err
	})
	c := moved{ctx: ctx, reading: in.Reading, now: in.Now}
	for row, err := range rows {
		if err != nil {
			return 0, err
		}
		row.ofRoot(roots)
		if from := placeOf(&row); change(&row.Source) {
			c.list = append(c.list, move{from, row.Path, row.Name, row.Root, row.Collection})
		}
	}
	if len(c.list) == 0 {
		return 0, nil
	}
	return len(c.list), in.s.emit(func() (Change, error) { return &c, nil })
}

// moved is the change that Move makes.
type moved struct {
	ctx     context.Context
	reading uint64
	now     time.Time
	list    []move
}

// move is what becomes of a source.
type move struct {
	from                         place
	path, name, root, collection string
}

func (c *moved) apply(s *Store, last func(func(*boltfile.Tx) error) error) error {
	m := mover{in: &Ingest{s: s, Reading: c.reading, Now: c.now}, plans: map[uint32]movePlan{}, byPath: map[place][]sourceRow{}}
	err := s.file.View(func(tx *boltfile.Tx) error {
		for _, to := range c.list {
			row, found, err := sourceByPath(tx, to.from.remote, to.from.path)
			if err != nil {
				return err
			}
			if found {
				m.add(row, to)
			}
		}
		return m.meet(tx)
	})
	if err != nil {
		return err
	}
	err = s.sideBySide(func(at *Store) (err error) {
		for from := []byte{}; from != nil && err == nil; {
			if err = c.ctx.Err(); err == nil {
				from, err = m.mentions(at, from)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return last(m.sources)
}

// mover is one Move under way.
type mover struct {
	in     *Ingest
	old    []place               // the paths of the sources that move
	byPath map[place][]sourceRow // what comes to stand at a path; after meet one row
	plans  map[uint32]movePlan   // of the sources that move, and of those that they meet
	met    []uint32              // that become part of others
}

func (m *mover) add(row sourceRow, to move) {
	m.old = append(m.old, to.from)
	if row.Name, row.Root, row.Collection = to.name, to.root, to.collection; row.Remote == 0 {
		row.Path = to.path
	}
	m.byPath[placeOf(&row)] = append(m.byPath[placeOf(&row)], row)
	m.plans[row.id] = movePlan{into: row.id, path: row.Path, collection: row.Collection}
}

// place is where a source is found.
type place struct {
	remote uint32
	path   string
}

func placeOf(row *sourceRow) place { return place{row.Remote, row.Path} }

// movePlan says what becomes of the mentions of a source.
type movePlan struct {
	into             uint32 // the source that holds them
	path, collection string
	stale            bool // into holds those that it was found to hold itself
}

// meet finds the sources that stand at the paths already, and which of several stays: the
// one that is there, or was there last.
func (m *mover) meet(tx *boltfile.Tx) error {
	for at, rows := range m.byPath {
		there, found, err := sourceByPath(tx, at.remote, at.path)
		if err != nil {
			return err
		}
		if _, moves := m.plans[there.id]; found && !moves {
			rows = append(rows, there)
		}
		slices.SortFunc(rows, lastThere)
		stays := &rows[0]
		for _, row := range rows[1:] {
			m.plans[row.id] = movePlan{into: stays.id, path: at.path, collection: stays.Collection, stale: true}
			m.met = append(m.met, row.id)
		}
		m.byPath[at] = rows[:1]
	}
	return nil
}

// lastThere puts the source first that is there, or was there last.
func lastThere(x, y sourceRow) int {
	switch {
	case x.Gone.IsZero() && !y.Gone.IsZero():
		return -1
	case !x.Gone.IsZero() && y.Gone.IsZero():
		return 1
	}
	return cmp.Or(y.LastSeen.Compare(x.LastSeen), cmp.Compare(y.Read, x.Read), cmp.Compare(y.id, x.id))
}

// mentions moves those of some rows of a file; next is nil at the end.
func (m *mover) mentions(at *Store, from []byte) (next []byte, err error) {
	var keys [][]byte
	err = at.file.View(func(tx *boltfile.Tx) (err error) {
		next, err = boltfile.Part(tx.Bucket(bucketMention), from, retireRows, func(k, v []byte) error {
			holders, _, err := readMentionHead(v)
			if slices.ContainsFunc(holders, func(h holding) bool { _, moves := m.plans[h.Source]; return moves }) {
				keys = append(keys, bytes.Clone(k))
			}
			return err
		})
		return err
	})
	if err != nil || len(keys) == 0 {
		return next, err
	}
	return next, at.file.Update(func(tx *boltfile.Tx) error {
		for _, k := range keys {
			if err := m.mention(tx, k); err != nil {
				return fmt.Errorf("mention of link %d: %w", codec.Number(k[:codec.KeyLen]), err)
			}
		}
		return nil
	})
}

// mention moves one. Where only some of those who hold it move to another collection,
// there are two afterwards; where one stands there already, they become one.
func (m *mover) mention(tx *boltfile.Tx, key []byte) error {
	b, link := tx.Bucket(bucketMention), codec.Number(key[:codec.KeyLen])
	url, err := urlOf(tx, link)
	if err != nil {
		return err
	}
	old, err := decodeMention(b.Get(key), url)
	if err != nil {
		return err
	}
	var moved []mentionRow
	var keys [][]byte
	for _, h := range old.holders {
		to := old
		k := key
		if p, moves := m.plans[h.Source]; moves {
			if h.Source = p.into; p.stale {
				h.Reading = 0
			}
			to.Collection, to.Source = p.collection, p.path
			k = mentionKey(link, mentionHash(&to.Mention))
		}
		i := slices.IndexFunc(keys, func(other []byte) bool { return bytes.Equal(k, other) })
		if i < 0 {
			to.holders = nil
			moved, keys, i = append(moved, to), append(keys, k), len(keys)
		}
		moved[i].hold(h)
	}
	if err := b.Delete(key); err != nil {
		return err
	}
	live := -liveMention(&old)
	for i := range moved {
		row := &moved[i]
		if v := b.Get(keys[i]); v != nil {
			other, err := decodeMention(v, url)
			if err != nil {
				return err
			}
			live -= liveMention(&other)
			row.join(&other)
		}
		live += liveMention(row)
		if err := b.Put(keys[i], row.encode(url)); err != nil {
			return err
		}
	}
	return countMentions(tx, link, live, false)
}

func liveMention(m *mentionRow) int {
	if m.Retired.IsZero() {
		return 1
	}
	return 0
}

// hold adds who holds a mention; of one source the last reading counts.
func (m *mentionRow) hold(h holding) {
	for i := range m.holders {
		if m.holders[i].Source == h.Source {
			m.holders[i].Reading = max(m.holders[i].Reading, h.Reading)
			return
		}
	}
	m.holders = append(m.holders, h)
}

// join makes one of two rows of a mention. One that is retired says only since when it
// is known.
func (m *mentionRow) join(other *mentionRow) {
	first := m.FirstSeen
	if other.FirstSeen.Before(first) {
		first = other.FirstSeen
	}
	switch {
	case m.Retired.IsZero() && other.Retired.IsZero():
		for _, h := range other.holders {
			m.hold(h)
		}
	case other.Retired.IsZero(), !m.Retired.IsZero() && m.Retired.Before(other.Retired):
		*m = *other
	}
	m.FirstSeen = first
}

// sources writes the rows of the sources, once their mentions have moved.
func (m *mover) sources(tx *boltfile.Tx) error {
	paths := tx.Bucket(bucketPath)
	for _, at := range m.old {
		if at.remote != 0 {
			continue
		}
		if err := paths.Delete([]byte(at.path)); err != nil {
			return err
		}
	}
	for _, id := range m.met {
		if err := m.in.dropNames(tx, id, true); err != nil {
			return err
		}
		if err := tx.Bucket(bucketSource).Delete(codec.Key32(id)); err != nil {
			return err
		}
	}
	for at, rows := range m.byPath {
		row := &rows[0]
		row.Path = at.path
		if err := errors.Join(fileSource(tx, row), putSource(tx, row)); err != nil {
			return err
		}
	}
	return tx.Bucket(bucketMeta).Put(metaRetire, []byte{1})
}
