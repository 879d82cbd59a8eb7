package crawl

import "testing"

// The number of workers and idle sessions keeps within what a process may have open.
func TestWithinLimit(t *testing.T) {
	for _, tt := range []struct{ limit, workers, bounded, idle int }{
		{0, 16, 16, 64}, {0, 5000, 5000, 64}, {1 << 20, 16, 16, 64}, {1024, 16, 16, 64}, {1024, 500, 332, 1},
		{256, 16, 16, 46}, {128, 16, 16, 14}, {64, 16, 12, 1}, {64, 4, 4, 7}, {32, 16, 1, 1}, {8, 16, 1, 1},
	} {
		bounded, idle := WithinLimit(tt.limit, tt.workers)
		if bounded != tt.bounded || idle != tt.idle {
			t.Errorf("%d files, %d workers: %d and %d idle, want %d and %d", tt.limit, tt.workers, bounded, idle, tt.bounded, tt.idle)
		}
		if tt.limit >= 40 && ownFiles+bounded*workerFiles+idle*sessionPools > tt.limit {
			t.Errorf("%d files, %d workers: %d and %d idle are more", tt.limit, tt.workers, bounded, idle)
		}
	}
}
