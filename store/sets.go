package store

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"
	bolt "go.etcd.io/bbolt"

	"linkcheck/store/internal/codec"
	"linkcheck/uri"
	"linkcheck/uri/equal"
)

// member is a link under the hash of its key at a level.
type member struct{ hash, id uint64 }

// Sets gives the sets of links with a live mention that share a key at a level
// from Registry to Heuristic, or whose probes ended at the same address
// (Observed). For Scheme and below, each link that is spelled in more than one
// way. The sets stand in the order of their oldest links, and so do the links of
// a set. A level's sets hold those of the levels below. It reads the links once.
func (s *Store) Sets(level equal.Level) ([][]uint64, error) {
	if level <= equal.Scheme {
		return s.variants()
	}
	return s.sameKey(level)
}

// variants finds the links that are spelled in more than one way.
func (s *Store) variants() (sets [][]uint64, err error) {
	err = s.pending.View(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketState).ForEach(func(k, v []byte) error {
			h, err := readStateHead(v)
			if h.live > 1 && h.flags&flagVariants != 0 {
				sets = append(sets, []uint64{codec.Number(k)})
			}
			return err
		})
	})
	return sets, err
}

// sameKey finds the sets of links with the same key hash; a hash of 64 bits is
// the key here: among a billion links two would meet by chance once in forty.
func (s *Store) sameKey(level equal.Level) (sets [][]uint64, err error) {
	all, err := s.hashKeys(level)
	if err != nil {
		return nil, err
	}
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

// hashKeys gives the hashes of the keys of all links with a live mention.
func (s *Store) hashKeys(level equal.Level) (all []member, err error) {
	err = s.pending.View(func(tx *bolt.Tx) error {
		states := follow(tx, bucketState)
		return tx.Bucket(bucketLink).ForEach(func(k, v []byte) error {
			if !states.to(k) {
				return fmt.Errorf("state of link %d: %w", codec.Number(k), codec.ErrShort)
			}
			h, err := readStateHead(states.v)
			if err != nil || h.live == 0 {
				return err
			}
			hash, err := s.hashKey(v, states.v, &h, level)
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
	key, _, _, err := splitIdentity(row.Identity)
	if level < equal.Observed && makeKeys {
		if u, err := uri.Parse(key); err == nil { // what is no URI is its own key
			k := s.rules.Keys(u)
			key = [...]string{k.Registry, k.Protocol, k.Resolver, k.Heuristic}[level-equal.Registry]
		}
	}
	return xxhash.Sum64String(key), err
}
