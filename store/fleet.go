package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"slices"

	"linkcheck/store/facts"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/setfile"
)

// The shards of a fleet are stores of their own: each is changed by one program, under a log
// of its own. A link stands in the shard of its host, as in a set. The first shard has all
// sources and roots, and reads for the others: what it learns is divided. Of the sources
// another shard has those that something in it stands in.

// divide gives each of some shards what falls to it of a batch, nil for nothing: the first
// has the names, and knows the source whatever it gets.
func (b *Batch) divide(shards int) []*Batch {
	parts := make([]*Batch, shards)
	parts[0] = &Batch{Remote: b.Remote, source: b.source, names: b.names}
	for _, it := range b.items {
		n := setfile.Of(it.keys.Identity, shards)
		if parts[n] == nil {
			parts[n] = &Batch{Remote: b.Remote, source: b.source}
		}
		parts[n].items = append(parts[n].items, it)
	}
	return parts
}

// divider divides the changes of the first shard.
type divider struct {
	s      *Store
	shards int
	take   func(shard int, c Change) error // Options.Divide
	fresh  map[place][]bool                // sources that came in this reading: which shards know them
}

// divide has each shard make its part of a change, the first shard last: what is cut off before
// is read again.
func (d *divider) divide(c Change) error {
	switch c := c.(type) {
	case *step:
		return d.step(c)
	case *moved:
		return errors.New("sources are to be given other paths: a fleet cannot, and a store of one file can before it is divided")
	case *pinned:
		if shard := int(c.Link >> shardBits); shard > 0 {
			return d.take(shard, c)
		} else if c.Link > 0 {
			return d.s.take(c)
		}
	case *swept:
		clear(d.fresh)
	case *begun: // who takes the first shard over knows of the run, and has the others begin it
		if err := d.s.take(c); err != nil {
			return err
		}
		return d.others(c)
	case *rest:
	default: // of its own links and runs
		return d.s.take(c)
	}
	if err := d.others(c); err != nil {
		return err
	}
	return d.s.take(c)
}

// others has all other shards make a change.
func (d *divider) others(c Change) (err error) {
	for n := 1; n < d.shards && err == nil; n++ {
		err = d.take(n, c)
	}
	return err
}

// step divides a step. Before any other has a mention, the first shard knows its source.
func (d *divider) step(c *step) error {
	parts := make([]*step, d.shards)
	for n := range parts {
		parts[n] = &step{reading: c.reading, now: c.now, part: n > 0}
	}
	own := *c
	own.Batches = nil
	parts[0] = &own
	err := d.s.file.View(func(tx *boltfile.Tx) error {
		for _, b := range c.Batches {
			if err := d.batch(tx, b, c.Root, parts); err != nil {
				return err
			}
		}
		return cmp.Or(d.sources(tx, c.Whole, parts, func(st *Step) *[]Source { return &st.Whole }),
			d.sources(tx, c.Gone, parts, func(st *Step) *[]Source { return &st.Gone }))
	})
	if err != nil {
		return err
	}
	in, bare := Ingest{s: d.s, Reading: c.reading}, []*Batch(nil)
	for _, b := range c.Batches {
		bare = append(bare, &Batch{Remote: b.Remote, source: b.source})
	}
	for _, src := range slices.Concat(c.Whole, c.Gone) {
		bare = append(bare, &Batch{Remote: src.Remote, source: src.Path})
	}
	before, err := in.announcement(c.Root, bare)
	if err == nil && before != nil && len(bare) > 0 { // so that the number of the reading is taken, too
		err = d.s.take(&step{reading: c.reading, now: c.now, Step: *before})
	}
	for n, part := range parts[1:] {
		if err == nil && len(part.Batches)+len(part.Whole)+len(part.Gone) > 0 {
			err = d.take(n+1, part)
		}
	}
	if err != nil {
		return err
	}
	return d.s.take(&own)
}

// batch adds to each part what falls to it of a batch. Another shard knows of the root of a
// document what it is called.
func (d *divider) batch(tx *boltfile.Tx, b *Batch, root *Root, parts []*step) error {
	_, found, err := sourceByPath(tx, b.Remote, b.source)
	if err != nil {
		return err
	}
	at := place{b.Remote, b.source}
	if !found && d.fresh[at] == nil {
		d.fresh[at] = make([]bool, d.shards)
	}
	if b.Remote != 0 && (root == nil || root.Number != b.Remote) {
		r, err := decodeRoot(codec.Key32(b.Remote), tx.Bucket(bucketRoot).Get(codec.Key32(b.Remote)))
		if err != nil {
			return err
		}
		root = &r
	}
	elsewhere := slices.DeleteFunc(slices.Clone(b.names), func(n Name) bool { return setfile.NamesMessage(n.Name) })
	for n, part := range b.divide(d.shards) {
		if n > 0 && part == nil && len(elsewhere) > 0 {
			part = &Batch{Remote: b.Remote, source: b.source}
		}
		if part == nil {
			continue
		}
		if n > 0 {
			part.names = elsewhere
			if parts[0].counts != nil {
				parts[0].counts.Mentions += len(part.items)
			}
			if b.Remote != 0 {
				parts[n].Root = &Root{Number: b.Remote, URI: root.URI, Name: root.Name}
			}
		}
		parts[n].Batches = append(parts[n].Batches, part)
		if known := d.fresh[at]; known != nil {
			known[n] = true
		}
	}
	return nil
}

// sources adds sources to the parts of those shards that may know them, with the time at
// which they were seen before.
func (d *divider) sources(tx *boltfile.Tx, list []Source, parts []*step, of func(*Step) *[]Source) error {
	for _, src := range list {
		row, found, err := sourceByPath(tx, src.Remote, src.Path)
		if err != nil {
			return err
		}
		known := d.fresh[place{src.Remote, src.Path}]
		delete(d.fresh, place{src.Remote, src.Path})
		if src.LastSeen = row.LastSeen; !found {
			src.LastSeen = parts[0].now
		}
		src.Faults = facts.Faults{} // the first shard has them
		for n := 1; n < d.shards && (found || known != nil); n++ {
			if known == nil || known[n] {
				list := of(&parts[n].Step)
				*list = append(*list, src)
			}
		}
	}
	return nil
}

// runsOfFleet is Runs for a fleet.
func (s *Store) runsOfFleet() iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		var list []Run
		view := func(at *Store, read func(*boltfile.Tx) error) error { return at.file.View(read) }
		err := s.views(view, func(of func(uint64) *boltfile.Tx) error {
			return newRows(s, of).each(tableOf(string(bucketRun)), func(_, v []byte) error {
				r, err := readRun(v)
				list = append(list, r)
				return err
			})
		})
		if err != nil {
			list = []Run{{}}
		}
		for _, r := range list {
			if !yield(r, err) {
				return
			}
		}
	}
}

// united has f called for rows of the shards of a fleet as for those of one store: with the
// numbers that the first has for sources. What each shard has it puts into shared, once.
func (r *rows) united(t *table, shared map[string][]byte, f func(k, v []byte) error) func(tx *boltfile.Tx, k, v []byte) error {
	return func(tx *boltfile.Tx, k, v []byte) error {
		first := tx.Home() // none: tx is its own
		switch {
		case first != nil && bytes.Equal(t.bucket, bucketMention):
			row, err := decodeMention(v, notAText)
			for i := 0; i < len(row.holders) && err == nil; i++ {
				row.holders[i].Source, _, err = r.number(tx, first, row.holders[i].Source)
			}
			if v = row.encode(notAText); err != nil {
				return err
			}
		case first != nil && bytes.Equal(t.bucket, bucketSource):
			id, fresh, err := r.number(tx, first, uint32(codec.Number(k)))
			if err != nil || !fresh {
				return err
			}
			k = codec.Key32(id)
		case first != nil && (bytes.Equal(t.bucket, bucketName) || t.ofLinks() && t.link(k) == nil): // or a pin of a host
			return nil
		case !bytes.Equal(t.bucket, bucketSource) && !bytes.Equal(t.bucket, bucketName) && !t.ofLinks():
			have, known := shared[string(k)]
			switch {
			case known && bytes.Equal(t.bucket, bucketRun):
				sum, err := addRuns(have, v)
				shared[string(k)] = sum
				return err
			case !known:
				shared[string(k)] = bytes.Clone(v)
			}
			return nil
		}
		return f(k, v)
	}
}

// addRuns adds what two shards found in a run.
func addRuns(a, b []byte) (sum []byte, err error) {
	r, err := readRun(a)
	other, oerr := readRun(b)
	r.add(&other)
	sum, merr := json.Marshal(r)
	return sum, cmp.Or(err, oerr, merr)
}

// elsewhere is what stands in another shard of a fleet where a row stands in the first: of a
// run that it was, so that its sums stand once.
func (r parsed) elsewhere() (parsed, error) {
	if !bytes.Equal(r.table.bucket, bucketRun) {
		return r, nil
	}
	run, err := readRun(r.v)
	v, merr := json.Marshal(Run{ID: run.ID, Started: run.Started, Ended: run.Ended, Version: run.Version, Note: run.Note})
	r.v = v
	return r, cmp.Or(err, merr)
}

// bringSources brings another shard of a fleet the sources of a row, as the first has them.
func (r parsed) bringSources(tx *boltfile.Tx) error {
	first := tx.Home()
	if first == nil || first.Bucket(bucketSource) == tx.Bucket(bucketSource) {
		return nil
	}
	var holders []holding
	var err error
	switch {
	case bytes.Equal(r.table.bucket, bucketMention):
		holders, _, err = readMentionHead(r.v)
	case bytes.Equal(r.table.bucket, bucketName) && len(r.k) == nameKeyLen:
		holders = []holding{{Source: uint32(codec.Number(r.k[:4]))}}
	}
	for _, h := range holders {
		k := codec.Key32(h.Source)
		if v := first.Bucket(bucketSource).Get(k); v != nil && tx.Bucket(bucketSource).Get(k) == nil {
			err = cmp.Or(err, tableOf(string(bucketSource)).put(tx, k, v))
		}
	}
	return err
}
