package crawl

import (
	"time"

	"linkcheck/judge"
	"linkcheck/store"
)

const (
	writeBatch = 5000 // results in a transaction, at most
	writeQueue = 2000 // results that may wait while one is written
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

// loop commits batches of results until in is closed.
func (w *writer) loop() {
	defer close(w.done)
	for first := range w.in {
		if w.err = w.st.Record(w.run, w.policy, w.batch(first)); w.err != nil {
			return
		}
	}
}

// batch waits for more results, until it is full or its time has passed.
func (w *writer) batch(first store.Checked) []store.Checked {
	batch, due := []store.Checked{first}, time.After(writeEvery)
	for len(batch) < writeBatch {
		select {
		case c, ok := <-w.in:
			if !ok {
				return batch
			}
			batch = append(batch, c)
		case <-due:
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
