package crawl

import (
	"slices"

	"linkcheck/crawl/hostqueue"
)

const (
	loadAhead = 64   // links that are loaded together: reading them one by one shows in BenchmarkNight and BenchmarkHosts
	maxLoaded = 1000 // links that are loaded before their turn
)

// assignment gives that of a turn, and loads those of the turns that come next with it.
func (d *dispatcher) assignment(turn hostqueue.Turn) assignment {
	if _, loaded := d.loaded[turn.ID]; !loaded {
		ids := d.next(turn)
		for i, a := range d.links.load(ids) {
			d.loaded[ids[i]] = a
		}
	}
	a := d.loaded[turn.ID]
	if turn.Host.Located || len(d.loaded) > maxLoaded { // else it comes again
		delete(d.loaded, turn.ID)
	}
	d.links.heard(&a) // now, for others of its host were asked since it was loaded
	return a
}

// next are the link of a turn and those whose turns come next, by number, as they stand in the
// store: one of each host, or several where few hosts wait.
func (d *dispatcher) next(turn hostqueue.Turn) []uint64 {
	hosts := d.queues.Ahead(loadAhead)
	each, most := loadAhead/(len(hosts)+1), min(loadAhead, maxLoaded-len(d.loaded))
	ids := append(make([]uint64, 0, loadAhead), turn.ID)
	add := func(h *hostqueue.Host, last int) {
		for id := range d.queues.Waiting(h) {
			if _, loaded := d.loaded[id]; loaded || d.redirects[id] != nil || len(ids) >= min(last, most) {
				return
			}
			ids = append(ids, id)
		}
	}
	add(turn.Host, each)
	for _, h := range hosts {
		add(h, len(ids)+max(each, 1))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
