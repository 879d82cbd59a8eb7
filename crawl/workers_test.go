package crawl

import "testing"

// The number of workers keeps within what a process may have open.
func TestWithinLimit(t *testing.T) {
	for _, tt := range []struct{ limit, workers, want int }{
		{0, 16, 16}, {0, 5000, 5000}, {1 << 20, 16, 16}, {1024, 16, 16}, {1024, 500, 244}, {256, 16, 16}, {64, 16, 9}, {64, 4, 4}, {32, 16, 1}, {8, 16, 1},
	} {
		if got := WithinLimit(tt.limit, tt.workers); got != tt.want {
			t.Errorf("%d files, %d workers: %d, want %d", tt.limit, tt.workers, got, tt.want)
		}
	}
}
