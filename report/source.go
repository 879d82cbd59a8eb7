package report

import (
	"fmt"
	"iter"

	"linkcheck/store"
	"linkcheck/uri"
)

// Source is what a report needs of a store.
type Source interface {
	// Scan yields the picked links, oldest first, and ends after its first error.
	Scan(pick store.Pick) iter.Seq2[store.Entry, error]
	// Sets gives the sets of links that are the same at a level of the ladder, by
	// number, two or more a set from level Registry upwards; at level Scheme each
	// link that is spelled in more than one way. The order is fixed.
	Sets(level uri.Level) ([][]uint64, error)
	// Runs gives all runs, oldest first.
	Runs() iter.Seq2[store.Run, error]
	// NotRead counts the documents in formats that nothing reads.
	NotRead() ([]store.Kind, error)
}

// prepare reads the runs and makes options ready.
func prepare(src Source, o Options) (*scope, []store.Run, error) {
	var runs []store.Run
	for r, err := range src.Runs() {
		if err != nil {
			return nil, nil, fmt.Errorf("report: read runs: %w", err)
		}
		runs = append(runs, r)
	}
	s, err := newScope(o, runs)
	return s, runs, err
}

// aheadItems is how many items are read while as many are worked on.
const aheadItems = 256

// part is some items of a sequence, and what ended it.
type part[T any] struct {
	items []T
	err   error
}

// ahead reads a sequence in a goroutine of its own, in order. The goroutine has
// ended when the loop over the result has.
func ahead[T any](seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		full, empty, stop := make(chan part[T], 1), make(chan []T, 3), make(chan struct{})
		for range cap(empty) {
			empty <- make([]T, 0, aheadItems)
		}
		go func() {
			defer close(full)
			fillParts(seq, full, empty, stop)
		}()
		defer func() {
			close(stop)
			for range full {
			}
		}()
		for p := range full {
			for _, item := range p.items {
				if !yield(item, nil) {
					return
				}
			}
			if p.err != nil {
				var none T
				yield(none, p.err)
				return
			}
			clear(p.items)
			empty <- p.items[:0]
		}
	}
}

// fillParts cuts a sequence into parts until its end or stop.
func fillParts[T any](seq iter.Seq2[T, error], full chan<- part[T], empty <-chan []T, stop <-chan struct{}) {
	p := part[T]{items: <-empty}
	send := func() bool {
		select {
		case full <- p:
			select {
			case p.items = <-empty:
				return true
			case <-stop:
			}
		case <-stop:
		}
		return false
	}
	for item, err := range seq {
		if p.err = err; err == nil {
			p.items = append(p.items, item)
		}
		if (err != nil || len(p.items) == aheadItems) && !send() {
			return
		}
	}
	send()
}
