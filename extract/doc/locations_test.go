package doc

import "testing"

// Where a reader is, locations are right however many went before, and those behind
// it take bounded memory.
func TestLocationsForget(t *testing.T) {
	var p Locations
	p.Reset()
	const rounds = 3 * maxStretches
	for i := 1; i <= rounds; i++ {
		p.Add([]byte("ab"), 2*i, 5) // every piece on a line of its own in the file, all on one line of the text
		if len(p.stretches) > maxStretches {
			t.Fatalf("%d stretches are kept", len(p.stretches))
		}
		for _, back := range []int{0, 1, maxStretches / 4} { // what is read now, and a little behind
			if back >= i || i%997 > 0 && i < rounds-3 {
				continue
			}
			if line, column := p.Physical(1, 2*(i-back)); line != 2*(i-back) || column != 6 {
				t.Fatalf("piece %d of %d stands at %d:%d", i-back, i, line, column)
			}
		}
	}
}
