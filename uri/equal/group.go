package equal

import (
	"cmp"
	"maps"
	"slices"

	"linkcheck/uri"
	"linkcheck/uri/proxied"
)

// DupGroup is a set of spellings that meet at one level of equality and not below it.
type DupGroup struct {
	Level     Level
	Equality  Equality
	Reasons   []string
	Preferred string
	Spellings []string // sorted, the preferred one among them
}

// maxBucket bounds the spellings of one key that are compared with each other; what
// comes after is grouped on its own.
const maxBucket = 4096

// Group finds the duplicates in a small set of strings as written; every group
// names the lowest level at which all its spellings meet. Groups are sorted by
// level and preferred spelling; invalid strings meet nothing.
func (r Rules) Group(urls []string) []DupGroup {
	byKey := map[string][]cluster{}
	for _, s := range slices.Compact(slices.Sorted(slices.Values(urls))) {
		if o := open(s); o.u != nil {
			k := r.Keys(o.u)
			keys := []string{o.text, k.Syntax, k.Scheme, k.Registry, k.Protocol, k.Resolver, k.Heuristic}
			byKey[k.Heuristic] = append(byKey[k.Heuristic], cluster{[]string{s}, []uri.URI{o.u}, keys})
		}
	}
	var groups []DupGroup
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		for bucket := range slices.Chunk(byKey[key], maxBucket) {
			groups = append(groups, r.groups(bucket)...)
		}
	}
	slices.SortStableFunc(groups, func(a, b DupGroup) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Preferred, b.Preferred))
	})
	return groups
}

// cluster is a set of strings that met at a lower level.
type cluster struct {
	strings []string
	uris    []uri.URI
	keys    []string // of the first, by level
}

// groups merges clusters of one heuristic key, level by level.
func (r Rules) groups(clusters []cluster) (groups []DupGroup) {
	for level := Identical; level <= Heuristic; level++ {
		var merged []cluster
		for _, m := range clusters {
			i := slices.IndexFunc(merged, func(n cluster) bool { return n.keys[level] == m.keys[level] && agree(n, m) })
			if i < 0 {
				merged = append(merged, m)
				continue
			}
			merged[i].strings = slices.Concat(merged[i].strings, m.strings)
			merged[i].uris = slices.Concat(merged[i].uris, m.uris)
		}
		for _, m := range merged {
			same := func(n cluster) bool { return len(n.strings) == len(m.strings) && n.strings[0] == m.strings[0] }
			if !slices.ContainsFunc(clusters, same) { // it grew at this level
				groups = append(groups, r.group(level, m))
			}
		}
		clusters = merged
	}
	return groups
}

// agree reports that no pair is vetoed; only sessions can be.
func agree(a, b cluster) bool {
	if _, ok := a.uris[0].(*uri.Telnet); !ok {
		return true
	}
	for _, x := range a.uris {
		for _, y := range b.uris {
			if vetoed(x, y) {
				return false
			}
		}
	}
	return true
}

// group describes a cluster that grew at level.
func (r Rules) group(level Level, m cluster) DupGroup {
	spellings := slices.Sorted(slices.Values(m.strings))
	g := DupGroup{Level: level, Equality: Dup, Spellings: spellings, Preferred: Prefer(spellings)}
	for _, s := range spellings {
		if s == g.Preferred {
			continue
		}
		c := r.Compare(g.Preferred, s)
		g.Reasons = union(g.Reasons, c.Reasons)
		if c.Equality != Dup {
			g.Equality = Maybe
		}
	}
	g.Reasons = sortCodes(g.Reasons)
	return g
}

// Prefer names the spelling to keep: one without fault, then one that is its own
// scheme key, then the shortest.
func Prefer(spellings []string) string {
	return slices.MinFunc(spellings, func(a, b string) int {
		x, y := merit(a), merit(b)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

// merit is smaller for the better spelling.
func merit(s string) int {
	u, err := uri.Parse(s)
	if err != nil {
		return 24
	}
	n := 2 * int(uri.Valid-u.Validity())
	if _, ok := proxied.Rules(nil).Guess(s); !ok {
		n += 16 // what leads through a library's proxy is not to lose it
	}
	if uri.SchemeKey(u) != s {
		n++
	}
	return n
}
