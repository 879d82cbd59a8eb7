//go:build unix

package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"linkcheck/internal/exit"
)

// TestArchiveCutOff: a campaign that is killed or interrupted in its midst loses no answer, and
// the next one goes on where it was.
func TestArchiveCutOff(t *testing.T) {
	const links, before = 12, 5
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT} {
		t.Chdir(t.TempDir())
		var text strings.Builder
		for n := range links {
			fmt.Fprintf(&text, "See http://mill.test/%d there.\n", n)
		}
		if err := os.WriteFile("memo.txt", []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"run", "--quiet", "--store", "s.db", "--host", "nowhere.test", "memo.txt"}, {"mark", "--store", "s.db", "--prefix", "http://mill.test/", "dead", "--why", "sold"}} {
			if s := call(t.Context(), "", args...); s.code != exit.OK {
				t.Fatalf("%q: %+v", args, s)
			}
		}
		var mu sync.Mutex
		var cmd *exec.Cmd
		asked := map[string]int{}
		archive := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if page, ok := strings.CutPrefix(r.RequestURI, "/gate/"); ok {
				if asked[page]++; len(asked) == before+1 && cmd != nil {
					_ = cmd.Process.Signal(sig)
					cmd = nil
					<-r.Context().Done()
					return
				}
				w.Header().Set("Vary", "accept-datetime")
				w.Header().Set("Location", "/20200101000000/"+page)
				w.WriteHeader(http.StatusFound)
				return
			}
			fmt.Fprint(w, "<title>Mill</title><p>"+millText)
		}))
		args := []string{"archive", "--store", "s.db", "--allow-private", "127.0.0.0/8", "--gap", "0s", "--timegate", archive.URL + "/gate/"}
		mu.Lock()
		cmd = exec.CommandContext(t.Context(), "linkcheck", args...)
		killed := cmd
		var told strings.Builder
		killed.Stdout, killed.Stderr = &told, &told
		err := killed.Start()
		mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		err = killed.Wait()
		ended, ok := errors.AsType[*exec.ExitError](err)
		if !ok || sig == syscall.SIGKILL != ended.Sys().(syscall.WaitStatus).Signaled() {
			t.Fatalf("%s: %v\n%s", sig, err, told.String())
		}
		if sum := fmt.Sprintf("asked about %d of %d links, 0 known already; %d with a copy, 0 without; %d left", before, links, before, links-before); sig == syscall.SIGINT && (ended.ExitCode() != exit.Interrupted || !strings.Contains(told.String(), sum)) {
			t.Errorf("%s: %v\n%s", sig, err, told.String())
		}
		s := call(t.Context(), "", args...)
		sum := fmt.Sprintf("asked about %d of %d links, %d known already; %d with a copy, 0 without; 0 left", links-before, links, before, links)
		if s.code != exit.OK || !strings.Contains(s.out, sum) {
			t.Errorf("%s: after it: %+v", sig, s)
		}
		twice := 0
		for _, n := range asked {
			if n > 1 {
				twice++
			}
		}
		if len(asked) != links || twice != 1 {
			t.Errorf("%s: asked %v", sig, asked)
		}
		archive.Close()
	}
}
