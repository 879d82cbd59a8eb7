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
// (Observed); for Scheme and below, each link that is spelled in more than one
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
	err = s.view(func(tx *bolt.Tx) error {
		sets = nil
		return tx.Bucket(bucketState).ForEach(func(k, v []byte) error {
			if len(v) < stateHead {
				return codec.ErrShort
			}
			if h := readHead(v); h.live > 1 && h.flags&flagVariants != 0 {
				sets = append(sets, []uint64{codec.Number(k)})
			}
			return nil
		})
	})
	return sets, err
}

// sameKey finds the sets of links with the same key hash; a hash of 64 bits is
// the key here: among a billion links two would meet by chance once in forty.
func (s *Store) sameKey(level equal.Level) (sets [][]uint64, err error) {
	var all []member
	err = s.view(func(tx *bolt.Tx) error {
		all = all[:0]
		var scratch []byte
		states := tx.Bucket(bucketState).Cursor()
		sk, sv := states.First()
		return tx.Bucket(bucketLink).ForEach(func(k, v []byte) error {
			for sk != nil && codec.Number(sk) < codec.Number(k) {
				sk, sv = states.Next()
			}
			if sk == nil || codec.Number(sk) != codec.Number(k) || len(sv) < stateHead {
				return fmt.Errorf("state of link %d: %w", codec.Number(k), codec.ErrShort)
			}
			if readHead(sv).live == 0 {
				return nil
			}
			h, buf, err := s.levelOf(scratch[:0], v, sv, level)
			scratch = buf
			all = append(all, member{h, codec.Number(k)})
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b member) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id)) })
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n].hash == all[i].hash {
			n++
		}
		if n > 1 {
			ids := make([]uint64, n)
			for j := range ids {
				ids[j] = all[i+j].id
			}
			sets = append(sets, ids)
		}
		i += n
	}
	slices.SortFunc(sets, func(a, b []uint64) int { return cmp.Compare(a[0], b[0]) })
	return sets, nil
}

// levelOf is the hash of a link's key at a level; buf is room to work in, and is
// given back.
func (s *Store) levelOf(buf, link, state []byte, level equal.Level) (uint64, []byte, error) {
	h := readHead(state)
	if level >= equal.Observed && h.flags&flagFinal != 0 {
		r := codec.Reader{Buf: state[stateHead:]}
		r.Uint()
		return r.U64(), buf, r.Err()
	}
	r := codec.Reader{Buf: link}
	levels := readLevels(&r)
	anew := s.rule.Registry != nil || s.aged
	if level < equal.Observed && !anew {
		for i := int(level - equal.Registry); i >= 0; i-- {
			if levels[i] != 0 {
				return levels[i], buf, r.Err()
			}
		}
	}
	r.Time()
	buf, _, _, err := appendKey(buf, r.Raw())
	if level < equal.Observed && anew {
		buf = appendLevel(buf, s.rule, level)
	}
	return xxhash.Sum64(buf), buf, cmp.Or(err, r.Err())
}

// appendLevel turns the scheme key in buf into that of a level by the rules; what
// is no URI stays as it is.
func appendLevel(buf []byte, rules equal.Rules, level equal.Level) []byte {
	u, err := uri.Parse(string(buf))
	if err != nil {
		return buf
	}
	k := rules.Keys(u)
	return append(buf[:0], [...]string{k.Registry, k.Protocol, k.Resolver, k.Heuristic}[level-equal.Registry]...)
}
