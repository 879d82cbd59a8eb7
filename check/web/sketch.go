package web

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

const (
	shingleWords = 4   // words of one shingle
	sketchSize   = 256 // smallest hashes kept of a text
	driftBits    = 16  // of 64 that differ when a page has become another
)

// sketch holds the smallest hashes of a text's shingles, sorted: two sketches
// tell how alike two texts are (Broder 1997).
type sketch []uint64

func sketchOf(words []string) sketch {
	s := shingles(words)
	slices.Sort(s)
	s = slices.Compact(s)
	return slices.Clone(s[:min(len(s), sketchSize)])
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

// shingles hashes every run of shingleWords words, or the whole of a shorter text.
func shingles(words []string) []uint64 {
	if len(words) == 0 {
		return nil
	}
	each := make([]uint64, len(words))
	for i, w := range words {
		each[i] = fnv1a(w)
	}
	out := make([]uint64, max(len(words)-shingleWords+1, 1))
	for i := range out {
		var h uint64
		for _, w := range each[i:min(i+shingleWords, len(each))] {
			h = (bits.RotateLeft64(h, 23) ^ w) * 0x9e3779b97f4a7c15
		}
		out[i] = h ^ h>>29
	}
	return out
}

// fnv1a is the hash of that name, 64 bits: stable across runs, as the store keeps digests.
func fnv1a(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// digest is a SimHash (Charikar 2002) of a text, or a hash of what is no text.
func digest(body []byte, p page) string {
	switch {
	case len(body) == 0:
		return ""
	case len(p.words) == 0:
		sum := sha256.Sum256(body)
		return "sha256:" + hex.EncodeToString(sum[:8])
	}
	return "simhash:" + hex.EncodeToString(binary.BigEndian.AppendUint64(nil, majority(shingles(p.words))))
}

// majority has the bits that more than half of the hashes have.
func majority(hashes []uint64) (sum uint64) {
	const lanes, most = 0x0101010101010101, 255
	var count [64]int
	for part := range slices.Chunk(hashes, most) {
		var eights [8]uint64 // in each octet of the i-th, how many have bit i of that octet
		for _, h := range part {
			for i := range eights {
				eights[i] += h >> i & lanes
			}
		}
		for i := range count {
			count[i] += int(eights[i%8] >> (i / 8 * 8) & 0xff)
		}
	}
	for i, n := range count {
		if 2*n > len(hashes) {
			sum |= 1 << i
		}
	}
	return sum
}

// drifted says whether two digests of texts are far apart.
func drifted(before, after string) bool {
	a, okA := strings.CutPrefix(before, "simhash:")
	b, okB := strings.CutPrefix(after, "simhash:")
	x, errA := strconv.ParseUint(a, 16, 64)
	y, errB := strconv.ParseUint(b, 16, 64)
	return okA && okB && errA == nil && errB == nil && bits.OnesCount64(x^y) > driftBits
}
