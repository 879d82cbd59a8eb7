package sample

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"

	"linkcheck/store"
	"linkcheck/uri"
)

// hashed is a link and the hash of its key at some level.
type hashed struct{ key, link uint64 }

// Groups finds the links that meet at a level from Registry to Heuristic. A real
// store keeps the keys; here they are computed each time.
func (s *Source) Groups(level uri.Level) iter.Seq2[store.Group, error] {
	return func(yield func(store.Group, error) bool) {
		all := s.hashes(level)
		for i := 0; i < len(all); {
			n := 1
			for i+n < len(all) && all[i+n].key == all[i].key {
				n++
			}
			if n > 1 && !yield(s.group(level, all[i:i+n]), nil) {
				return
			}
			i += n
		}
	}
}

func (s *Source) hashes(level uri.Level) []hashed {
	var all []hashed
	for l := range s.Links() {
		u, err := uri.Parse(l.URL)
		if err != nil || l.Mentions == 0 {
			continue
		}
		k := uri.KeysOf(u)
		key := k.Heuristic
		if level == uri.Registry {
			key = k.Registry
		}
		h := fnv.New64a()
		h.Write([]byte(key))
		all = append(all, hashed{h.Sum64(), l.ID})
	}
	slices.SortFunc(all, func(a, b hashed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.link, b.link)) })
	return all
}

func (s *Source) group(level uri.Level, members []hashed) store.Group {
	g := store.Group{Level: level}
	for _, m := range members {
		l, _ := s.Link(m.link)
		g.Links = append(g.Links, l)
	}
	return g
}

// Link gives one link.
func (s *Source) Link(id uint64) (store.Link, error) {
	if e := s.extra(id); e != nil {
		e.Link.ID, e.Link.Mentions = id, len(e.Mentions)
		return e.Link, nil
	}
	if id == 0 || id > uint64(s.N) {
		return store.Link{}, fmt.Errorf("link %d: %w", id, store.ErrNotFound)
	}
	return link(int(id) - 1), nil
}
