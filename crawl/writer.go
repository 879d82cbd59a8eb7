package crawl

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"linkcheck/judge"
	"linkcheck/store"
)

const (
	writeBatch  = 5000    // results in a transaction, at most
	writeQueue  = 2000    // results that may wait while one is written
	writeOctets = 8 << 20 // of text, in those that wait and those that are written
	writeEvery  = 250 * time.Millisecond
)

// writer is the one goroutine that writes results to the store.
type writer struct {
	st     *store.Store
	run    uint64
	policy judge.Policy
	in     chan store.Checked
	room   *semaphore.Weighted // for the text of results
	going  context.Context     // ends with loop
	err    error               // once going has ended
}

func newWriter(st *store.Store, run uint64, p judge.Policy) *writer {
	w := &writer{st: st, run: run, policy: p, in: make(chan store.Checked, writeQueue), room: semaphore.NewWeighted(writeOctets)}
	var ended context.CancelFunc
	w.going, ended = context.WithCancel(context.Background())
	go func() {
		defer ended()
		w.err = w.loop()
	}()
	return w
}

// octets is how much of a writer's room a result takes.
func octets(c *store.Checked) int64 { return int64(min(c.Result.Size(), writeOctets)) }

// loop commits batches of results until in is closed.
func (w *writer) loop() error {
	for first := range w.in {
		batch := w.batch(first)
		if err := w.st.Record(w.run, w.policy, batch); err != nil {
			return err
		}
		for i := range batch {
			w.room.Release(octets(&batch[i]))
		}
	}
	return nil
}

// batch waits for more results, until it is full or its time has passed.
func (w *writer) batch(first store.Checked) []store.Checked {
	batch, size, due := []store.Checked{first}, octets(&first), time.After(writeEvery)
	for len(batch) < writeBatch && size < writeOctets/2 {
		select {
		case c, ok := <-w.in:
			if !ok {
				return batch
			}
			batch, size = append(batch, c), size+octets(&c)
		case <-due:
			return batch
		}
	}
	return batch
}

// add hands over a result, when there is room for it. The error is that of an earlier
// write.
func (w *writer) add(c store.Checked) error {
	if w.room.Acquire(w.going, octets(&c)) != nil {
		return w.err
	}
	select {
	case w.in <- c:
		return nil
	case <-w.going.Done():
		return w.err
	}
}

// close writes what is left.
func (w *writer) close() error {
	close(w.in)
	<-w.going.Done()
	return w.err
}
