package report

import (
	"errors"
	"iter"
	"testing"
)

// counting yields n numbers, then an error if there is one, and notes its end.
func counting(n int, err error, ended *bool) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		defer func() { *ended = true }()
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

// TestAhead keeps order and errors, and leaves no reader behind.
func TestAhead(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		n, stop int
		err     error
	}{{0, -1, nil}, {0, -1, broken}, {1, -1, nil}, {aheadItems, -1, nil}, {aheadItems, -1, broken}, {3*aheadItems + 5, -1, broken},
		{5 * aheadItems, 3, nil}, {5 * aheadItems, 2 * aheadItems, broken}, {10, 0, nil}} {
		ended, next, err := false, 0, error(nil)
		for i, e := range ahead(counting(tt.n, tt.err, &ended)) {
			if err = e; e != nil || next == tt.stop {
				break
			}
			if i != next {
				t.Fatalf("%d items: %d instead of %d", tt.n, i, next)
			}
			next++
		}
		want := tt
		if tt.stop >= 0 {
			want.n, want.err = tt.stop, nil
		}
		if next != want.n || err != want.err || !ended {
			t.Errorf("%+v: %d items, %v, ended %v", tt, next, err, ended)
		}
	}
}
