package report

import (
	"cmp"
	"maps"
	"slices"
)

// counts sorts words by how many links they have.
func counts(m map[string]int) []Count {
	var out []Count
	for _, word := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Count{word, m[word]})
	}
	slices.SortStableFunc(out, func(a, b Count) int { return cmp.Compare(b.N, a.N) })
	return out
}

// urgency compares rows in the order in which a reader works: news first within a group, then what
// has failed for longest, then the address.
func urgency(a, b *Row) int {
	return cmp.Or(cmp.Compare(a.Group, b.Group),
		cmp.Compare(len(b.Changed), len(a.Changed)),
		cmp.Compare(b.FailDays(), a.FailDays()),
		cmp.Compare(a.Key, b.Key),
		cmp.Compare(a.ID, b.ID))
}

// topRows keeps the most urgent of any number of rows.
type topRows struct {
	rows []*Row
	full bool // the last of rows was the least urgent of as many as are kept
}

func (t *topRows) add(s *Scope, r *Row, most int) {
	s.Describe(r) // it is compared by its masked key
	if t.full && urgency(t.rows[most-1], r) < 0 {
		return
	}
	k := s.copyOf(r)
	if t.rows = append(t.rows, &k); len(t.rows) >= 2*most {
		t.sort(most)
	}
}

func (t *topRows) sort(most int) {
	slices.SortFunc(t.rows, urgency)
	if len(t.rows) > most {
		clear(t.rows[most:])
		t.rows = t.rows[:most]
	}
	t.full = len(t.rows) == most
}

func (t *topRows) sorted(most int) []Row {
	t.sort(most)
	list := make([]Row, len(t.rows))
	for i, r := range t.rows {
		list[i] = *r
	}
	return list
}

// trueFirst orders those that are before those that are not.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
