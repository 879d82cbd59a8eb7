package web

import (
	"math/rand/v2"
	"testing"
)

// majority is the sign of the sum in Charikar's definition, bit by bit: a tie is 0.
func TestMajority(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 254, 255, 256, 511, 1000} {
		hashes := make([]uint64, n)
		for i := range hashes {
			hashes[i] = random.Uint64()
			if i%2 == 1 && i < n/2 {
				hashes[i] = ^hashes[i-1] // ties, and bits that nearly tie
			}
		}
		var want uint64
		for bit := range 64 {
			sum := 0
			for _, h := range hashes {
				sum += int(h>>bit&1)*2 - 1
			}
			if sum > 0 {
				want |= 1 << bit
			}
		}
		if got := majority(hashes); got != want {
			t.Errorf("of %d: %x, want %x", n, got, want)
		}
		for i := range hashes {
			hashes[i] = ^uint64(0)
		}
		if got := majority(hashes); n > 0 && got != ^uint64(0) {
			t.Errorf("of %d full ones: %x", n, got)
		}
	}
}
