//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"linkcheck/fleet/engine"
	"linkcheck/internal/exit"
	"linkcheck/store"
	"linkcheck/store/setfile"
	"linkcheck/uri/equal"
)

// nightOf makes a night by a worker, which ends then.
func (w *fleetWorld) nightOf(name, now string) (told string) {
	w.Helper()
	a := w.work(name)
	_, told = w.do(0, "run", "--engine", w.url, "--copies", w.copies, "--now", now, w.docs)
	if err := a.Process.Signal(syscall.SIGTERM); err != nil {
		w.Fatal(err)
	}
	w.ends(a)
	return told
}

// An engine that has lost all it had is another one without a set, which nobody takes for the old
// one. From the copies the set is made again; where the last copy of a shard is lost too the one
// before it counts, and not what the workers have of it. Then no link is missing, and all documents
// are read again.
func TestFleetLost(t *testing.T) {
	w := newFleetWorld(t, "20ms")
	one := filepath.Join(w.dir, "one.db")
	e, err := engine.Start("127.0.0.1", 0, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w.url = e.URL()
	w.do(0, "fleet", "init", "--engine", w.url, "--shards", "4", "--session", "3s")
	for _, now := range []string{"2026-11-14T02:00:00Z", "2026-11-22T02:00:00Z"} {
		w.nightOf("a", now)
		w.do(0, "run", "--store", one, "--now", now, w.docs)
	}
	w.sameAs(w.copies, one)
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	if e, err = engine.Start("127.0.0.1", 0, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	w.url = e.URL()
	t.Cleanup(func() { _ = e.Stop() })
	for _, verb := range [][]string{{"run", w.docs}, {"fleet", "work", "--name", "a", "--dir", filepath.Join(w.dir, "a")}} {
		if _, told := w.do(exit.BadUsage, append(verb, "--engine", w.url, "--copies", w.copies)...); !strings.Contains(told, "no set is found") {
			t.Errorf("%q: %s", verb, told)
		}
	}
	w.do(0, "fleet", "init", "--engine", w.url, "--set", "wrong", "--shards", "4", "--session", "3s")
	if _, told := w.do(exit.BadUsage, "fleet", "work", "--name", "a", "--engine", w.url, "--copies", w.copies); !strings.Contains(told, "those of another set") {
		t.Errorf("%s", told)
	}

	again := filepath.Join(w.dir, "again")
	w.do(0, "fleet", "rebase", "--engine", w.url, "--session", "3s", "--from", w.copies, "--copies", again)
	if got, want := w.canonLinksOf(again), w.canonLinksOf(one); !slices.Equal(got, want) || len(want) < 50 {
		t.Errorf("%d links, and one store has %d, or they differ", len(got), len(want))
	}
	older := 0
	for n := range 4 {
		if list, err := setfile.Cursors(w.copies, n); err != nil || len(list) == 0 {
			t.Fatal(list, err)
		} else if len(list) > 1 {
			older++
			if err := os.Remove(setfile.Copy(w.copies, n, list[0])); err != nil {
				t.Fatal(err)
			}
		}
	}
	if older == 0 {
		t.Fatal("no shard has an older copy")
	}
	old := filepath.Join(w.dir, "old")
	w.do(0, "fleet", "rebase", "--engine", w.url, "--session", "3s", "--set", "old", "--from", w.copies, "--copies", old)
	w.copies = old
	w.env = append(w.env, "LINKCHECK_SET=old")
	if told := w.nightOf("a", "2026-11-30T02:00:00Z"); !strings.Contains(told, " 0 unchanged") {
		t.Errorf("not all documents are read again: %s", told)
	}
	w.do(0, "run", "--store", one, "--now", "2026-11-30T02:00:00Z", w.docs)
	w.do(0, "store", "verify", "--store", old)
	if got, want := w.linksOf(old), w.linksOf(one); got != want || want == 0 {
		t.Errorf("%d links, and one store has %d", got, want)
	}
}

// canonLinksOf is what is known of links: documents that are to be read again are another thing.
func (w *fleetWorld) canonLinksOf(path string) []string {
	w.Helper()
	return slices.DeleteFunc(w.canonOf(path), func(line string) bool { return !strings.HasPrefix(line, `{"link":`) })
}

func (w *fleetWorld) linksOf(path string) int {
	w.Helper()
	st, err := store.Open(path, &store.Options{ReadOnly: true})
	if err != nil {
		w.Fatal(err)
	}
	defer st.Close()
	is, err := st.Stats()
	if err != nil {
		w.Fatal(err)
	}
	return is.Links
}

// A set of older rules is made again by those of this program, if its copies hold all that its log
// does; else it is left as it is.
func TestFleetUpgrade(t *testing.T) {
	w := newFleetWorld(t, "20ms")
	one := filepath.Join(w.dir, "one.db")
	w.do(0, "fleet", "init", "--engine", w.url, "--shards", "4", "--session", "3s")
	w.nightOf("a", "2026-11-14T02:00:00Z")
	w.do(0, "run", "--store", one, "--now", "2026-11-14T02:00:00Z", w.docs)
	w.makeOlder()
	more := filepath.Join(w.dir, "more")
	upgrade := []string{"fleet", "upgrade", "--engine", w.url, "--session", "3s", "--from", w.copies, "--copies", more}
	if _, told := w.do(exit.BadUsage, "fleet", "work", "--engine", w.url, "--copies", w.copies, "--name", "a"); !strings.Contains(told, "'linkcheck fleet upgrade'") {
		t.Errorf("%s", told)
	}

	list, err := setfile.Cursors(w.copies, 2)
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	last, kept := setfile.Copy(w.copies, 2, list[0]), filepath.Join(w.dir, "kept")
	if err := os.Rename(last, kept); err != nil {
		t.Fatal(err)
	}
	if len(list) == 1 {
		if err := os.Link(kept, setfile.Copy(w.copies, 2, list[0]-1)); err != nil {
			t.Fatal(err)
		}
	}
	if _, told := w.do(exit.BadUsage, upgrade...); !strings.Contains(told, "its log has what is in no copy of shard 002") {
		t.Errorf("%s", told)
	}
	if err := os.Rename(kept, last); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(more); err != nil { // it was left empty
		t.Error(err)
	}
	w.do(0, upgrade...)
	w.copies = more
	w.sameAs(more, one)
	w.nightOf("a", "2026-11-22T02:00:00Z")
	w.do(0, "run", "--store", one, "--now", "2026-11-22T02:00:00Z", w.docs)
	w.sameAs(more, one)
}

// makeOlder has the set and the folder of its copies say that links were placed by the rules of the
// edition before. What keys of older rules become is for the tests of store.
func (w *fleetWorld) makeOlder() {
	w.Helper()
	of, err := setfile.Read(w.Context(), w.copies)
	if err != nil {
		w.Fatal(err)
	}
	of.Edition = equal.Edition - 1
	err = of.Write(w.copies)
	conn, cerr := nats.Connect(w.url)
	if err = errors.Join(err, cerr); err != nil {
		w.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		w.Fatal(err)
	}
	s, err := js.Stream(w.Context(), "LC_LINKS_LOG")
	if err != nil {
		w.Fatal(err)
	}
	c := s.CachedInfo().Config
	of.Copies = false
	said, err := json.Marshal(of)
	c.Metadata["linkcheck"] = string(said)
	if _, uerr := js.UpdateStream(w.Context(), c); uerr != nil || err != nil {
		w.Fatal(err, uerr)
	}
}
