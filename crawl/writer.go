package crawl

import (
	"time"

	"linkcheck/judge"
	"linkcheck/store"
)

const (
	writeBatch = 5000 // results of one transaction
	writeQueue = 2000 // that may wait while one is written
	writeEvery = 250 * time.Millisecond
)

// writer is the one goroutine that writes results to the store.
type writer struct {
	st     *store.Store
	run    uint64
	policy judge.Policy
	in     chan store.Checked
	done   chan struct{}
	err    error // once done is closed
}

func newWriter(st *store.Store, run uint64, p judge.Policy) *writer {
	w := &writer{st: st, run: run, policy: p, in: make(chan store.Checked, writeQueue), done: make(chan struct{})}
	go w.loop()
	return w
}

// loop commits when a batch is full, or some time after its first result.
func (w *writer) loop() {
	defer close(w.done)
	batch := make([]store.Checked, 0, writeBatch)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var due <-chan time.Time
	for open := true; open; {
		select {
		case c, ok := <-w.in:
			if open = ok; ok {
				if batch = append(batch, c); len(batch) == 1 {
					timer.Reset(writeEvery)
					due = timer.C
				}
			}
			if open && len(batch) < writeBatch {
				continue
			}
		case <-due:
		}
		due = nil
		if len(batch) > 0 {
			if w.err = w.st.Record(w.run, w.policy, batch); w.err != nil {
				return
			}
			batch = batch[:0]
		}
	}
}

// add hands over a result. The error is that of an earlier write.
func (w *writer) add(c store.Checked) error {
	select {
	case w.in <- c:
		return nil
	case <-w.done:
		return w.err
	}
}

// close writes what is left.
func (w *writer) close() error {
	close(w.in)
	<-w.done
	return w.err
}
