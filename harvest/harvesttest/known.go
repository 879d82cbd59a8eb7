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
	if r.before != nil && r.before.sweep == k.sweep {
		d := r.before.doc
		d.Asked, d.New = true, r.found == k.sweep
		return d
	}
	d := r.doc
	d.Asked, d.New = r.asked == k.sweep, r.found == k.sweep && r.foundIn < k.runs
	return d
}

// at is when a document was asked for before this sweep, or found; first says that it was asked for.
func (k known) at(r *row) (turn int, asked bool) {
	if r.before != nil && r.before.sweep == k.sweep {
		return r.before.turn, r.before.asked
	}
	return r.turn, r.asked != 0
}

func (k known) Kept(name string) []byte {
	if kept := k.kept[name]; kept.run < k.runs {
		return kept.text
	}
	return nil
}

func (k known) Document(name string) (harvest.Document, bool) {
	if r := k.rows[name]; r != nil {
		return k.shown(r), true
	}
	return harvest.Document{}, false
}

func (k known) Documents() iter.Seq[harvest.Document] {
	rows := slices.SortedFunc(maps.Values(k.rows), func(a, b *row) int {
		at, askedA := k.at(a)
		than, askedB := k.at(b)
		switch {
		case askedA && !askedB: // what was only found comes last
			return -1
		case askedB && !askedA:
			return 1
		}
		return at - than
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
