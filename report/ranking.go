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

// urgency compares rows: by group, then by the number of changes, then what has failed
// for longest first, then by address.
func urgency(a, b *Row) int {
	return cmp.Or(cmp.Compare(a.Group, b.Group),
		cmp.Compare(len(b.Changed), len(a.Changed)),
		cmp.Compare(b.FailDays(), a.FailDays()),
		cmp.Compare(a.Key, b.Key),
		cmp.Compare(a.ID, b.ID))
}

// topRows collects the most urgent of any number of rows.
type topRows struct {
	rows []*Row
	full bool // rows was cut to the limit before: rows after its last one are not wanted
}

func (t *topRows) add(s *Scope, r *Row, most int) {
	s.Describe(r) // it is compared by its masked key
	if t.full && urgency(t.rows[most-1], r) < 0 {
		return
	}
	if t.rows = append(t.rows, s.copyOf(r)); len(t.rows) >= 2*most {
		t.sorted(most)
	}
}

// sorted cuts the rows down to the most urgent ones.
func (t *topRows) sorted(most int) []*Row {
	slices.SortFunc(t.rows, urgency)
	if len(t.rows) > most {
		clear(t.rows[most:])
		t.rows = t.rows[:most]
	}
	t.full = len(t.rows) == most
	return t.rows
}

// trueFirst compares for a sorted list in which true comes before false.
func trueFirst(a, b bool) int {
	if a == b {
		return 0
	} else if a {
		return -1
	}
	return 1
}

// pageLinks decides which links are on one HTML page.
type pageLinks struct {
	most   int
	wanted [GroupCount]int
	first  [GroupCount][]uint64 // numbers of the first of them, in rising order
}

func (p *pageLinks) add(r *Row) {
	p.wanted[r.Group]++
	if len(p.first[r.Group]) < p.most {
		p.first[r.Group] = append(p.first[r.Group], r.ID)
	}
}

// quota gives how many links of each group the page holds: those that need a
// person before those that do not.
func (p *pageLinks) quota() (quota [GroupCount]int, left int) {
	capacity := p.most
	for g, n := range p.wanted {
		quota[g] = min(n, capacity)
		capacity -= quota[g]
		left += n - quota[g]
	}
	return quota, left
}

// LeftOut counts the links that one HTML page leaves out, and of these the fine ones.
func (r *Report) LeftOut() (links, fine int) {
	quota, left := r.page.quota()
	return left, r.page.wanted[Fine] - quota[Fine]
}

// OnPage gives a function that picks the links of one HTML page; nil: all. It must be
// called with rising numbers.
func (r *Report) OnPage() func(uint64) bool {
	quota, left := r.page.quota()
	if left == 0 {
		return nil
	}
	var ids []uint64
	for g, n := range quota {
		ids = append(ids, r.page.first[g][:n]...)
	}
	return oneOf(ids)
}
