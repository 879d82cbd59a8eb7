package store

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/setfile"
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

var errMoved = errors.New("sources are to be given other paths, which a fleet cannot: do so in a store of one file before it is divided")

// divide has each shard make its part of a change, the first shard last: what is cut off before
// is read again.
func (d *divider) divide(c Change) error {
	switch c := c.(type) {
	case *step:
		return d.step(c)
	case *moved:
		return errMoved
	case *pinned:
		if shard := int(c.Link >> shardBits); shard > 0 {
			return d.take(shard, c)
		} else if c.Link > 0 {
			return d.s.take(c)
		}
	case *swept:
		clear(d.fresh)
	case *begun, *rest:
	default: // of its own links and runs
		return d.s.take(c)
	}
	for n := 1; n < d.shards; n++ {
		if err := d.take(n, c); err != nil {
			return err
		}
	}
	return d.s.take(c)
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
	if before, err := in.announcement(c.Root, bare); err != nil {
		return err
	} else if before != nil && len(bare) > 0 {
		if err := d.s.take(&step{reading: c.reading, now: c.now, Step: *before}); err != nil {
			return err
		}
	}
	for n, part := range parts[1:] {
		if len(part.Batches)+len(part.Whole)+len(part.Gone) == 0 {
			continue
		}
		if err := d.take(n+1, part); err != nil {
			return err
		}
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
	elsewhere := slices.DeleteFunc(slices.Clone(b.names), func(n Name) bool { return namesMessage(n.Name) })
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

// namesMessage says whether links ask for a name that stand in the first shard
// (setfile.Of): other names are those of files, which links of any host may ask for.
func namesMessage(name string) bool {
	return strings.HasPrefix(name, "mid:") || strings.HasPrefix(name, "cid:")
}

// sources adds sources to the parts of those shards that may know them, with the time at
// which they were seen before.
func (d *divider) sources(tx *boltfile.Tx, list []Source, parts []*step, of func(*Step) *[]Source) error {
	for _, src := range list {
		row, found, err := sourceByPath(tx, src.Remote, src.Path)
		if err != nil {
			return err
		}
		at := place{src.Remote, src.Path}
		known := d.fresh[at]
		delete(d.fresh, at)
		if src.LastSeen = row.LastSeen; !found {
			src.LastSeen = parts[0].now
		}
		for n := 1; n < d.shards && (found || known != nil); n++ {
			if known == nil || known[n] {
				list := of(&parts[n].Step)
				*list = append(*list, src)
			}
		}
	}
	return nil
}
