package main

import (
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// A run that is killed while it probes, behind a reading that was whole: the next run of that night
// goes on with the probe, and asks for no page of the archive once more. The next night reads it again
// (HARVEST section 4).
func TestKilledProbeReadsOnce(t *testing.T) {
	l := newLibrary(t, nil)
	var log asked
	const pages = 40
	stuck, never := make(chan bool, 1), make(chan bool)
	var free atomic.Bool
	guides := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			lab.NotFound(w, r)
			return
		}
		if r.URL.Path == "/7" {
			lab.Status(http.StatusGone)(w, r)
			return
		}
		var n int
		fmt.Sscanf(r.URL.Path, "/%d", &n)
		text := fmt.Sprintf("<title>Guide %d</title><p>Page %s of %d words</p>%s<a href='http://www.mill-library.org/slow'>slow</a>", n, r.URL.Path, 100*n+17, strings.Repeat(fmt.Sprintf(" of %x", 977*n), 20))
		for i := range pages {
			text += fmt.Sprintf("<a href='/%d'>p</a>", i)
		}
		lab.Text("text/html", text)(w, r)
	}
	l.serveWeb(lab.Web{
		"guides.mill-library.org": log.site(guides),
		"www.mill-library.org": {"/robots.txt": lab.NotFound, "*": func(w http.ResponseWriter, r *http.Request) {
			if !free.Load() {
				stuck <- true
				<-never
			}
			lab.Text("text/plain", "here")(w, r)
		}},
	})
	t.Cleanup(func() { close(never) })
	root := "http://guides.mill-library.org/"
	args := func(day float64) []string {
		return slices.Concat([]string{"run", "--quiet", "--store", l.store()}, l.netArgs(day), []string{root})
	}
	cmd := exec.Command("linkcheck", args(0)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-stuck
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	free.Store(true)
	if s := call(t.Context(), "", args(0.01)...); s.code != exit.OK || !strings.Contains(s.err, "killed") {
		t.Errorf("the run that goes on: %+v", s)
	}
	all, twice := log.twice()
	if twice = slices.DeleteFunc(twice, func(a string) bool { return strings.HasSuffix(a, "/robots.txt") }); len(twice) > 0 || all < pages {
		t.Errorf("%d requests, twice %q", all, twice)
	}
	for url, link := range l.links() {
		if want := map[bool]string{true: "failing", false: "alive"}[url == root+"7"]; link.ChecksTotal != 1 || link.State != want {
			t.Errorf("%s: %d checks, %s", url, link.ChecksTotal, link.State)
		}
	}
	if s := call(t.Context(), "", args(1)...); s.code != exit.OK {
		t.Errorf("the next night: %+v", s)
	}
	if all, _ := log.twice(); all < pages {
		t.Errorf("the next night asks for %d", all)
	}
	l.ok("store verify")
}
