package report

import (
	"cmp"
	"maps"
	"slices"

	"linkcheck/uri"
)

// ladder lists the levels at which different links can meet, with their keys.
var ladder = [...]struct {
	level uri.Level
	key   func(uri.Keys) string
}{
	{uri.Registry, func(k uri.Keys) string { return k.Registry }},
	{uri.Protocol, func(k uri.Keys) string { return k.Protocol }},
	{uri.Resolver, func(k uri.Keys) string { return k.Resolver }},
	{uri.Heuristic, func(k uri.Keys) string { return k.Heuristic }},
}

// groups climbs the ladder with every bucket and sorts what it finds.
func (d *dupFinder) groups() []Duplicate {
	var out []Duplicate
	for _, l := range d.alone {
		out = appendGroup(out, uri.Scheme, l.spellings)
	}
	for _, hash := range slices.Sorted(maps.Keys(d.buckets)) {
		out = climb(out, d.buckets[hash])
	}
	for _, final := range slices.Sorted(maps.Keys(d.finals)) {
		if list := d.finals[final]; len(list) > 1 {
			sortSpellings(list, final)
			out = append(out, newGroup(uri.Observed, "possible", nil, list))
		}
	}
	slices.SortStableFunc(out, func(a, b Duplicate) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(b.Places, a.Places), cmp.Compare(a.Spellings[0].URL, b.Spellings[0].URL))
	})
	return out
}

// climb gives the groups of one bucket: first each link's own spellings, then at
// every level the links that meet there and did not meet below.
func climb(out []Duplicate, bucket []spelled) []Duplicate {
	for _, l := range bucket {
		out = appendGroup(out, uri.Scheme, l.spellings)
	}
	for _, rung := range ladder {
		met := map[string][]spelled{}
		for _, l := range bucket {
			k := rung.key(l.keys)
			met[k] = append(met[k], l)
		}
		bucket = bucket[:0]
		for _, k := range slices.Sorted(maps.Keys(met)) {
			links := met[k]
			if len(links) > 1 {
				var all []Spelling
				for _, l := range links {
					s := l.spellings[0]
					s.Places = placesOf(l.spellings)
					all = append(all, s)
				}
				sortSpellings(all, k)
				out = appendGroup(out, rung.level, all)
				links[0].spellings = all
			}
			bucket = append(bucket, links[0])
		}
	}
	return out
}

func placesOf(list []Spelling) int {
	n := 0
	for _, s := range list {
		n += s.Places
	}
	return n
}

// appendGroup adds the group of some spellings with the reasons for which they
// are held equal. A spelling that Compare sets apart does not join.
func appendGroup(out []Duplicate, level uri.Level, list []Spelling) []Duplicate {
	if len(list) < 2 {
		return out
	}
	kept := list[:1:1]
	reasons := map[string]bool{}
	lowest, sure := uri.Identical, "certain"
	for _, s := range list[1:] {
		c := uri.Compare(list[0].URL, s.URL)
		if c.Verdict == uri.Not {
			continue
		}
		kept = append(kept, s)
		for _, r := range c.Reasons {
			reasons[r] = true
		}
		lowest = max(lowest, levelOf(c.Level))
		if c.Verdict == uri.Maybe {
			sure = "possible"
		}
	}
	if len(kept) < 2 {
		return out
	}
	if level > uri.Scheme {
		lowest = level
	}
	if sure == "certain" && lowest > uri.Registry {
		sure = "probable"
	}
	return append(out, newGroup(lowest, sure, slices.Sorted(maps.Keys(reasons)), kept))
}

func newGroup(level uri.Level, sure string, reasons []string, list []Spelling) Duplicate {
	return Duplicate{Level: level, Sure: sure, Reasons: reasons, Spellings: list, Places: placesOf(list)}
}

func levelOf(word string) uri.Level {
	for l := uri.Identical; l <= uri.Observed; l++ {
		if l.String() == word {
			return l
		}
	}
	return uri.Identical
}
