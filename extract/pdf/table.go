package pdf

import (
	"cmp"
	"slices"
)

// Where an object is.
const (
	free     = iota // nowhere: it was deleted
	inFile          // at an offset
	inStream        // in the object stream with the number at
)

// entry says where an object is (ISO 32000-1 section 7.5.4).
type entry struct {
	at    int64
	num   uint32
	index uint16 // in an object stream
	kind  uint8
}

// table has the entries of a file, by their numbers.
type table []entry

// settle sorts the entries. Of those with the same number the first stays.
func (t *table) settle() {
	slices.SortStableFunc(*t, func(a, b entry) int { return cmp.Compare(a.num, b.num) })
	*t = slices.CompactFunc(*t, func(a, b entry) bool { return a.num == b.num })
}

func (t table) find(num uint32) (entry, bool) {
	i, ok := t.index(num)
	if !ok {
		return entry{}, false
	}
	return t[i], true
}

func (t table) index(num uint32) (int, bool) {
	return slices.BinarySearchFunc(t, num, func(e entry, n uint32) int { return cmp.Compare(e.num, n) })
}
