package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// chromium finds a browser, or skips the test; where LINKCHECK_CHROMIUM is "require" it
// fails.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("LINKCHECK_CHROMIUM") == "require" {
		t.Fatal("chromium is missing and LINKCHECK_CHROMIUM=require")
	}
	t.Skip("chromium is missing")
	return ""
}

// OUTCOMES section 5.1.18: with --browser a link is asked for by it on its last strike,
// when our own question in the manner of browsers has failed too, and not before.
func TestBrowserBeforeDead(t *testing.T) {
	args := []string{"--browser", chromium(t)}
	if os.Geteuid() == 0 {
		args = append(args, "--browser-no-sandbox")
	}
	l := newLibrary(t, map[string]string{"a.txt": "http://fussy.test/a.html\nhttp://honest.test/a.html"})
	page := lab.Page("Grist", "A table of the prices of grist at the mill, year by year.")
	var mu sync.Mutex // of the hosts, which are asked side by side
	agents := map[string][]string{}
	byAgent := func(found http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			agents[r.Host] = append(agents[r.Host], r.UserAgent())
			mu.Unlock()
			if strings.Contains(r.UserAgent(), " Chrome/") {
				found(w, r)
				return
			}
			lab.NotFound(w, r)
		}
	}
	l.serveWeb(lab.Web{"fussy.test": {"/a.html": byAgent(page)}, "honest.test": {"/a.html": byAgent(lab.NotFound)}})
	for _, night := range []float64{0, 1, 4} {
		l.runWell(night)
	}
	seen := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return agents["fussy.test"]
	}
	asked := len(seen())
	l.runWell(7, args...)
	links := l.links()
	if got := links["http://fussy.test/a.html"].State; got == "dead" {
		t.Errorf("a page that a browser gets is %s", got)
	}
	if got := links["http://honest.test/a.html"].State; got != "dead" {
		t.Errorf("a page that nobody gets is %s", got)
	}
	const ours = `"HTTP/1.1 404 Not Found; asked as browsers ask: HTTP/1.1 404 Not Found; asked also by a browser: `
	for url, words := range map[string][]string{
		"http://fussy.test/a.html":  {"blocked", "answers-differ", "The server tells programs that it is not there, and answers browsers otherwise", ours + `200 OK"`},
		"http://honest.test/a.html": {"gone", "http-404", ours + `404 Not Found"`},
	} {
		told := l.ok("explain", url)
		for _, word := range words {
			if !strings.Contains(told, word) {
				t.Errorf("explain %s lacks %q:\n%s", url, word, told)
			}
		}
	}
	last := seen()[asked:]
	if len(last) != 3 || !strings.Contains(last[1], "Firefox/") || !strings.Contains(last[2], "Chrome/") || !strings.Contains(last[2], "(linkcheck/") || strings.Contains(last[2], "Headless") {
		t.Errorf("asked by %q", last)
	}
}

// TestBrowserFlag: what is no browser is exit 2 with a plain sentence, and soon.
func TestBrowserFlag(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://a.test/"})
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	script := func(name, text string) string {
		file := filepath.Join(l.dir, name)
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for _, row := range []struct {
		args []string
		says string
	}{
		{[]string{"--browser", "/nonexistent/chromium", "--browser-no-sandbox"}, "no such file"},
		{[]string{"--browser", l.dir, "--browser-no-sandbox"}, "cannot be run"},
		{[]string{"--browser", script("ends", "echo oops >&2; exit 1"), "--browser-no-sandbox"}, `the browser ended: "oops"`},
		{[]string{"--browser", script("floods", "yes >&2 & exec yes >&4"), "--browser-no-sandbox"}, "cannot be run"},
		{[]string{"--browser", script("tells", `printf '{"id":1,"result":{}}\0' >&4; sleep 100`), "--browser-no-sandbox"}, "no browser that is known"},
		{[]string{"--browser-no-sandbox"}, "--browser-no-sandbox is for --browser"},
	} {
		begin := time.Now()
		s := l.run(0, row.args...)
		if s.code != exit.BadUsage || !strings.Contains(s.err, row.says) || strings.Count(s.err, "\n") > 2 {
			t.Errorf("%q: %+v", row.args, s)
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%q took %v", row.args, took)
		}
	}
	if s := call(t.Context(), "", "check", "--browser", "/nonexistent/chromium", "http://a.test/"); s.code != exit.BadUsage {
		t.Errorf("%+v", s)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
