package boltfile

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
)

// tableWalk is a bucket that a walk over the pages meets.
type tableWalk struct {
	name   []byte
	totals // of its rows
	sound  int
	faulty []string
	held   map[string]totals // of the bucket of sums
}

// row counts a row.
func (t *tableWalk) row(w *pageWalk, k, v []byte) {
	t.rows++
	if bytes.Equal(t.name, BucketMeta) {
		t.sum += digest(k, v)
		t.give(w, k, v)
		return
	}
	value, sum, ok := unseal(k, v)
	t.sum += sum
	if bytes.Equal(t.name, bucketSums) && ok {
		var held totals
		if held, ok = decodeTotals(value); ok {
			if t.held == nil {
				t.held = map[string]totals{}
			}
			t.held[string(k)] = held
		}
	}
	if ok {
		t.give(w, k, value)
	}
	if !ok && len(t.faulty) < maxProblems { // in a file that is not sealed none is ok
		t.faulty = append(t.faulty, damaged{t.name, k}.String())
	}
}

// give gives a sound row to who wants it.
func (t *tableWalk) give(w *pageWalk, k, v []byte) {
	if t.sound++; w.keep != nil && w.failed == nil {
		w.failed = w.keep(string(t.name), k, v)
	}
}

// sums compares what the walk met with the sums of a sealed file.
func (w *pageWalk) sums() {
	sums := w.tables[string(bucketSums)]
	if sums == nil || w.ctx.Err() != nil {
		return
	}
	add := func(format string, args ...any) {
		if len(w.problems) < maxProblems {
			w.problems = append(w.problems, fmt.Sprintf(format, args...))
		}
	}
	if sums.counter != 0 {
		add("the sums have a counter")
	}
	for _, name := range slices.Sorted(maps.Keys(w.tables)) {
		t := w.tables[name]
		for _, fault := range t.faulty {
			add("%s", fault)
		}
		if t == sums {
			continue
		}
		held, ok := sums.held[name]
		delete(sums.held, name)
		switch {
		case !ok:
			add("the sums do not know %q", name)
		case held.rows != t.rows:
			add("%q has %d rows, and %d were written", name, t.rows, held.rows)
		case held.counter != t.counter:
			add("the counter of %q is %d, and %d was written", name, t.counter, held.counter)
		case held.sum != t.sum && len(t.faulty) == 0:
			add("the rows of %q are not those that were written", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sums.held)) {
		add("%q is missing", name)
	}
}
