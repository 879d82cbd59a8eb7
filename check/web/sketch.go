package web

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"slices"
)

const (
	shingleWords = 4   // words of one shingle
	sketchSize   = 256 // smallest hashes kept of a text
)

// sketch holds the smallest hashes of a text's shingles, sorted: two sketches
// tell how alike two texts are (Broder 1997).
type sketch []uint64

// sketcher makes the sketch of the words that are added to it.
type sketcher struct {
	words  shingler
	hashes []uint64
}

func (s *sketcher) add(word string) {
	if h, whole := s.words.add(fnv1a(word)); whole {
		s.hashes = append(s.hashes, h)
	}
}

// sum is the sketch of the words so far.
func (s *sketcher) sum() sketch {
	if h, short := s.words.end(); short {
		s.hashes = append(s.hashes, h)
	}
	slices.Sort(s.hashes)
	all := slices.Compact(s.hashes)
	return slices.Clone(all[:min(len(all), sketchSize)])
}

// resemblance estimates the part of shingles that two texts share, 0 to 1.
func resemblance(a, b sketch) float64 {
	shared, all := 0, 0
	for len(a) > 0 && len(b) > 0 && all < sketchSize {
		all++
		switch {
		case a[0] == b[0]:
			shared++
			a, b = a[1:], b[1:]
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	all = min(all+len(a)+len(b), sketchSize)
	return float64(shared) / float64(max(all, 1))
}

// shingler hashes every run of shingleWords words, or the whole of a shorter text.
type shingler struct {
	x, y, z uint64 // hashes of the last words, z of the newest
	n       int    // words
}

// add gives the hash of the shingle that ends with the word of a hash, once there are enough.
func (r *shingler) add(word uint64) (hash uint64, whole bool) {
	hash = with(with(with(with(0, r.x), r.y), r.z), word)
	r.x, r.y, r.z = r.y, r.z, word
	r.n++
	return hash ^ hash>>29, r.n >= shingleWords
}

// end gives the hash of a text that is shorter than a shingle.
func (r *shingler) end() (hash uint64, short bool) {
	switch r.n {
	case 1:
		hash = with(0, r.z)
	case 2:
		hash = with(with(0, r.y), r.z)
	case 3:
		hash = with(with(with(0, r.x), r.y), r.z)
	}
	return hash ^ hash>>29, 0 < r.n && r.n < shingleWords
}

// with adds the hash of a word to that of a shingle.
func with(h, word uint64) uint64 { return (bits.RotateLeft64(h, 23) ^ word) * 0x9e3779b97f4a7c15 }

// fnv1a is the hash of that name, 64 bits: stable across runs, as the store keeps digests.
func fnv1a(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// digest is a SimHash of a text, or a hash of what is no text.
func digest(body string, p *page) string {
	switch {
	case len(body) == 0:
		return ""
	case p.words == 0:
		sum := sha256.Sum256([]byte(body))
		return "sha256:" + hex.EncodeToString(sum[:8])
	}
	return "simhash:" + hex.EncodeToString(binary.BigEndian.AppendUint64(nil, p.text))
}

// simhash has the bits that more than half of the shingles of a text have
// (Charikar 2002).
type simhash struct {
	words  shingler
	hashes int
	totals [64]int   // how many of them have each bit
	octets [8]uint64 // how many more: in each octet of the i-th, those that have bit i of that octet
}

// add takes the hash of the next word.
func (s *simhash) add(word uint64) {
	if h, whole := s.words.add(word); whole {
		s.count(h)
	}
}

// count adds up eight bits at a time: one by one they cost more than all else that
// is done with a page.
func (s *simhash) count(h uint64) {
	const lowBits, most = 0x0101010101010101, 255
	o := &s.octets // a loop takes half as long again
	o[0] += h & lowBits
	o[1] += h >> 1 & lowBits
	o[2] += h >> 2 & lowBits
	o[3] += h >> 3 & lowBits
	o[4] += h >> 4 & lowBits
	o[5] += h >> 5 & lowBits
	o[6] += h >> 6 & lowBits
	o[7] += h >> 7 & lowBits
	if s.hashes++; s.hashes%most == 0 {
		s.flush()
	}
}

// flush empties the octets before they overflow.
func (s *simhash) flush() {
	for i := range s.totals {
		s.totals[i] += int(s.octets[i%8] >> (i / 8 * 8) & 0xff)
	}
	s.octets = [8]uint64{}
}

// sum is the hash of the words; no more can be added.
func (s *simhash) sum() (sum uint64) {
	if h, short := s.words.end(); short {
		s.count(h)
	}
	s.flush()
	for i, n := range s.totals {
		sum |= uint64(s.hashes-2*n) >> 63 << i // the sign: without a branch, which would be foreseen half of the time
	}
	return sum
}
