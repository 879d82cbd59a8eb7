package likeness

import (
	"encoding/binary"
	"math"
)

// least holds the smallest hash of each bin, inverted: 0 is none.
type least struct {
	n    int // hashes added
	most [bins]uint64
}

func (s *least) add(h uint64) {
	s.n++
	i := h % bins
	s.most[i] = max(s.most[i], h|1)
}

func (s *least) addAll(more *least) {
	if more.n == 0 {
		return
	}
	s.n += more.n
	for i, h := range more.most {
		s.most[i] = max(s.most[i], h)
	}
}

// appendTo appends size and values to a look.
func (s *least) appendTo(l Look) Look {
	var values [bins]byte
	empty := 0
	for i, h := range s.most {
		if h == 0 {
			empty++
			continue
		}
		values[i] = byte(h>>8%255) + 1
	}
	return append(binary.BigEndian.AppendUint32(l, uint32(min(max(s.size(empty), 1), 1<<20))), values[:]...)
}

// counted is the linear count for so many empty bins (Whang 1990).
var counted = func() (sizes [bins + 1]float64) {
	for empty := range sizes {
		sizes[empty] = bins * math.Log(bins/float64(max(empty, 1)))
	}
	return sizes
}()

// size estimates how many different hashes were added, where so many bins are empty.
func (s *least) size(empty int) float64 {
	if empty > bins/20 { // few shingles
		return counted[empty]
	}
	sum := 0.0
	for _, h := range s.most {
		sum += 1 - float64(h)/math.MaxUint64
	}
	return bins * (bins/sum - 1)
}
