package crawl

import (
	"slices"
	"testing"

	"linkcheck/judge"
)

// New links come first, then failing, living and dead ones; of each those that are
// due longest, and then by number (OUTCOMES section 5).
func TestOrderOfPlan(t *testing.T) {
	var list []planned
	for i, s := range []judge.State{judge.Dead, judge.Alive, judge.Failing, judge.New} {
		for due := range int64(3) {
			list = append(list, planned{id: uint64(10*i) + 9, due: 7 - due, rank: rank(s)}, planned{id: uint64(10*i + 1), due: 7 - due, rank: rank(s)})
		}
	}
	slices.SortFunc(list, planned.compare)
	for i := range list[1:] {
		p, q := list[i], list[i+1]
		if p.rank > q.rank || p.rank == q.rank && (p.due > q.due || p.due == q.due && p.id >= q.id) {
			t.Errorf("%+v before %+v", p, q)
		}
	}
	if first, last := list[0], list[len(list)-1]; first.id/10 != 3 || last.id/10 != 0 {
		t.Errorf("%+v is first, %+v last", first, last)
	}
}
