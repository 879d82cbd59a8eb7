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

// loop commits batches of results, until there are no more.
func (w *writer) loop() {
	defer close(w.done)
	batch := make([]store.Checked, 0, writeBatch)
	for first := range w.in {
		batch = w.fill(append(batch[:0], first))
		if w.err = w.st.Record(w.run, w.policy, batch); w.err != nil {
			return
		}
	}
}

// fill waits for more results, for some time or until the batch is full.
func (w *writer) fill(batch []store.Checked) []store.Checked {
	due := time.NewTimer(writeEvery)
	defer due.Stop()
	for len(batch) < writeBatch {
		select {
		case c, ok := <-w.in:
			if !ok {
				return batch
			}
			batch = append(batch, c)
		case <-due.C:
			return batch
		}
	}
	return batch
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
