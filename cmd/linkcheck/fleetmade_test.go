//go:build unix

package main

import (
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"linkcheck/internal/exit"
)

// sameAs wants two stores to know the same.
func (w *fleetWorld) sameAs(path, other string) {
	w.Helper()
	got, want := w.canonOf(path), w.canonOf(other)
	if !slices.Equal(got, want) || len(want) < 50 {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				w.Errorf("%s and %s differ in line %d:\n%.1500s\n%.1500s", path, other, i, got[i], want[i])
				return
			}
		}
		w.Errorf("%s has %d lines, and %s %d", path, len(got), other, len(want))
	}
}

// A store becomes that of a fleet, whose next night is that of the store; the fleet is made
// again with another number of shards, and of its copies where the log is lost.
func TestFleetOfStore(t *testing.T) {
	w := newFleetWorld(t, "20ms")
	one := filepath.Join(w.dir, "one.db")
	w.do(0, "run", "--store", one, "--now", "2026-11-14T02:00:00Z", w.docs)
	w.do(0, "fleet", "init", "--engine", w.url, "--session", "3s", "--shards", "4", "--from", one, "--copies", w.copies)
	w.sameAs(w.copies, one)
	nights := func(name, now string) {
		t.Helper()
		a := w.work(name)
		for len(w.status().Workers) == 0 {
			time.Sleep(100 * time.Millisecond)
		}
		if _, told := w.do(exit.BadUsage, "fleet", "upgrade", "--engine", w.url, "--from", w.copies, "--copies", filepath.Join(w.dir, "early")); !strings.Contains(told, "there is a set already") {
			t.Errorf("%s", told)
		}
		w.night(now)
		w.do(0, "run", "--store", one, "--now", now, w.docs)
		if err := a.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		w.ends(a)
		w.sameAs(w.copies, one)
	}
	nights("a", "2026-11-22T02:00:00Z")

	more := filepath.Join(w.dir, "more")
	w.do(0, "fleet", "upgrade", "--engine", w.url, "--session", "3s", "--shards", "6", "--from", w.copies, "--copies", more)
	w.sameAs(more, one)
	if _, told := w.do(exit.BadUsage, "fleet", "work", "--engine", w.url, "--copies", w.copies, "--name", "a"); !strings.Contains(told, "those of another set") {
		t.Errorf("%s", told)
	}
	w.copies = more
	nights("a", "2026-11-30T02:00:00Z") // with the files that it had as a worker of the set before

	again := filepath.Join(w.dir, "again")
	w.do(0, "fleet", "rebase", "--engine", w.url, "--session", "3s", "--from", more, "--copies", again)
	w.copies = again
	a := w.work("a")
	if _, told := w.do(0, "run", "--engine", w.url, "--copies", again, "--now", "2026-12-08T02:00:00Z", w.docs); !strings.Contains(told, " 0 unchanged") {
		t.Errorf("not all documents are read again: %s", told)
	}
	if err := a.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.ends(a)
	w.do(0, "store", "verify", "--store", again)
	for _, refused := range [][2]string{
		{"--from is missing", "fleet rebase"},
		{"is no folder of copies", "fleet rebase --from " + one},
		{"is not empty", "fleet upgrade --from " + again + " --copies " + more},
		{"come together", "fleet init --from " + one},
	} {
		if _, told := w.do(exit.BadUsage, append(strings.Fields(refused[1]), "--engine", w.url)...); !strings.Contains(told, refused[0]) {
			t.Errorf("%s: %s", refused[1], told)
		}
	}
}
