package harvesttest

import (
	"iter"
	"maps"
	"slices"
	"time"

	"linkcheck/harvest"
)

func (s *Store) snapshot() map[string]*row {
	rows := map[string]*row{}
	for name, r := range s.rows {
		rows[name] = new(*r)
	}
	return rows
}

// known shows a store to a harvester.
type known struct {
	*Store
	rows map[string]*row
}

func (k known) Mark() []byte { return k.mark }

func (k known) shown(r *row) harvest.Document {
	d := r.doc
	d.Asked = r.asked == k.sweep
	return d
}

func (k known) Document(name string) (harvest.Document, bool) {
	if r := k.rows[name]; r != nil {
		return k.shown(r), true
	}
	return harvest.Document{}, false
}

func (k known) Documents() iter.Seq[harvest.Document] {
	rows := slices.SortedFunc(maps.Values(k.rows), func(a, b *row) int {
		if a.asked == 0 != (b.asked == 0) {
			return b.asked - a.asked // what was only found comes last
		}
		return a.turn - b.turn
	})
	return func(yield func(harvest.Document) bool) {
		for _, r := range rows {
			if !yield(k.shown(r)) {
				return
			}
		}
	}
}

func (k known) Linked(name string) bool {
	for _, r := range k.rows {
		if r.doc.Read && !r.doc.Gone && slices.Contains(r.links, name) {
			return true
		}
	}
	return false
}

func (known) Enough() bool { return false }

// Elsewhere implements harvest.Known.
func (known) Elsewhere(string) bool { return false }

// MetSince implements harvest.Known.
func (known) MetSince(string, string) bool { return false }

// Nights is a clock that stands still but from night to night.
type Nights int

// Now is three in the morning of that night.
func (n *Nights) Now() time.Time {
	return time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC).AddDate(0, 0, int(*n))
}
