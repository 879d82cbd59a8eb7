package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"

	"linkcheck/memento"
	"linkcheck/report"
	"linkcheck/store"
)

// archive asks a web archive for copies of dead and moved links, and keeps its answers
// in a file beside the store.
func (a *app) archive(ctx context.Context, st *store.Store, storePath, timegate string, now time.Time) (report.Archive, error) {
	file := storePath + ".copies"
	copies, err := readCopies(file)
	if err != nil {
		return nil, usage("%s: %w", file, err)
	}
	m := memento.Client{URL: timegate, UserAgent: "linkcheck/" + version, Doer: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	err = m.Ask(ctx, st, copies, now)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		fmt.Fprintf(a.stderr, "linkcheck: %s: %s; what is known already is used\n", timegate, err)
	}
	if err := a.toFileQuietly(file, copies.Write); err != nil {
		return nil, err
	}
	return copies, nil
}

func readCopies(file string) (*memento.Copies, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return memento.ReadCopies(strings.NewReader(""))
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return memento.ReadCopies(f)
}
