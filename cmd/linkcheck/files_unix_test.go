//go:build unix

package main

import (
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"linkcheck/internal/exit"
	"linkcheck/internal/lab"
)

// Two thousand hosts are asked by a process that may have 64 files open, and none of its
// results is that of a machine out of files (OUTCOMES 5.1.6c).
func TestFewFiles(t *testing.T) {
	hosts := 2000
	if testing.Short() {
		hosts = 500
	}
	var text strings.Builder
	for i := range hosts {
		fmt.Fprintf(&text, "http://h%04d.mill-library.org/ ftp://f%04d.mill-library.org/\n", i, i)
	}
	l := newLibrary(t, map[string]string{"a.txt": text.String()})
	web := l.serve(func(at net.Listener) error { return lab.HTTP(at, http.HandlerFunc(lab.Text("text/plain", "here"))) })
	ftp := l.serve(lineServer("220 ready", always("230 done")))
	args := l.netArgs(0)
	args = append(args, "--connect-to", ":80:"+web.String(), "--connect-to", ":21:"+ftp.String())
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", "ulimit -n 64; exec linkcheck run --quiet --store \"$@\"", "sh", l.store(), l.docs()}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v, %s", err, out)
	}
	count := map[string]int{}
	for _, got := range l.links() {
		count[got.Outcome]++
	}
	if count["ok"] != 2*hosts {
		t.Errorf("outcomes %v, want %d ok", count, 2*hosts)
	}
}

// The time of --max-duration is that of reading and asking together: a source that never
// ends takes all of it, and what was read before is kept.
func TestMaxDurationBoundsReading(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "http://www.mill.test/page"})
	var asked atomic.Int32
	l.serve(func(at net.Listener) error {
		return lab.HTTP(at, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			lab.Text("text/plain", "here")(w, r)
		}))
	}, "www.mill.test:80")
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	args := append([]string{"run", "--store", l.store(), "--max-duration", "1s", l.docs(), pipe}, l.netArgs(0)...)
	s := call(t.Context(), "", args...)
	if took := time.Since(begun); s.code != exit.Partial || !strings.Contains(s.err, "not all sources could be read in the time given") || asked.Load() != 0 || took > 30*time.Second {
		t.Errorf("after %s, asked %d times: %+v", took, asked.Load(), s)
	}
	args = append([]string{"run", "--store", l.store(), "--max-duration", "10m", l.docs()}, l.netArgs(1)...)
	if s := call(t.Context(), "", args...); s.code != exit.OK || !strings.Contains(s.err, "1 unchanged") || asked.Load() == 0 {
		t.Errorf("the next night, asked %d times: %+v", asked.Load(), s)
	}
}
