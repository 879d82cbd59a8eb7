package pdf

import (
	"cmp"
	"slices"
)

const maxPacked = 16 << 20 // octets of object streams that are held

// packed is an object stream (ISO 32000-1 section 7.5.7).
type packed struct {
	numbers, offsets []int
	data             []byte
	first            int
}

// unpack reads the object stream with a number, or that at an offset of the file.
func (f *file) unpack(container int64) *packed {
	if p, ok := f.packed[container]; ok {
		return p
	}
	if f.reading[container] {
		return nil
	}
	f.reading[container] = true
	defer delete(f.reading, container)
	s, ok := f.load(ref{num: uint32(container)}).(*stream)
	if !ok {
		return nil
	}
	p := f.openPacked(s)
	if f.packedSize += p.size(); f.packedSize > maxPacked {
		clear(f.packed)
		f.packedSize = p.size()
	}
	f.packed[container] = p
	return p
}

func (p *packed) size() int { return len(p.data) + 16*len(p.numbers) }

func (f *file) openPacked(s *stream) *packed {
	p := &packed{data: f.held(s), first: integer(f.get(s.dict["First"]))}
	if p.first < 0 || p.first > len(p.data) {
		p.first = len(p.data)
	}
	l := lexer{buf: p.data[:p.first]}
	for range integer(f.get(s.dict["N"])) {
		n, off := l.next(), l.next()
		if n.kind != tokenNumber || off.kind != tokenNumber || len(p.numbers) > maxObject || f.d.Budget.Unfold(16) != nil {
			break
		}
		p.numbers, p.offsets = append(p.numbers, int(n.num)), append(p.offsets, int(off.num))
	}
	return p
}

// object gives the object with a number, which should be the one at index.
func (p *packed) object(f *file, num uint32, index int) value {
	if index >= len(p.numbers) || p.numbers[index] != int(num) {
		index = slices.Index(p.numbers, int(num))
	}
	if index < 0 {
		return nil
	}
	from := p.first + p.offsets[index]
	if from < p.first || from > len(p.data) {
		return nil
	}
	parse := parser{lexer: lexer{buf: p.data[from:]}}
	v, _, _ := parse.object(0)
	f.d.Budget.Unfold(int64(parse.pos))
	return v
}

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
