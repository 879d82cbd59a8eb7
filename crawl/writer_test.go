package crawl

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
	"linkcheck/store"
)

// What cannot be written is reported by the end of the run at the latest, be it only
// the last of its results (DESIGN law 7).
func TestWriterReportsTheLastWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	st, err := store.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	addLinks(t, st, "http://a.test.net/")
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if st, err = store.Open(path, &store.Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	w := newWriter(st, 1, judge.Policy{})
	if err := w.add(store.Checked{ID: 1, Result: check.New(check.OK, "http-200", "")}); err != nil {
		t.Fatalf("before anything was written: %v", err)
	}
	if err := w.close(); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("the end of the run: %v", err)
	}
}

// A committed answer is at most a second old, also where a commit takes nearly half of
// one: what came while another batch was written waits for no more.
func TestWriterIsPrompt(t *testing.T) {
	const gap, commit, run = 7 * time.Millisecond, 450 * time.Millisecond, 30 * time.Second
	begun := time.Date(2026, 11, 23, 2, 0, 0, 0, time.UTC)
	now, next := begun, begun
	w := &writer{in: make(chan *arrived, writeQueue), now: func() time.Time { return now }}
	pass := func(d time.Duration) { // answers come meanwhile; the number of one is when it came
		for now = now.Add(max(d, 0)); !next.After(now); next = next.Add(gap) {
			w.in <- &arrived{store.Checked{ID: uint64(next.Sub(begun))}, next}
		}
	}
	w.after = func(d time.Duration) <-chan time.Time {
		pass(d)
		passed := make(chan time.Time, 1)
		passed <- now
		return passed
	}
	pass(0)
	kept, oldest, batches := 0, time.Duration(0), 0
	for now.Sub(begun) < run {
		batch := w.batch(nil, <-w.in)
		pass(commit)
		batches, kept = batches+1, kept+len(batch)
		for _, c := range batch {
			oldest = max(oldest, now.Sub(begun.Add(time.Duration(c.ID))))
		}
	}
	if oldest > time.Second || batches > int(run/commit)+1 || kept < int((run-time.Second)/gap) {
		t.Errorf("%d answers in %d batches, the oldest was committed after %v", kept, batches, oldest)
	}
}
