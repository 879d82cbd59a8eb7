package sample

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"

	"linkcheck/store"
	"linkcheck/uri"
)

// hashed is a link and the hash of its key at some level.
type hashed struct{ key, link uint64 }

// Sets finds the links that meet at a level. A real store keeps the keys; here
// they are computed each time.
func (s *Source) Sets(level uri.Level) (sets [][]uint64, err error) {
	if level <= uri.Scheme {
		return s.variants(), nil
	}
	all := s.hashes(level)
	for i := 0; i < len(all); {
		set := []uint64{all[i].link}
		for i += 1; i < len(all) && all[i].key == all[i-1].key; i++ {
			set = append(set, all[i].link)
		}
		if len(set) > 1 {
			sets = append(sets, set)
		}
	}
	slices.SortFunc(sets, slices.Compare)
	return sets, nil
}

// variants finds the links that are spelled in more than one way.
func (s *Source) variants() (sets [][]uint64) {
	for e := range s.Scan(store.Pick{Places: true}) {
		if slices.ContainsFunc(e.Places, func(m store.Mention) bool { return m.URL != e.Places[0].URL }) {
			sets = append(sets, []uint64{e.ID})
		}
	}
	return sets
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
		switch {
		case level == uri.Registry:
			key = k.Registry
		case level == uri.Observed && l.Last.FinalURL != "":
			key = l.Last.FinalURL
		case level == uri.Observed:
			key = k.Scheme
		}
		h := fnv.New64a()
		h.Write([]byte(key))
		all = append(all, hashed{h.Sum64(), l.ID})
	}
	slices.SortFunc(all, func(a, b hashed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.link, b.link)) })
	return all
}

// Link gives one link.
func (s *Source) Link(id uint64) (store.Link, error) {
	if e := s.extra(id); e != nil {
		e.count(id)
		return e.Link, nil
	}
	if id == 0 || id > uint64(s.N) {
		return store.Link{}, fmt.Errorf("link %d: %w", id, store.ErrNotFound)
	}
	return link(int(id) - 1), nil
}
