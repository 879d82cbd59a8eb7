package report

import (
	"cmp"
	"maps"
	"slices"

	"linkcheck/uri"
)

// groups climbs the ladder with every set of relatives and sorts what it finds.
func (d *dupFinder) groups() []Duplicate {
	var out []Duplicate
	for _, list := range d.alone {
		out = d.climb(out, list)
	}
	for _, key := range slices.Sorted(maps.Keys(d.related)) {
		out = d.climb(out, d.related[key])
	}
	for _, final := range slices.Sorted(maps.Keys(d.finals)) {
		if list := d.finals[final]; len(list) > 1 {
			sortSpellings(list, final)
			out = append(out, Duplicate{Level: uri.Observed, Sure: "possible", Spellings: list, Places: placesOf(list)})
		}
	}
	slices.SortStableFunc(out, func(a, b Duplicate) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(b.Places, a.Places), cmp.Compare(a.Spellings[0].URL, b.Spellings[0].URL))
	})
	return out
}

// climb adds the groups of one set of spellings, as package uri sees them.
func (d *dupFinder) climb(out []Duplicate, list []Spelling) []Duplicate {
	known := map[string]Spelling{}
	urls := make([]string, len(list))
	for i, s := range list {
		known[s.URL], urls[i] = s, s.URL
	}
	for _, g := range d.Rules.Group(urls) {
		dup := Duplicate{Level: levelOf(g.Level), Reasons: g.Reasons}
		for _, url := range g.Spellings {
			dup.Spellings = append(dup.Spellings, known[url])
		}
		sortSpellings(dup.Spellings, g.Preferred)
		for i := range dup.Spellings {
			dup.Spellings[i].URL = d.address(dup.Spellings[i].URL)
		}
		dup.Sure, dup.Places = sureness(dup.Level, g.Verdict), placesOf(dup.Spellings)
		out = append(out, dup)
	}
	return out
}

// sureness is the word for a level (NORMALIZATION.md): the rules of a
// specification are certain, those of practice probable, the rest possible.
func sureness(level uri.Level, v uri.Verdict) string {
	switch {
	case v != uri.Dup || level >= uri.Heuristic:
		return "possible"
	case level > uri.Registry:
		return "probable"
	}
	return "certain"
}

// sortSpellings puts the preferred spelling first, then those with most places.
func sortSpellings(list []Spelling, preferred string) {
	slices.SortFunc(list, func(a, b Spelling) int {
		return cmp.Or(cmp.Compare(b2i(b.URL == preferred), b2i(a.URL == preferred)), cmp.Compare(b.Places, a.Places),
			cmp.Compare(len(a.URL), len(b.URL)), cmp.Compare(a.URL, b.URL), cmp.Compare(a.Link, b.Link))
	})
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func placesOf(list []Spelling) int {
	n := 0
	for _, s := range list {
		n += s.Places
	}
	return n
}

func levelOf(word string) uri.Level {
	for l := uri.Identical; l < uri.Observed; l++ {
		if l.String() == word {
			return l
		}
	}
	return uri.Observed
}
