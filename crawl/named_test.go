package crawl

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/extract"
	"linkcheck/store"
)

// Links that name a message are answered by the sources themselves, of whatever
// night; without the message they are asked about as ever (RFC 2392, RFC 5538).
func TestNamedInTheArchive(t *testing.T) {
	l := newLibrary(t)
	var mu sync.Mutex
	var asked []string
	prober := check.ProbeFunc(func(_ context.Context, t check.Target) check.Result {
		mu.Lock()
		asked = append(asked, t.URI.String())
		mu.Unlock()
		return check.New(check.NotDereferenceable, "names-only", "")
	})
	night := func(want string, state store.State, questions int) {
		t.Helper()
		l.read(nil)
		asked = nil
		if _, err := Check(t.Context(), l.st, CheckOptions{Prober: prober, HostDelay: -1, RetryDelay: -1, Version: "v", Now: func() time.Time { return l.now }}); err != nil {
			t.Fatal(err)
		}
		got := stateOf(t, l.st, "news:1@a.test")
		if string(got.Last.Reason) != want || got.State != state || len(asked) != questions {
			t.Errorf("%v: %v (%s %q), asked %q", l.now, got.State, got.Last.Reason, got.Last.Reply, asked)
		}
	}
	box := filepath.Join(l.dir, "b/list.mbox")
	l.write("a/a.txt", "news:1@a.test", "mid:2@a.test")
	l.write("b/other.txt", "http://h.test/")
	night("names-only", store.NotCheckable, 3)
	night("names-only", store.NotCheckable, 0) // nothing is due

	message := "From a@b Sat Jan  3 01:05:34 1996\nSubject: x\nMessage-ID: <1@a.test>\n\ntext\n"
	if err := os.WriteFile(box, []byte(message), 0o644); err != nil {
		t.Fatal(err)
	}
	night("in-archive", store.Alive, 1) // mid:2 is asked about again
	if got := stateOf(t, l.st, "news:1@a.test").Last.Reply; got != box+":2" {
		t.Errorf("it stands at %q", got)
	}
	if problems, err := l.st.Verify(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("the store: %v %v", problems, err)
	}
	l.now = l.now.Add(10 * 24 * time.Hour)
	night("in-archive", store.Alive, 0) // from a box that was not read again

	if err := os.Remove(box); err != nil {
		t.Fatal(err)
	}
	l.now = l.now.Add(60 * 24 * time.Hour)
	night("names-only", store.NotCheckable, 1)
}

func TestReadNames(t *testing.T) {
	dir := t.TempDir()
	for name, id := range map[string]string{"box/cur/1": "1@a", "box/cur/2": "2@a", "x.txt": ""} {
		write(t, filepath.Join(dir, name), "From: a@b\nSubject: x\nMessage-ID: <"+id+">\n\n<news:2@a>\n")
	}
	n := ReadNames(t.Context(), []string{dir}, extract.Options{})
	for ref, want := range map[string]string{"mid:1@a": filepath.Join(dir, "box/cur/1") + ":1", "mid:2%40a": filepath.Join(dir, "box/cur/2") + ":1", "news:3@a": ""} {
		if got := n.Place(extract.NameOf(ref)); got != want {
			t.Errorf("%s stands at %q, want %q", ref, got, want)
		}
	}
}

// What comes through a pipe comes once: reading it for names would take links away.
func TestReadNamesLeavesPipes(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that opening it to read would not wait
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const message = "From a@b Sat Jan  3 01:05:34 1996\nMessage-ID: <1@a>\n\ntext\n"
	if _, err := f.WriteString(message); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	ReadNames(ctx, []string{pipe}, extract.Options{})
	if ctx.Err() != nil {
		t.Fatal("the pipe was read")
	}
	left := make([]byte, len(message))
	if _, err := io.ReadFull(f, left); err != nil || string(left) != message {
		t.Errorf("%q is left: %v", left, err)
	}
}
