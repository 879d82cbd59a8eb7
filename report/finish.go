package report

import (
	"cmp"
	"maps"
	"slices"

	"linkcheck/judge"
)

// finish sorts what the pass gathered.
func (b *builder) finish() {
	r := b.Report
	slices.Sort(r.named)
	r.Records = r.records.count()
	r.NeedYou = r.ByGroup[Fix] + r.ByGroup[Update] + r.ByGroup[Check]
	for _, c := range changeOrder {
		r.Changes = append(r.Changes, Count{string(c), b.changes[c]})
	}
	r.Rewrites = findRewrites(b.moves)
	r.Causes = b.sortedCauses()
	r.Top = b.top.sorted(maxTop)
	for i := range b.news {
		r.News = append(r.News, b.news[i].sorted(summaryNews))
	}
	r.Skipped, r.OddCount = counts(b.skipped), counts(b.odd)
	slices.SortStableFunc(r.Odd, func(x, y Row) int {
		return cmp.Or(cmp.Compare(oddRank(x.State), oddRank(y.State)), cmp.Compare(x.URL, y.URL), cmp.Compare(x.ID, y.ID))
	})
	r.records = distinct{}
}

func oddRank(s judge.State) int {
	if s == judge.Invalid {
		return 0
	}
	return 1
}

// counts sorts words by how many links they have.
func counts(m map[string]int) []Count {
	var out []Count
	for _, word := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Count{word, m[word]})
	}
	slices.SortStableFunc(out, func(a, b Count) int { return cmp.Compare(b.N, a.N) })
	return out
}

// urgency orders rows as a reader works: news first within a group, then what
// has failed for longest, then the address.
func urgency(a, b *Row) int {
	return cmp.Or(cmp.Compare(a.Group, b.Group),
		cmp.Compare(len(b.Changed), len(a.Changed)),
		cmp.Compare(b.failDays(), a.failDays()),
		cmp.Compare(a.Key, b.Key),
		cmp.Compare(a.ID, b.ID))
}

// topRows keeps the most urgent of any number of rows.
type topRows struct {
	rows []*Row
	full bool // the last of rows was the least urgent of as many as are kept
}

func (t *topRows) add(s *scope, r *Row, most int) {
	s.tell(r)
	if t.full && urgency(t.rows[most-1], r) < 0 {
		return
	}
	k := s.kept(r)
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

// distinct counts different numbers.
type distinct struct {
	list []uint64
	more int // numbers at which the list is made short again
}

func (d *distinct) add(n uint64) {
	if d.list = append(d.list, n); len(d.list) > max(d.more, 1<<16) {
		d.more = 2 * d.count()
	}
}

func (d *distinct) count() int {
	slices.Sort(d.list)
	d.list = slices.Compact(d.list)
	return len(d.list)
}
