package harvest

import (
	"hash/fnv"
	"hash/maphash"
)

// queue gives places in the order in which they came. A million of them wait in little
// memory.
type queue struct {
	parts [][]packed
	taken int // of the first part
}

// partSize is how many places are kept together.
const partSize = 512

// packed is a place in a queue.
type packed struct {
	text          string // its name and its words
	name          uint16 // octets of text that are the name
	depth, copies uint8
	listed        bool
}

func (q *queue) push(p place) {
	n := len(q.parts)
	if n == 0 || len(q.parts[n-1]) == cap(q.parts[n-1]) {
		q.parts = append(q.parts, make([]packed, 0, min(partSize, 4+4*n)))
		n++
	}
	q.parts[n-1] = append(q.parts[n-1], packed{p.name + p.words, uint16(len(p.name)), p.depth, p.copies, p.listed})
}

func (q *queue) pop() (p place, ok bool) {
	if len(q.parts) == 0 {
		return p, false
	}
	first := q.parts[0]
	c := first[q.taken]
	if q.taken++; q.taken == len(first) {
		q.parts[0] = nil // the memory is given back
		q.parts, q.taken = q.parts[1:], 0
	}
	return place{name: c.text[:c.name], words: c.text[c.name:], depth: c.depth, copies: c.copies, listed: c.listed}, true
}

// popKnown gives a document that was read in an earlier run, where the root has as many as it may have.
func (l *late) popKnown() (p place, ok bool) {
	for _, one := range l.parts {
		if one.finite && one.isDull() || !one.finite && one.isSpent() {
			continue
		}
		if p, ok = one.known.pop(); ok {
			one.read++
			return p, true
		}
	}
	return p, false
}

// set is one of hashes.
type set map[uint64]struct{}

// add says whether it is new.
func (s set) add(key uint64) bool {
	n := len(s)
	s[key] = struct{}{}
	return len(s) > n
}

func (s set) has(key uint64) bool {
	_, ok := s[key]
	return ok
}

// nameSet holds the names of many documents in little memory.
type nameSet map[uint64]struct{}

func (n *nameSet) add(name string) {
	if *n == nil {
		*n = nameSet{}
	}
	(*n)[nameSum(name)] = struct{}{}
}

func (n nameSet) has(name string) bool {
	_, has := n[nameSum(name)]
	return has
}

func nameSum(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

func (f *frontier) key(name string) uint64    { return maphash.String(f.seed, name) }
func (f *frontier) isSeen(name string) bool   { return f.seen.has(f.key(name)) }
func (f *frontier) wasAsked(name string) bool { return f.asked.has(f.key(name)) }

// see counts a document.
func (f *frontier) see(name string) {
	if f.seen.add(f.key(name)) {
		f.documents++
		f.forms.add(f.scope.resource(name))
	}
}

func (f *frontier) askedFor(name string) { f.asked.add(f.key(name)) }
