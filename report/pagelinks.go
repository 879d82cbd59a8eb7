package report

// pageLinks is what one HTML page holds of the links.
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

// OnPage picks the links that one HTML page holds, asked for in rising order of
// their numbers; nil: all.
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
