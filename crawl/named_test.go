package crawl

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/ingest"
	"linkcheck/internal/testdoc"
	"linkcheck/judge"
	"linkcheck/store"
)

// archive is a folder of documents and a store.
type archive struct {
	t   *testing.T
	dir string
	st  *store.Store
	now time.Time
}

func newArchive(t *testing.T) *archive {
	return &archive{t, t.TempDir(), newStore(t), time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)}
}

// read takes the folder into the store on the next night.
func (a *archive) read() {
	a.t.Helper()
	a.now = a.now.Add(24 * time.Hour)
	if _, err := ingest.Read(a.t.Context(), a.st, []string{a.dir}, ingest.Options{Collection: "c", Now: func() time.Time { return a.now }}); err != nil {
		a.t.Fatal(err)
	}
}

// Links that name a message are answered by the sources themselves, of whatever
// night; without the message they are asked about as ever (RFC 2392, RFC 5538).
func TestNamedInTheArchive(t *testing.T) {
	l := newArchive(t)
	var mu sync.Mutex
	var asked []string
	prober := check.ProbeFunc(func(_ context.Context, t check.Target) check.Result {
		mu.Lock()
		asked = append(asked, t.URI.String())
		mu.Unlock()
		return check.New(check.NotDereferenceable, "names-only", "")
	})
	night := func(want string, state judge.State, questions int) {
		t.Helper()
		l.read()
		asked = nil
		if _, err := Check(t.Context(), l.st, options(prober, func(o *Options) {
			o.HostDelay, o.RetryDelay, o.Version = 0, 0, "v"
			o.Now = func() time.Time { return l.now }
		})); err != nil {
			t.Fatal(err)
		}
		got := stateOf(t, l.st, "news:1@a.test")
		if string(got.Last.Reason) != want || got.State != state || len(asked) != questions {
			t.Errorf("%v: %v (%s %q), asked %q", l.now, got.State, got.Last.Reason, got.Last.Reply, asked)
		}
	}
	box := filepath.Join(l.dir, "b/list.mbox")
	testdoc.Write(t, filepath.Join(l.dir, "a/a.txt"), "See <news:1@a.test> and <mid:2@a.test> for more.\n")
	testdoc.Write(t, filepath.Join(l.dir, "b/other.txt"), "See <http://h.test/> for more.\n")
	night("names-only", judge.NotCheckable, 3)
	night("names-only", judge.NotCheckable, 0) // nothing is due

	message := "From a@b Sat Jan  3 01:05:34 1996\nSubject: x\nMessage-ID: <1@a.test>\n\ntext\n"
	testdoc.Write(t, box, message)
	night("in-archive", judge.Alive, 1) // mid:2 is asked about again
	if got := stateOf(t, l.st, "news:1@a.test").Last.Reply; got != box+":2" {
		t.Errorf("it is at %q", got)
	}
	if problems, err := l.st.Verify(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("the store: %v %v", problems, err)
	}
	l.now = l.now.Add(10 * 24 * time.Hour)
	night("in-archive", judge.Alive, 0) // from a box that was not read again

	if err := os.Remove(box); err != nil {
		t.Fatal(err)
	}
	l.now = l.now.Add(60 * 24 * time.Hour)
	night("names-only", judge.NotCheckable, 1)
}
