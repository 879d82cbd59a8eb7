package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// OUTCOMES section 6, story 2: cron mails only when there is news.
func TestCronPrintsOnlyNews(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/gone.html and http://www.mill.test/"})
	l.serveWeb(lab.Web{"www.mill.test": {"/": lab.Page("Mill", "The mill.")}})
	for night := range 12 {
		if night != 7 {
			l.runQuietly(float64(night), "--fail-on", "newly-dead")
			continue
		}
		s := l.run(7, "--fail-on", "newly-dead")
		if s.code != exit.Matched || s.err != "" || strings.Count(s.out, "\n") > 40 || !strings.Contains(s.out, "http://www.mill.test/gone.html") {
			t.Errorf("the night of the death: %+v", s)
		}
	}
}

// A second run at the same time is told so at once; the first one, interrupted,
// keeps its work; and the order of the exit codes (OUTCOMES sections 3, 5.1.11).
func TestSecondRunAndInterrupt(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/a http://www.mill.test/b"})
	held, release := make(chan bool), make(chan bool)
	web := l.serveWeb(lab.Web{"www.mill.test": {
		"/a": lab.Text("text/plain", "here"),
		"/b": func(w http.ResponseWriter, r *http.Request) { held <- true; <-release },
	}})
	ctx, interrupt := context.WithCancel(t.Context())
	first := make(chan result)
	go func() {
		first <- call(ctx, "", slices.Concat([]string{"run", "--store", l.store()}, l.netArgs(0), []string{l.docs()})...)
	}()
	<-held
	began := time.Now()
	if s := l.run(0); s.code != exit.InUse || !strings.Contains(s.err, "in use") || s.out != "" || time.Since(began) > 5*time.Second {
		t.Errorf("the second run: %+v after %v", s, time.Since(began))
	}
	interrupt()
	s := <-first
	close(release)
	if s.code != exit.Interrupted {
		t.Errorf("interrupted: %+v", s)
	}
	if got := l.links()["http://www.mill.test/a"]; got.Outcome != "ok" {
		t.Errorf("what was answered before the interrupt is lost: %+v", got)
	}
	web.requests()
	go func() { <-held }()
	l.runWell(0)
	if got := web.pages(); !slices.Equal(got, []string{"GET www.mill.test/b"}) {
		t.Errorf("after the interrupt: asked %q", got)
	}
}

// What was committed survives kill -9 and is not asked again (story 2).
func TestKilledRunKeepsResults(t *testing.T) {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "http://www.mill.test/%d\n", i)
	}
	l := newLibrary(t, map[string]string{"a.txt": text.String()})
	var asked atomic.Int32
	stuck, never := make(chan bool, 1), make(chan bool)
	page := func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 41 {
			stuck <- true
			<-never
		}
		lab.Text("text/plain", "here")(w, r)
	}
	web := l.serveWeb(lab.Web{"www.mill.test": {"*": page, "/robots.txt": lab.NotFound}})
	t.Cleanup(func() { close(never) })
	cmd := exec.Command("linkcheck", slices.Concat([]string{"run", "--store", l.store()}, l.netArgs(0), []string{l.docs()})...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-stuck
	l.waitForCommit(time.Now())
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	web.requests()
	kept := 0
	for url, link := range l.links() {
		if kept++; link.ChecksTotal == 0 {
			kept--
		} else if link.State != "alive" {
			t.Errorf("%s: %+v", url, link)
		}
	}
	if kept < 20 {
		t.Fatalf("%d of 40 answers were kept", kept)
	}
	l.ok("store verify")
	told := fmt.Sprintf("linkcheck: the run begun %s ended without a word (killed?): %d answers were kept\n", firstNight.UTC().Format("2006-01-02 15:04"), kept)
	if s := l.run(0); s.code != exit.OK || s.err != told {
		t.Errorf("the next run: %+v, want %q", s, told)
	}
	l.runWell(0.01) // it is told once
	if n := len(web.pages()); n != 60-kept {
		t.Errorf("%d kept, %d asked again, want %d", kept, n, 60-kept)
	}
	l.ok("store verify")
}

// waitForCommit waits until the store was written after a moment, but not for
// ever: what was answered may have been written before. Another process holds the
// store, so its file is all that can be seen.
func (l *library) waitForCommit(after time.Time) {
	for end := after.Add(2 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if info, err := os.Stat(l.store()); err == nil && info.ModTime().After(after) && time.Since(info.ModTime()) > 100*time.Millisecond {
			return
		}
	}
}

// Each exit code of a night that went wrong, and what a later good night makes
// of it (OUTCOMES sections 3, 5.1.6, 5.1.10).
func TestExitCodesOfFailedRuns(t *testing.T) {
	t.Run("own outage", func(t *testing.T) {
		l := newLibrary(t, nil)
		sites := lab.Web{}
		var down atomic.Bool
		for i := range 6 {
			name := fmt.Sprintf("h%d.mill.test", i)
			sites[name] = lab.Site{"*": func(w http.ResponseWriter, r *http.Request) {
				if down.Load() {
					panic(http.ErrAbortHandler)
				}
				lab.Text("text/plain", "here")(w, r)
			}}
			l.write(name+".txt", "http://"+name+"/a")
		}
		l.serveWeb(sites)
		l.runQuietly(0)
		down.Store(true)
		if s := l.run(7); s.code != exit.Distrusted || !strings.Contains(s.err, "network") {
			t.Errorf("network down: %+v", s)
		}
		for url, link := range l.links() {
			if link.FailStreak != 0 || link.State != "alive" {
				t.Errorf("%s has a strike: %+v", url, link)
			}
		}
		down.Store(false)
		l.runQuietly(8)
	})
	t.Run("source vanished", func(t *testing.T) {
		l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/"})
		l.serveWeb(lab.Web{"www.mill.test": {"/": lab.Page("Mill", "The mill.")}})
		l.runQuietly(0)
		if err := os.RemoveAll(l.docs()); err != nil {
			t.Fatal(err)
		}
		if s := l.run(1); s.code != exit.Partial || !strings.Contains(s.err, "docs") {
			t.Errorf("gone: %+v", s)
		}
		if err := os.Mkdir(l.docs(), 0o755); err != nil {
			t.Fatal(err)
		}
		if s := l.run(2); s.code != exit.Partial {
			t.Errorf("empty: %+v", s)
		}
		if len(l.table()) != 1 {
			t.Errorf("the link was retired")
		}
		l.runWell(3, "--allow-empty")
		if rows := l.table(); len(rows) != 0 {
			t.Errorf("not retired: %q", rows)
		}
	})
	t.Run("time is up", func(t *testing.T) {
		l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/a http://www.mill.test/b"})
		slow := lab.Slow(50*time.Millisecond, lab.Text("text/plain", "here"))
		web := l.serveWeb(lab.Web{"www.mill.test": {"/a": slow, "/b": slow}})
		if s := l.run(0, "--max-duration", "20ms"); s.code != exit.Partial || s.err == "" {
			t.Errorf("time is up: %+v", s)
		}
		l.runWell(0)
		if got := web.pages(); len(got) != 2 {
			t.Errorf("asked %q", got)
		}
		l.write("b.txt", "http://www.mill.test/c")
		if s := l.run(0, "--max-duration", "1ns"); s.code != exit.Partial || !strings.Contains(s.err, "not all sources could be read") {
			t.Errorf("time is up before the sources are read: %+v", s)
		}
	})
}
