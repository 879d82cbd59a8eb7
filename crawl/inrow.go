package crawl

import (
	"time"

	"linkcheck/crawl/hostqueue"
	"linkcheck/uri"
)

// A news server is asked for so many articles in a row, for so long, over its session, and a
// mail server for so many messages; then there is a gap.
const (
	mostInRow  = 100
	longestRow = 10 * time.Second
)

// inRow are articles that a host was asked for without a gap between them.
type inRow struct {
	n           int
	begin, last time.Time
	gap         time.Duration // that is left out
}

// gapInRow is the gap after an answer that was good: none where the next article may follow
// at once.
func (t *Turns) gapInRow(h *hostqueue.Host, u uri.URI, gap time.Duration) time.Duration {
	if !isArticle(u) {
		return gap
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now, row := time.Now(), t.rows[h]
	if row == nil || now.Sub(row.last) > gap {
		row = &inRow{begin: now}
		t.rows[h] = row
	}
	if row.n++; row.n >= mostInRow || now.Sub(row.begin) >= longestRow {
		delete(t.rows, h)
		return gap
	}
	row.last, row.gap = now, gap
	return 0
}
