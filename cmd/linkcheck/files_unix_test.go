//go:build unix

package main

import (
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"

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
