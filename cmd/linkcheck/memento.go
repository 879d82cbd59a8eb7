package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"linkcheck/check/netguard"
	"linkcheck/internal/escape"
	"linkcheck/internal/newfile"
	"linkcheck/memento"
	"linkcheck/report"
	"linkcheck/store"
)

// archive asks a web archive for copies of dead and moved links, and keeps its answers
// in a file beside the store.
func (a *app) archive(ctx context.Context, st *store.Store, guard *netguard.Guard, r *reportFlags) (report.Archive, error) {
	file := r.store + ".copies"
	copies, err := readCopies(ctx, file)
	if err != nil {
		return nil, usage("%s: %w", file, err)
	}
	m := memento.Client{URL: r.memento, UserAgent: "linkcheck/" + version, Doer: memento.NewDoer(guard)}
	err = m.Ask(ctx, st, copies, r.o.Now)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		escape.Printf(a.stderr, "linkcheck: %s: %s; what is known already is used\n", r.memento, err)
	}
	if err := replaceFile(ctx, file, newfile.Private, copies.Write); err != nil {
		return nil, err
	}
	return copies, nil
}

// readCopies reads the answers of earlier reports; without a file there are none.
func readCopies(ctx context.Context, file string) (*memento.Copies, error) {
	data, err := readFile(ctx, file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return memento.ReadCopies(bytes.NewReader(data))
}
