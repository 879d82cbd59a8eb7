package sample

import (
	"cmp"
	"hash/fnv"
	"slices"

	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/equal"
)

// keyHash is the hash of a link's key at some level: a million keys would not be
// small, and the measurements of reports are of the memory of reports.
type keyHash struct{ hash, link uint64 }

// Sets finds the links that meet at a level. A real store keeps the keys; here
// they are computed each time.
func (s *Source) Sets(level equal.Level) (sets [][]uint64, err error) {
	var all []keyHash
	for e := range s.Scan(store.Pick{Mentions: level <= equal.Scheme}) {
		if level <= equal.Scheme {
			if slices.ContainsFunc(e.LiveMentions, func(m store.Mention) bool { return m.URL != e.LiveMentions[0].URL }) {
				sets = append(sets, []uint64{e.ID})
			}
		} else if u, err := uri.Parse(e.URL); err == nil && e.Mentions > 0 {
			h := fnv.New64a()
			h.Write([]byte(keyAt(level, equal.KeysOf(u), e.Last.FinalURL)))
			all = append(all, keyHash{h.Sum64(), e.ID})
		}
	}
	slices.SortFunc(all, func(a, b keyHash) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.link, b.link)) })
	for from, to := 0, 0; from < len(all); from = to {
		var ids []uint64
		for ; to < len(all) && all[to].hash == all[from].hash; to++ {
			ids = append(ids, all[to].link)
		}
		if len(ids) > 1 {
			sets = append(sets, ids)
		}
	}
	slices.SortFunc(sets, slices.Compare)
	return sets, nil
}

func keyAt(level equal.Level, k equal.Keys, finalURL string) string {
	switch {
	case level == equal.Registry:
		return k.Registry
	case level == equal.Observed && finalURL != "":
		return finalURL
	case level == equal.Observed:
		return k.Scheme
	}
	return k.Heuristic
}
