package fleet_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"linkcheck/judge"
	"linkcheck/store"
)

// canonLinks gives what stores know of their links, a line each, in the order of keys over all.
func canonLinks(tb testing.TB, stores ...*store.Store) (lines []string) {
	tb.Helper()
	for _, s := range stores {
		var b bytes.Buffer
		if err := s.Canon(context.Background(), &b); err != nil {
			tb.Fatal(err)
		}
		for sc := bufio.NewScanner(&b); sc.Scan(); {
			if strings.HasPrefix(sc.Text(), `{"link":`) {
				lines = append(lines, sc.Text())
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// oneStore is the store in which the same night was made without a fleet.
func oneStore(tb testing.TB, list []store.Mention) *store.Store {
	tb.Helper()
	s := open(tb, filepath.Join(tb.TempDir(), "one.db"))
	load(tb, s, list)
	var all []store.Checked
	for l, err := range s.Due(epoch, store.Filter{}) {
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, store.Checked{ID: l.ID, Result: answer(l.URL)})
	}
	if err := s.Record(1, judge.Policy{}, all); err != nil {
		tb.Fatal(err)
	}
	return s
}

// newest opens the newest copy of each shard in a folder.
func newest(tb testing.TB, dir string) (stores []*store.Store) {
	tb.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	best := map[string]*store.Store{}
	for _, e := range entries {
		shard, _, _ := strings.Cut(e.Name(), "@")
		if strings.HasPrefix(shard, ".") { // in the making, by who was killed
			continue
		}
		s := open(tb, filepath.Join(dir, e.Name()))
		if best[shard] == nil || s.Cursor() > best[shard].Cursor() {
			best[shard] = s
		}
	}
	for _, s := range best {
		stores = append(stores, s)
	}
	return stores
}

func open(tb testing.TB, path string) *store.Store {
	tb.Helper()
	s, err := store.Open(path, &store.Options{Now: frozen})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

// mustBeSame fails where lines are not the same, and shows the first that differ.
func mustBeSame(tb testing.TB, got, want []string) {
	tb.Helper()
	differ := max(len(got), len(want)) - min(len(got), len(want))
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			if differ++; differ < 3 {
				tb.Logf("\n%s\n%s", got[i], want[i])
			}
		}
	}
	if differ > 0 || len(want) == 0 {
		tb.Errorf("%d of %d lines differ, %d are wanted", differ, len(got), len(want))
	}
}
