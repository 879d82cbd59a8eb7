package sample

import (
	"slices"

	"linkcheck/store"
	"linkcheck/uri"
)

// Sets finds the links that meet at a level. A real store keeps the keys; here
// they are computed each time.
func (s *Source) Sets(level uri.Level) (sets [][]uint64, err error) {
	byKey := map[string][]uint64{}
	for e := range s.Scan(store.Pick{Places: level <= uri.Scheme}) {
		if level <= uri.Scheme {
			if slices.ContainsFunc(e.Places, func(m store.Mention) bool { return m.URL != e.Places[0].URL }) {
				sets = append(sets, []uint64{e.ID})
			}
		} else if u, err := uri.Parse(e.URL); err == nil && e.Mentions > 0 {
			key := keyAt(level, uri.KeysOf(u), e.Last.FinalURL)
			byKey[key] = append(byKey[key], e.ID)
		}
	}
	for _, ids := range byKey {
		if len(ids) > 1 {
			sets = append(sets, ids)
		}
	}
	slices.SortFunc(sets, slices.Compare)
	return sets, nil
}

func keyAt(level uri.Level, k uri.Keys, finalURL string) string {
	switch {
	case level == uri.Registry:
		return k.Registry
	case level == uri.Observed && finalURL != "":
		return finalURL
	case level == uri.Observed:
		return k.Scheme
	}
	return k.Heuristic
}
