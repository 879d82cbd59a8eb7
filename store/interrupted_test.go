package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"linkcheck/judge"
)

// countdown is a context that ends when it was looked at so many times.
type countdown struct {
	context.Context
	mu          sync.Mutex
	left, after int // looks until its end; looks since
}

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left >= 0 {
		return nil
	}
	c.after++
	return context.Canceled
}

// The opening of a store, which looks at its context before each page, ends with it
// wherever it is: in the pages, in the rows, in what a crash left. It is as it was then, and
// the next opening finds it so.
func TestInterruptedOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var urls []string
	for i := range 4000 {
		urls = append(urls, fmt.Sprintf("http://h%d.example/%d", i%50, i))
	}
	read(t, s, "a.txt", s.now(), urls...)
	var results []Checked
	for i := range urls {
		results = append(results, Checked{ID: uint64(i + 1), Result: r404})
		results[i].Result.At = s.now()
	}
	run, err := s.StartRun(Run{Started: s.now()})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Record(run, judge.Policy{}, results); err != nil {
		t.Fatal(err)
	}
	if err := s.file.Close(); err != nil { // as after a crash: the results are pending
		t.Fatal(err)
	}

	ended := 0
	for looks := 0; ; looks += 1 + looks/8 {
		ctx := &countdown{Context: t.Context(), left: looks}
		s, err := Open(path, &Options{Context: ctx})
		if err == nil {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			break
		}
		ended++
		if !errors.Is(err, context.Canceled) || ctx.after > 20 {
			t.Fatalf("after %d looks: %v, and %d looks more", looks, err, ctx.after)
		}
	}
	if ended < 20 {
		t.Errorf("it was ended in %d places", ended)
	}
	s, err = Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustVerify(t, s)
	if tally, err := s.Tally(run); err != nil || tally.Outcomes[r404.Outcome.String()] != len(urls) {
		t.Errorf("%v, %v", tally.Outcomes, err)
	}
}
