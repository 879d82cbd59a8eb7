package sample

import (
	"slices"

	"linkcheck/store"
	"linkcheck/uri"
	"linkcheck/uri/equal"
)

// Sets finds the links that meet at a level. A real store keeps the keys; here
// they are computed each time.
func (s *Source) Sets(level equal.Level) (sets [][]uint64, err error) {
	byKey := map[string][]uint64{}
	for e := range s.Scan(store.Pick{Places: level <= equal.Scheme}) {
		if level <= equal.Scheme {
			if slices.ContainsFunc(e.Places, func(m store.Mention) bool { return m.URL != e.Places[0].URL }) {
				sets = append(sets, []uint64{e.ID})
			}
		} else if u, err := uri.Parse(e.URL); err == nil && e.Mentions > 0 {
			key := keyAt(level, equal.KeysOf(u), e.Last.FinalURL)
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
