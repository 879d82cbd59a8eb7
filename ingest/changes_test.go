package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/harvest"
	"linkcheck/judge"
	"linkcheck/store"
)

// What readings of folders and of roots make of a store follows from the changes that they
// emit, with what is asked between them: another store to which the same changes are given
// knows the same, and so does one that is given each of them twice.
func TestReadingsEmitChanges(t *testing.T) {
	l, a, w := newLibrary(t), newArchive(t), newWorld(3)
	once, twice, changes := openStore(t), openStore(t), uint64(0)
	st, err := store.Open(filepath.Join(t.TempDir(), "logged.db"), &store.Options{Emit: func(c store.Change) error {
		changes++
		return errors.Join(l.st.Apply(changes, c), once.Apply(changes, c), twice.Apply(changes, c), twice.Apply(changes, c))
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	l.st, a.st = st, st
	for night := range 25 {
		for n := range 4 {
			if n != night%5 {
				l.write(fmt.Sprintf("%d.txt", n), fmt.Sprintf("http://l%d.example.org/", night%3), "HTTP://l1.example.org:80/", fmt.Sprintf("http://l%d.example.org/", n+night/4))
			} else if night > 0 {
				l.remove(fmt.Sprintf("%d.txt", n))
			}
		}
		l.now = a.now
		l.opts.Now = func() time.Time { return l.now }
		if _, err := Read(t.Context(), st, []string{l.dir}, l.opts); err != nil && !errors.Is(err, ErrUnreadable) {
			t.Fatal(err)
		}
		if w.night(); night == 12 {
			a.root.Name = "Another"
		}
		var told []harvest.Item
		at := a.now
		_, _ = a.read(w.harvester(&told))
		ask(t, st, at)
	}
	var want, got, again bytes.Buffer
	if err := errors.Join(st.Canon(t.Context(), &want), once.Canon(t.Context(), &got), twice.Canon(t.Context(), &again)); err != nil {
		t.Fatal(err)
	}
	if changes < 150 || !bytes.Equal(got.Bytes(), want.Bytes()) || !bytes.Equal(again.Bytes(), want.Bytes()) {
		t.Errorf("%d changes give\n%.2000s\n... and twice\n%.2000s\n... want\n%.2000s", changes, &got, &again, &want)
	}
}

// ask makes a run that finds a third of the links gone.
func ask(t *testing.T, st *store.Store, now time.Time) {
	t.Helper()
	run, err := st.StartRun(store.Run{Started: now})
	if err != nil {
		t.Fatal(err)
	}
	var batch []store.Checked
	for due, err := range st.Due(now, store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		r := check.New(check.OK, "http-200", "")
		if due.ID%3 == 0 {
			r = check.New(check.Gone, "http-410", "")
		}
		r.At = now
		batch = append(batch, store.Checked{ID: due.ID, Result: r})
	}
	for part := range slices.Chunk(batch, 20) {
		if err := st.Record(run, judge.Policy{Splay: 0.2}, part); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.EndRun(store.Run{ID: run, Started: now, Ended: now.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
}
