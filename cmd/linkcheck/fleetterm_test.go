//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"linkcheck/store"
	"linkcheck/store/setfile"
)

// stopTime is what packaging/fleet gives a worker to end in.
const stopTime = 90 * time.Second

// A worker that is told to end in the midst of a night, alone with all shards, leaves copies that
// hold everything its logs do, before it is killed.
func TestFleetTerm(t *testing.T) {
	if testing.Short() {
		t.Skip("100,000 links")
	}
	const links, shards = 100_000, 16
	w := newFleetWorld(t, "5s")
	w.docs = filepath.Join(w.dir, "many")
	var text strings.Builder
	for i := range links {
		fmt.Fprintf(&text, "http://h%d.example.net/%d\n", i%(links/10), i)
	}
	conf := filepath.Join(w.dir, "nobody.toml")
	err := errors.Join(os.Mkdir(w.docs, 0o700), os.WriteFile(filepath.Join(w.docs, "a.txt"), []byte(text.String()), 0o600),
		os.WriteFile(conf, []byte("connect-to = [\"::127.0.0.1:9\"]\nallow-private = [\"127.0.0.0/8\"]\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "LINKCHECK_CONFIG="+conf)
	w.do(0, "fleet", "init", "--engine", w.url, "--shards", fmt.Sprint(shards))
	a := w.work("a")
	run := exec.CommandContext(t.Context(), "linkcheck", "run", "--engine", w.url, "--copies", w.copies, w.docs)
	run.Env = w.env
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	for s := w.status(); s.Done < links/100; s = w.status() {
		time.Sleep(100 * time.Millisecond)
	}
	if err := run.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait()
	for s := w.status(); s.Live < shards || s.Reads; s = w.status() { // it has the first shard again
		time.Sleep(100 * time.Millisecond)
	}
	begun, kill := time.Now(), time.AfterFunc(stopTime, func() { _ = a.Process.Kill() })
	if err := a.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.ends(a)
	kill.Stop()
	t.Logf("%d links in %d shards: ended after %s", links, shards, time.Since(begun).Round(time.Millisecond))
	w.wholeCopies(shards)
	st, err := store.Open(w.copies, &store.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if is, err := st.Stats(); err != nil || is.Links != links {
		t.Errorf("%d links, %v", is.Links, err)
	}
	if out, _ := w.do(0, "report", "--store", w.copies, "--summary"); !strings.Contains(out, "100,000 links") {
		t.Errorf("%s", out)
	}
}

// wholeCopies wants nothing in the logs that is in no copy.
func (w *fleetWorld) wholeCopies(shards int) {
	w.Helper()
	conn, err := nats.Connect(w.url)
	if err != nil {
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
	for n := range shards {
		list, err := setfile.Cursors(w.copies, n)
		if err != nil || len(list) == 0 {
			w.Fatalf("shard %d: %v, %v", n, list, err)
		}
		for _, kind := range []string{"in", "log"} {
			switch m, err := s.GetLastMsgForSubject(w.Context(), fmt.Sprintf("lc.links.%s.%03d", kind, n)); {
			case errors.Is(err, jetstream.ErrMsgNotFound):
			case err != nil:
				w.Error(err)
			case m.Sequence > list[0]:
				w.Errorf("shard %d: its log goes up to %d, and its copy to %d", n, m.Sequence, list[0])
			}
		}
	}
}
