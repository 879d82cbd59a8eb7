package crawl

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"linkcheck/internal/fault"
	"linkcheck/judge"
	"linkcheck/store"
)

const (
	writeBatch  = 5000    // results in a transaction, at most
	writeQueue  = 2000    // results that may wait while one is written
	writeOctets = 8 << 20 // of text, in those that wait and those that are written
	writeEvery  = 250 * time.Millisecond
)

// arrived is a result, and when it came.
type arrived struct {
	store.Checked
	at time.Time
}

// writer is the one goroutine that writes results to the store.
type writer struct {
	record func([]store.Checked) error // commits them
	now    func() time.Time
	after  func(time.Duration) <-chan time.Time
	in     chan *arrived       // as small as what is there: a worker has a writer for each shard
	room   *semaphore.Weighted // for the text of results
	going  context.Context     // ends with loop
	err    error               // once going has ended
}

func newWriter(st *store.Store, run uint64, p judge.Policy) *writer {
	w := &writer{now: time.Now, after: time.After}
	w.record = func(batch []store.Checked) error { return st.Record(run, p, batch) }
	w.start()
	return w
}

func (w *writer) start() {
	w.in, w.room = make(chan *arrived, writeQueue), semaphore.NewWeighted(writeOctets)
	var ended context.CancelFunc
	w.going, ended = context.WithCancel(context.Background())
	go func() {
		defer ended()
		defer fault.Catch(&w.err)
		w.err = w.loop()
	}()
}

// octets is how much of a writer's room a result takes.
func octets(c *store.Checked) int64 { return int64(min(c.Result.Size(), writeOctets)) }

// loop commits batches of results until in is closed.
func (w *writer) loop() error {
	var batch []store.Checked
	for first := range w.in {
		batch = w.batch(batch, first)
		if err := w.record(batch); err != nil {
			return err
		}
		for i := range batch {
			w.room.Release(octets(&batch[i]))
		}
		clear(batch)
		batch = batch[:0]
	}
	return nil
}

// batch adds to an empty batch the first result and more, until it is full or the first one has waited writeEvery. One
// that has waited so long while others were written takes along only what is there.
func (w *writer) batch(batch []store.Checked, first *arrived) []store.Checked {
	batch, size := append(batch, first.Checked), octets(&first.Checked)
	due, waited := w.after(writeEvery-w.now().Sub(first.at)), false
	for len(batch) < writeBatch && size < writeOctets/2 {
		if waited && len(w.in) == 0 {
			return batch
		}
		select {
		case c, ok := <-w.in:
			if !ok {
				return batch
			}
			batch, size = append(batch, c.Checked), size+octets(&c.Checked)
		case <-due:
			waited = true
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
	case w.in <- &arrived{c, w.now()}:
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
