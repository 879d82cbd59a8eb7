package crawl

import (
	"cmp"
	"container/heap"
	"iter"
	"slices"

	"linkcheck/judge"
)

// planned is one link of the plan.
type planned struct {
	id   uint64
	next int64
	rank uint8
	host uint32
}

// rank is the order of a run: new, failing, living, dead (OUTCOMES section 5).
func rank(s judge.State) uint8 {
	switch s {
	case judge.New:
		return 0
	case judge.Failing:
		return 1
	case judge.Dead:
		return 3
	}
	return 2
}

// before is the order of the plan.
func (p planned) before(q planned) int {
	return cmp.Or(cmp.Compare(p.rank, q.rank), cmp.Compare(p.next, q.next), cmp.Compare(p.id, q.id))
}

const planPart = 1 << 15 // links

// plan holds links in parts, each of which is sorted alone: a slice of a million
// would be copied as it grows.
type plan struct {
	parts [][]planned
	n     int
}

func (l *plan) add(p planned) {
	if last := len(l.parts) - 1; last < 0 || len(l.parts[last]) == planPart {
		l.parts = append(l.parts, nil)
	}
	last := &l.parts[len(l.parts)-1]
	*last = append(*last, p)
	l.n++
}

// each yields the links in the order in which they were added.
func (l *plan) each(yield func(planned) bool) {
	for _, part := range l.parts {
		for _, p := range part {
			if !yield(p) {
				return
			}
		}
	}
}

// sorted yields the links in their order, and forgets them.
func (l *plan) sorted() iter.Seq[planned] {
	return func(yield func(planned) bool) {
		heads := planHeads(l.parts)
		l.parts = nil
		for _, part := range heads {
			slices.SortFunc(part, planned.before)
		}
		heap.Init(&heads)
		for len(heads) > 0 {
			if !yield(heads[0][0]) {
				return
			}
			if heads[0] = heads[0][1:]; len(heads[0]) > 0 {
				heap.Fix(&heads, 0)
			} else {
				heap.Pop(&heads)
			}
		}
	}
}

// planHeads orders parts by their first links; none is empty.
type planHeads [][]planned

func (h planHeads) Len() int           { return len(h) }
func (h planHeads) Less(i, j int) bool { return h[i][0].before(h[j][0]) < 0 }
func (h planHeads) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *planHeads) Push(x any)        { *h = append(*h, x.([]planned)) }
func (h *planHeads) Pop() any {
	last := len(*h) - 1
	part := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return part
}
