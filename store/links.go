package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"linkcheck/judge"
	"linkcheck/store/internal/boltfile"
	"linkcheck/store/internal/codec"
	"linkcheck/store/internal/linkkey"
	"linkcheck/store/internal/pending"
	"linkcheck/uri"
	"linkcheck/uri/equal"
)

// link gives one link, or ErrNotFound.
func (s *Store) link(id uint64) (l Link, err error) {
	eachErr := s.Each([]uint64{id}, func(found *Link, lerr error) { l, err = *found, lerr })
	if eachErr != nil {
		err = eachErr
	}
	return l, err
}

// manyLinks that are scattered stand on so many pages that these are forgotten.
const manyLinks = 32

// Each calls take for every one of the links, in their order, with ErrNotFound for
// one that is not there. take must not use the store nor keep what it is given.
func (s *Store) Each(ids []uint64, take func(*Link, error)) error {
	for n := 0; len(ids) > 0; ids = ids[n:] {
		at := s.of(ids[0])
		for n = 1; n < len(ids) && s.of(ids[n]) == at; n++ {
		}
		if err := at.each(ids[:n], take); err != nil {
			return err
		}
	}
	return nil
}

// each is Each for links of one file.
func (s *Store) each(ids []uint64, take func(*Link, error)) error {
	return s.pending.ViewLinks(func(tx *boltfile.Tx) error {
		if scattered(ids) >= manyLinks {
			defer boltfile.Forget(tx)
		}
		r := s.reader(tx)
		for _, id := range ids {
			e, _, err := r.read(id, &Pick{})
			take(&e.Link, err)
		}
		return nil
	}, ids...)
}

// Find gives the link that a string as written stands for.
func (s *Store) Find(written string) (l Link, found bool, err error) {
	identity := linkkey.Of(written).Identity
	s = s.at(identity)
	err = s.pending.View(func(tx *boltfile.Tx) error {
		finder := s.pending.Finder(tx)
		id, err := finder.Link(pending.Hash(identity), identity)
		if found = id != 0; !found || err != nil {
			return err
		}
		e, _, err := s.reader(tx).read(id, &Pick{})
		l = e.Link
		return err
	})
	return l, found, err
}

// Explanation is all that the store knows of a link.
type Explanation struct {
	Link     Link
	Rule     string // a sentence: why its state is what it is
	Strikes  []judge.Strike
	History  []Event   // every change, and the last 30 probes, oldest first
	Mentions []Mention // retired ones too, in the order of collection, record, source and location
}

// Explain gives all that the store knows of a link, as of one moment; or ErrNotFound.
func (s *Store) Explain(id uint64) (x Explanation, err error) {
	s = s.of(id)
	err = s.pending.ViewLinks(func(tx *boltfile.Tx) error {
		r := s.reader(tx)
		r.retired = true
		e, state, err := r.read(id, &Pick{Mentions: true, History: true})
		x = Explanation{Link: e.Link, Rule: state.Rule(), Strikes: state.Strikes, History: e.History, Mentions: e.LiveMentions}
		if p := e.Pin; p != nil {
			x.Rule = fmt.Sprintf("%s by a decision of %q: %q; judged by itself: %s", p.State, p.By, p.Why, x.Rule)
		}
		return err
	}, id)
	return x, err
}

// member is a link under the hash of its key at a level.
type member struct{ hash, id uint64 }

// Sets gives the sets of links with a live mention that share a key at a level
// from Registry to Heuristic, or whose probes ended at the same address
// (Observed). For Scheme and below, each link that is spelled in more than one
// way. The sets stand in the order of their oldest links, and so do the links of
// a set. A level's sets hold those of the levels below. It reads the links once, and
// ends with ctx.
func (s *Store) Sets(ctx context.Context, level equal.Level) ([][]uint64, error) {
	if level <= equal.Scheme {
		return s.variants(ctx)
	}
	return s.sameKey(ctx, level)
}

// variants finds the links that are spelled in more than one way.
func (s *Store) variants(ctx context.Context) (sets [][]uint64, err error) {
	for _, at := range s.shards {
		err = cmp.Or(err, at.pending.View(func(tx *boltfile.Tx) error {
			return boltfile.Each(tx.Bucket(bucketState), func(k, v []byte) error {
				h, err := readStateHead(v)
				err = cmp.Or(err, ctx.Err())
				if h.live > 1 && h.flags&flagVariants != 0 {
					sets = append(sets, []uint64{codec.Number(k)})
				}
				return err
			})
		}))
	}
	return sets, err
}

// sameKey finds the sets of links with the same key hash; a hash of 64 bits is
// the key here: among a billion links two would meet by chance once in forty.
func (s *Store) sameKey(ctx context.Context, level equal.Level) (sets [][]uint64, err error) {
	lists := make([][]member, len(s.shards))
	err = s.sideBySide(func(at *Store) (err error) {
		lists[at.place], err = at.hashKeys(ctx, level)
		return err
	})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b member) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id)) })
	first := 0 // of the links with the hash at hand
	for i, m := range all {
		switch {
		case m.hash != all[first].hash:
			first = i
		case i == first+1:
			sets = append(sets, []uint64{all[first].id, m.id})
		case i > first:
			sets[len(sets)-1] = append(sets[len(sets)-1], m.id)
		}
	}
	slices.SortFunc(sets, func(a, b []uint64) int { return cmp.Compare(a[0], b[0]) })
	return sets, nil
}

// hashKeys gives the hashes of the keys of all links of a file with a live mention.
func (s *Store) hashKeys(ctx context.Context, level equal.Level) (all []member, err error) {
	err = s.pending.View(func(tx *boltfile.Tx) error {
		states := boltfile.Follow(tx.Bucket(bucketState))
		return boltfile.Each(tx.Bucket(bucketLink), func(k, v []byte) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !states.To(k) {
				return fmt.Errorf("state of link %d: %w", codec.Number(k), codec.ErrShort)
			}
			h, err := readStateHead(states.V)
			if err != nil || h.live == 0 {
				return err
			}
			hash, err := s.hashKey(v, states.V, &h, level)
			all = append(all, member{hash, codec.Number(k)})
			return err
		})
	})
	return all, err
}

// hashKey is the hash of a link's key at a level.
func (s *Store) hashKey(link, state []byte, h *stateHead, level equal.Level) (uint64, error) {
	if level >= equal.Observed && h.flags&flagFinal != 0 {
		r := codec.Reader{Buf: state[headLen:]}
		_, finalHash := h.readLastRun(&r)
		return finalHash, r.Err()
	}
	row, err := decodeLink(link)
	if err != nil {
		return 0, err
	}
	makeKeys := s.rules.Registry != nil || s.oldKeys
	if level < equal.Observed && !makeKeys {
		for i := int(level - equal.Registry); i >= 0; i-- {
			if row.Levels[i] != 0 {
				return row.Levels[i], nil
			}
		}
	}
	key, _, _, err := linkkey.Split(row.Identity)
	if level == equal.Heuristic && row.Target != "" {
		key = row.Target
	}
	if level < equal.Observed && makeKeys {
		if u, err := uri.Parse(key); err == nil { // what is no URI is its own key
			k := s.rules.Keys(u)
			key = [...]string{k.Registry, k.Protocol, k.Resolver, k.Heuristic}[level-equal.Registry]
		}
	}
	return xxhash.Sum64String(key), err
}

// Stats counts everything in one pass.
func (s *Store) Stats() (all Stats, err error) {
	all.States, all.Pins = map[string]int{}, len(s.Pins())
	for _, at := range s.shards {
		st, serr := at.stats()
		if err = cmp.Or(err, serr); at == s {
			all.Schema, all.Sources, all.Runs = st.Schema, st.Sources, st.Runs
		}
		for _, sum := range [][2]*int{{&all.Links, &st.Links}, {&all.Unnamed, &st.Unnamed}, {&all.Mentions, &st.Mentions}, {&all.Retired, &st.Retired},
			{&all.Events, &st.Events}} {
			*sum[0] += *sum[1]
		}
		for state, n := range st.States {
			all.States[state] += n
		}
		all.FileBytes, all.FreeBytes = all.FileBytes+st.FileBytes, all.FreeBytes+st.FreeBytes
	}
	return all, err
}

// stats is Stats for one file.
func (s *Store) stats() (st Stats, err error) {
	st.States = map[string]int{}
	err = s.pending.View(func(tx *boltfile.Tx) error {
		st.Schema = codec.Number(tx.Bucket(bucketMeta).Get(metaSchema))
		for _, v := range boltfile.From(tx.Bucket(bucketState), nil) {
			h, err := readStateHead(v)
			if err != nil {
				return err
			}
			if h.live == 0 {
				st.Unnamed++
				continue
			}
			if !h.state.Known() {
				return codec.ErrShort
			}
			st.Links++
			st.States[h.state.String()]++
		}
		for _, v := range boltfile.From(tx.Bucket(bucketMention), nil) {
			_, retired, err := readMentionHead(v)
			if err != nil {
				return err
			}
			if retired.IsZero() {
				st.Mentions++
			} else {
				st.Retired++
			}
		}
		rows := func(bucket []byte) int { return tx.Bucket(bucket).Rows() }
		st.Events, st.Sources, st.Runs = rows(bucketHistory), rows(bucketSource), rows(bucketRun)
		return nil
	})
	if err != nil {
		return st, err
	}
	st.FreeBytes = boltfile.FreeBytes(s.file.Path())
	st.FileBytes = sizeOf(s.file.Path())
	return st, nil
}

// mostSpare is how many mentions more than Pick.Most are gathered before they are sorted.
const mostSpare = 1000

func compareMentions(a, b Mention) int {
	return cmp.Or(
		strings.Compare(a.Collection, b.Collection), strings.Compare(a.Record, b.Record),
		strings.Compare(a.Source, b.Source), strings.Compare(a.Member, b.Member),
		cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		strings.Compare(a.Locator, b.Locator), strings.Compare(a.Raw, b.Raw))
}
