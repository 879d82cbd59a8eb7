package crawl

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/extract"
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

// A page that stands in a mirror among the sources is asked of no server and of no name
// server, and tells nothing of its host: that one may be gone for years.
func TestPageOfAMirror(t *testing.T) {
	const page = `<a href="a.html#x">a</a> <a href="a.html">a</a> <a href="http://other.test/a.html">b</a>`
	records := ""
	for name, text := range map[string]string{"": page, "a.html": "<p>a"} {
		records += testdoc.WARC("resource", "http://site.test/"+name, "text/html", text)
	}
	for tree, files := range map[string]map[string]string{
		"folder": {"folder/index.html": page, "folder/a.html": "<p>a"},
		"s.tar":  {"s.tar": testdoc.Tar(t, "index.html", page, "a.html", "<p>a")},
		"s.zip":  {"s.zip": testdoc.Zip(t, "index.html", page, "a.html", "<p>a")},
		"s.warc": {"s.warc": records},
	} {
		t.Run(tree, func(t *testing.T) {
			l := newArchive(t)
			for name, text := range files {
				testdoc.Write(t, filepath.Join(l.dir, name), text)
			}
			mirror, err := extract.NewMirror(filepath.Join(l.dir, tree), "http://site.test/")
			if err != nil {
				t.Fatal(err)
			}
			l.mirrorNight(extract.Mirrors{mirror})
		})
	}
}

// mirrorNight reads the folder and checks what is due.
func (a *archive) mirrorNight(mirrors extract.Mirrors) {
	t := a.t
	read := ingest.Options{Collection: "c", Extract: extract.Options{Mirrors: mirrors}}
	if _, err := ingest.Read(t.Context(), a.st, []string{a.dir}, read); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var asked []string
	note := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, what)
	}
	prober := check.ProbeFunc(func(_ context.Context, t check.Target) check.Result {
		note(t.URI.String())
		return check.New(check.OK, "http-200", "")
	})
	sum, err := Check(t.Context(), a.st, options(prober, func(o *Options) {
		o.HostDelay, o.NameOf = 0, mirrors.NameOf
		o.Route = func(_ context.Context, addr string) (netguard.Route, error) {
			note(addr)
			return netguard.Route{}, nil
		}
	}))
	slices.Sort(asked)
	if err != nil || sum.Checked != 3 || !slices.Equal(asked, []string{"http://other.test/a.html", "other.test:80"}) {
		t.Fatalf("%+v, %v: asked %q", sum, err, asked)
	}
	for _, url := range []string{"http://site.test/a.html", "http://site.test/a.html#x"} {
		got := stateOf(t, a.st, url)
		if got.Last.Reason != check.ReasonInArchive || got.State != judge.Alive || got.HostLives {
			t.Errorf("%s: %+v", url, got)
		}
	}
}
