//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"linkcheck/fleet"
	"linkcheck/internal/exit"
	"linkcheck/store/setfile"
	"linkcheck/uri/equal"
)

// Who has other flags than the night makes none of it: a run refuses such workers, and such a
// worker ends where it would have to go on with a night. Both name the flags.
func TestFleetFlags(t *testing.T) {
	w := newFleetWorld(t, "300ms")
	w.do(0, "fleet", "init", "--engine", w.url, "--shards", "4", "--session", "3s")
	a := w.work("a")
	for len(w.status().Workers) == 0 {
		time.Sleep(100 * time.Millisecond)
	}
	if _, told := w.do(exit.BadUsage, "run", "--engine", w.url, "--copies", w.copies, "--timeout", "3s", "--max-redirects", "3", w.docs); !strings.Contains(told, "worker a and the night differ in --max-redirects, --timeout") {
		t.Errorf("%s", told)
	}
	run := exec.CommandContext(t.Context(), "linkcheck", "run", "--engine", w.url, "--copies", w.copies, "--workers", "7", w.docs)
	var told bytes.Buffer
	run.Stderr, run.Env = &told, w.env
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	<-a.answered
	_ = a.Process.Kill()
	_ = a.Wait()
	if _, told := w.do(exit.BadUsage, "fleet", "work", "--engine", w.url, "--copies", w.copies, "--name", "b", "--timeout", "1s"); !strings.Contains(told, "worker b and the night differ in --timeout") {
		t.Errorf("%s", told)
	}
	c := w.work("c")
	if err := run.Wait(); err != nil {
		t.Errorf("%v: %s", err, &told)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.ends(c)
	if out, _ := w.do(0, "report", "--store", w.copies, "--summary"); !strings.Contains(out, "72 checked") {
		t.Errorf("%s", out)
	}
}

// What is marked in a fleet is marked as in a store, of links of all shards and of hosts.
func TestFleetMarks(t *testing.T) {
	w := newFleetWorld(t, "20ms")
	one := filepath.Join(w.dir, "one.db")
	w.do(0, "fleet", "init", "--engine", w.url, "--shards", "4", "--session", "3s")
	a := w.work("a")
	w.night("2026-11-14T02:00:00Z")
	w.do(0, "run", "--store", one, "--now", "2026-11-14T02:00:00Z", w.docs)

	var hosts, prefixes []string
	rows, _ := w.do(0, "extract", "--jsonl", w.docs)
	for line := range strings.Lines(rows) {
		var row struct{ URI string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if rest, ok := strings.CutPrefix(row.URI, "http://"); ok {
			if host, _, _ := strings.Cut(rest, "/"); !slices.Contains(hosts, host) && !strings.Contains(host, ":") {
				hosts, prefixes = append(hosts, host), append(prefixes, "http://"+host+"/")
			}
		}
	}
	if len(hosts) < 6 {
		t.Fatalf("%q", hosts)
	}
	mark := func(args ...string) {
		t.Helper()
		args = append([]string{"mark", "--by", "me", "--now", "2026-11-15T02:00:00Z"}, args...)
		w.do(0, append(args, "--store", one)...)
		w.do(0, append(args, "--engine", w.url, "--copies", w.copies)...)
	}
	for i, host := range hosts {
		if i%2 == 0 {
			mark(host, "ignore", "--why", "a host")
		} else {
			mark("--prefix", prefixes[i], "dead", "--why", "a folder")
		}
	}
	want, _ := w.do(0, "mark", "--store", one, "--list")
	got := ""
	for end := time.Now().Add(time.Minute); got != want && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		got, _ = w.do(0, "mark", "--engine", w.url, "--copies", w.copies, "--list")
	}
	if got != want || strings.Count(want, "\n") < 7 {
		t.Errorf("the fleet has\n%s\nand the store\n%s", got, want)
	}
	mark(hosts[0], "--remove")
	if _, told := w.do(exit.BadUsage, "mark", "--engine", w.url, "--copies", w.copies, "http://nowhere.invalid/", "dead", "--why", "x"); !strings.Contains(told, "not in the store") {
		t.Errorf("%s", told)
	}
	w.night("2026-11-22T02:00:00Z")
	w.do(0, "run", "--store", one, "--now", "2026-11-22T02:00:00Z", w.docs)
	if err := a.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.ends(a)
	w.sameAs(w.copies, one)
	wantLog, _ := w.do(0, "log", "--store", one)
	gotLog, _ := w.do(0, "log", "--store", w.copies)
	if want, got := strings.Count(wantLog, "\n"), strings.Count(gotLog, "\n"); got != want || want < len(hosts) {
		t.Errorf("the log of the fleet has %d lines:\n%s\nand that of the store %d:\n%s", got, gotLog, want, wantLog)
	}
}

// A set of other rules, of a later program or of an earlier one is refused by every verb, and
// left as it is.
func TestFleetOtherSet(t *testing.T) {
	w := newFleetWorld(t, "20ms")
	w.do(0, "fleet", "init", "--engine", w.url, "--shards", "4", "--session", "3s")
	conn, err := nats.Connect(w.url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "LC_LINKS_LOG")
	if err != nil {
		t.Fatal(err)
	}
	c := s.CachedInfo().Config
	for _, v := range []struct {
		change func(*setfile.Set)
		told   string
	}{
		{func(is *setfile.Set) { is.Edition = equal.Edition - 1 }, "'linkcheck fleet upgrade'"},
		{func(is *setfile.Set) { is.Edition = equal.Edition + 1 }, "this program has"},
		{func(is *setfile.Set) { is.Schema = "linkcheck.set.v2" }, "linkcheck.set.v2"},
	} {
		is := setfile.NewFleet(4, equal.Edition)
		v.change(is)
		said, err := json.Marshal(is)
		if err != nil {
			t.Fatal(err)
		}
		c.Metadata["linkcheck"] = string(said)
		if s, err = js.UpdateStream(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		before := s.CachedInfo().State.LastSeq
		for _, verb := range [][]string{
			{"fleet", "status"}, {"fleet", "work", "--copies", w.copies, "--name", "a"}, {"fleet", "drain", "a"}, {"run", "--copies", w.copies, w.docs},
			{"mark", "--copies", w.copies, "a.test", "ignore", "--why", "x"},
		} {
			if _, told := w.do(exit.BadUsage, append(verb, "--engine", w.url)...); !strings.Contains(told, v.told) || !strings.Contains(told, fleet.ErrOtherSet.Error()) {
				t.Errorf("%q: %s", verb, told)
			}
		}
		if s, err = js.Stream(t.Context(), "LC_LINKS_LOG"); err != nil || s.CachedInfo().State.LastSeq != before || s.CachedInfo().Config.Metadata["linkcheck"] != string(said) {
			t.Errorf("the set was changed: %+v, %v", s, err)
		}
	}
}
