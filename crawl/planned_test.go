package crawl

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A plan of several parts comes in the order in which one would.
func TestPlanSorted(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, planPart, planPart + 1, 3*planPart + 7} {
		var l plan
		var want, came []planned
		for id := range n {
			p := planned{id: uint64(id), next: random.Int64N(50), rank: uint8(random.IntN(4)), host: random.Uint32()}
			l.add(p)
			want = append(want, p)
		}
		if added := slices.Collect(l.each); !slices.Equal(added, want) || l.n != n {
			t.Errorf("%d links, %d were added", n, l.n)
		}
		slices.SortFunc(want, planned.before)
		for p := range l.sorted() {
			came = append(came, p)
		}
		if !slices.Equal(came, want) {
			t.Errorf("%d links came in another order", n)
		}
	}
}
