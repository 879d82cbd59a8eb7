package harvest

import (
	"context"
	"fmt"
	"slices"

	"linkcheck/check"
	"linkcheck/uri"
)

// run is one run of a harvest that asks for documents one by one.
type run struct {
	root   Root
	reader check.Reader
	Options
	ctx    context.Context
	known  Known
	yield  func(Item, error) bool
	health health
}

// tell yields an item.
func (r *run) tell(i Item) error {
	if !r.yield(i, nil) {
		return errEnded
	}
	return nil
}

// read asks for an address. The error is errEnded where the run has cost what it may.
func (r *run) read(address string, w check.Wanted, take func(*check.Answer) error) (check.Result, error) {
	u, err := uri.Parse(address)
	if err != nil {
		return check.InvalidResult(err), nil
	}
	if r.known.Enough() {
		return check.Result{}, errEnded
	}
	w.Secret = r.root.Secret
	return r.reader.Read(r.ctx, check.Target{URI: u}, w, take)
}

// note keeps a line for the report, once.
func (r *reading) note(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(r.notes, line) {
		r.notes = append(r.notes, line)
	}
}

// tellNotes tells them.
func (r *reading) tellNotes() error {
	for _, line := range r.notes {
		if err := r.tell(Item{Kind: Note, Note: line}); err != nil {
			return err
		}
	}
	r.notes = r.notes[:0]
	return nil
}
