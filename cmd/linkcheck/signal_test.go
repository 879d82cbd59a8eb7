//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"linkcheck/internal/exit"
	"linkcheck/internal/fault"
	"linkcheck/internal/logs"
)

// TestSecondSignal: the first signal is heard, the second one ends a process that does
// not end by itself.
func TestSecondSignal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(sig) { // by nohup, and so by what is started here
			continue
		}
		cmd := exec.CommandContext(t.Context(), "deaf")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
			t.Fatalf("%q, %v", line, err)
		}
		for range 2 { // a signal that comes while the first one is under way is one with it
			for sent := time.Now(); time.Since(sent) < 50*time.Millisecond; {
				_ = cmd.Process.Signal(sig)
				time.Sleep(time.Millisecond)
			}
		}
		err = cmd.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != sig {
			t.Errorf("%s: %v", sig, err)
		}
	}
}

// TestHangUp: the end of the terminal ends a run as SIGTERM does, and is not heard by one
// under nohup.
func TestHangUp(t *testing.T) {
	newStore(t)
	for _, ignored := range []bool{false, true} {
		if signal.Ignored(syscall.SIGHUP) && !ignored {
			continue
		}
		name := fmt.Sprintf("fifo%v", ignored)
		fifo(t, name)
		args := []string{"linkcheck", "extract", name}
		if ignored {
			args = append([]string{"nohup"}, args...)
		}
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		source, err := os.OpenFile(name, os.O_WRONLY, 0) // waits for its reader, who hears signals by then
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		_ = cmd.Process.Signal(syscall.SIGHUP)
		if ignored {
			time.AfterFunc(900*time.Millisecond, func() { _ = cmd.Process.Signal(syscall.SIGTERM) })
		}
		_ = cmd.Wait() // the exit code tells
		took := time.Since(begun)
		source.Close()
		if code := cmd.ProcessState.ExitCode(); code != exit.Interrupted || !strings.Contains(stderr.String(), "interrupted") || ignored && took < 800*time.Millisecond {
			t.Errorf("ignored %v: exit %d after %v, %s", ignored, code, took, stderr.String())
		}
	}
}

// logTo is a log for people.
func logTo(w io.Writer) *logs.Log {
	l := logs.New(w, "linkcheck")
	l.Start(false, false)
	return l
}

// TestFault: a fault of the program is no error of usage.
func TestFault(t *testing.T) {
	verb := &cobra.Command{Use: "x", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error {
		var none []int
		fmt.Println(none[len(os.Args)])
		return nil
	}}
	verb.SetArgs(nil)
	var told strings.Builder
	_, err := new(app).execute(t.Context(), verb)
	if code := exit.Status(err, logTo(&told)); code != exit.Distrusted || !strings.Contains(told.String(), "out of range") {
		t.Errorf("exit %d, %s", code, told.String())
	}
	var elsewhere fault.Group
	elsewhere.Go(func() { panic("in another goroutine") })
	verb.RunE = func(*cobra.Command, []string) error { elsewhere.Wait(); return nil }
	told.Reset()
	_, err = new(app).execute(t.Context(), verb)
	if code := exit.Status(err, logTo(&told)); code != exit.Distrusted || !strings.Contains(told.String(), "error: in another goroutine at signal_test.go:") || !strings.Contains(told.String(), "goroutine ") {
		t.Errorf("in another goroutine: exit %d, %s", code, told.String())
	}
	if err := storeFailed(fmt.Errorf("mmap: %w", syscall.ENOMEM)); exit.Status(err, logTo(&told)) != exit.Distrusted {
		t.Errorf("no memory for the map: %v", err)
	}
}

// TestAbort: what no code can catch is no error of usage either, and leaves no memory in a
// file.
func TestAbort(t *testing.T) {
	for _, how := range []string{"goroutine", "memory"} {
		cmd := exec.CommandContext(t.Context(), "breaks", how)
		cmd.Dir = t.TempDir()
		cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "GOTRACEBACK=") })
		var stderr strings.Builder
		cmd.Stderr = &stderr
		err := cmd.Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGABRT || exit.Sys().(syscall.WaitStatus).CoreDump() {
			t.Errorf("%s: %v\n%s", how, err, stderr.String())
		}
		if left, _ := os.ReadDir(cmd.Dir); len(left) > 0 {
			t.Errorf("%s: left behind: %v", how, left)
		}
	}
}

// TestKilledWhileReading: a run that is killed while it reads sources is told by the next
// one, and one that ends in order there is not.
func TestKilledWhileReading(t *testing.T) {
	newStore(t)
	fifo(t, "source.txt")
	if err := os.WriteFile("other.txt", []byte("See http://a.test/"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		cmd := exec.CommandContext(t.Context(), "linkcheck", "run", "--store", "s.db", "source.txt")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		in, err := os.OpenFile("source.txt", os.O_WRONLY, 0) // waits until it is read
		if err != nil {
			t.Fatal(err)
		}
		_ = cmd.Process.Signal(sig)
		_ = cmd.Wait()
		in.Close()
		next, err := exec.CommandContext(t.Context(), "linkcheck", "run", "--store", "s.db", "--exclude", ".", "other.txt").CombinedOutput()
		if err != nil || strings.Contains(string(next), "ended without a word") != (sig == syscall.SIGKILL) {
			t.Errorf("%s: %v\n%s", sig, err, next)
		}
	}
}

// fifo makes a FIFO that nobody opens until the test has ended.
func fifo(t *testing.T, name string) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // what still waits for it returns
		if f, err := os.OpenFile(name, os.O_RDWR, 0); err == nil {
			time.Sleep(10 * time.Millisecond)
			f.Close()
		}
	})
}

// TestInterruptedOpen: whatever opens a FIFO that nobody else opens hears the signal, and
// leaves what was there.
func TestInterruptedOpen(t *testing.T) {
	newStore(t)
	before, err := os.ReadFile("s.db")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range []string{
		"extract fifo", "run --store new.db fifo", "store import --store new.db fifo", "mark --store s.db --from fifo alive --why x",
		"schemes --config fifo", "normalize --registry fifo a:b", "check --parked-hosts fifo info:lccn/1", "check --wall-rules fifo info:lccn/1", "check --access-rules fifo info:lccn/1", "check --persistent-hosts fifo info:lccn/1",
		"report --store s.db --html fifo", "report --store s.db --xlsx fifo", "report --store s.db --csv fifo", "report --store s.db --metrics fifo",
		"report --store s.db --mail-to a@b.test --smtp-user u --smtp-password-file fifo",
	} {
		name := fmt.Sprintf("fifo%d", i)
		fifo(t, name)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		s := call(ctx, "", strings.Fields(strings.ReplaceAll(line, "fifo", name))...)
		cancel()
		if s.code != exit.Interrupted || !strings.Contains(s.err, "interrupted") {
			t.Errorf("%s: %+v", line, s)
		}
	}
	if after, err := os.ReadFile("s.db"); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the store was changed, %v", err)
	}
	if left, err := filepath.Glob(".*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestInterruptedMail: a mail server that says nothing does not hold the program.
func TestInterruptedMail(t *testing.T) {
	newStore(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		if c, err := silent.Accept(); err == nil {
			defer c.Close()
			time.Sleep(50 * time.Millisecond)
			cancel()
			_, _ = io.Copy(io.Discard, c)
		}
	}()
	_, port, _ := net.SplitHostPort(silent.Addr().String())
	if s := call(ctx, "", "report", "--store", "s.db", "--mail-to", "a@b.test", "--smtp-port", port); s.code != exit.Interrupted {
		t.Errorf("%+v", s)
	}
}

// TestStoreIsPipe: a store that is a FIFO is refused, not waited for.
func TestStoreIsPipe(t *testing.T) {
	newStore(t)
	fifo(t, "fifo")
	for _, line := range []string{"report --store fifo", "run --store fifo .", "store compact --store fifo", "serve --store fifo", "store backup --store s.db fifo"} {
		if s := call(t.Context(), "", strings.Fields(line)...); s.code != exit.BadUsage && s.code != exit.Distrusted {
			t.Errorf("%s: %+v", line, s)
		}
	}
}

// TestInterruptedOutput: a program whose output nobody reads hears the signal too.
func TestInterruptedOutput(t *testing.T) {
	l := newLibrary(t, map[string]string{"a.txt": "see http://a.test/ now"})
	store := filepath.Join(t.TempDir(), "s.db")
	if s := call(t.Context(), "", "run", "--store", store, "--exclude", ".", l.docs()); s.code != exit.OK {
		t.Fatalf("%+v", s)
	}
	for _, args := range [][]string{{"extract", l.docs()}, {"normalize", "a:b"}, {"schemes"}, {"report", "--store", store}, {"report", "--store", store, "--csv", "-"},
		{"store", "export", "--store", store}, {"store", "stats", "--store", store}, {"explain", "--store", store, "a:b"}, {"dupes", "--store", store}, {"check", "info:lccn/1"}, {"help"}} {
		for _, both := range []bool{false, true} {
			t.Run(fmt.Sprint(args[0], both), func(t *testing.T) {
				t.Parallel()
				nobody, out := io.Pipe()
				defer nobody.Close()
				var stderr io.Writer = io.Discard
				if both {
					stderr = out
				}
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(50*time.Millisecond, cancel)
				if code := run(ctx, nil, args, strings.NewReader(""), out, stderr); code != exit.Interrupted {
					t.Errorf("%v: exit %d", args, code)
				}
			})
		}
	}
}

// TestInterrupted: a verb that writes files and is interrupted, early or late, leaves what
// was there, and nothing else.
func TestInterrupted(t *testing.T) {
	var text strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&text, "see http://h%d.test/some/place/%d.html and http://H%[1]d.test:80/some/place/%[2]d.html\n", i%50, i)
	}
	l := newLibrary(t, map[string]string{"a.txt": text.String()})
	t.Chdir(t.TempDir())
	if s := call(t.Context(), "", "run", "--store", "s.db", "--exclude", ".", "--quiet", l.docs()); s.code != exit.OK {
		t.Fatalf("%+v", s)
	}
	export := call(t.Context(), "", "store", "export", "--store", "s.db")
	if export.code != exit.OK || os.WriteFile("s.jsonl", []byte(export.out), 0o600) != nil {
		t.Fatalf("exit %d, %s", export.code, export.err)
	}
	if s := call(t.Context(), "", "store", "backup", "--store", "s.db", "old.db"); s.code != exit.OK {
		t.Fatalf("%+v", s)
	}
	for line, mayEnd := range map[string]bool{ // whether it may be done before it hears
		"store backup --store s.db old.db": false, "store import --store new.db s.jsonl": false, "store export --store s.db": false,
		"report --store s.db --html old.html": false, "report --store s.db --xlsx old.xlsx": false, "report --store s.db --csv old.csv": false,
		"store salvage s.db new.db": true, "store compact --store s.db": true, "dupes --store s.db": true, "store prune --store s.db --older 0d": true, "store verify --store s.db": true,
	} {
		for _, name := range []string{"old.html", "old.xlsx", "old.csv"} {
			if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		before, interrupted := contents(t), 0
		for wait := 200 * time.Microsecond; wait < time.Minute; wait *= 2 {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(wait, cancel)
			s := call(ctx, "", strings.Fields(line)...)
			cancel()
			if s.code == exit.OK {
				break
			}
			interrupted++
			if s.code != exit.Interrupted {
				t.Errorf("%s: exit %d, %s", line, s.code, s.err)
			}
			if after := contents(t); !maps.Equal(before, after) {
				t.Errorf("%s: exit %d, %q, %q: there were %v, now %v", line, s.code, s.out, s.err, slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
			}
		}
		if interrupted == 0 && !mayEnd {
			t.Errorf("%s was never interrupted", line)
		}
		if s := call(t.Context(), "", "store", "verify", "--store", "s.db"); s.code != exit.OK {
			t.Errorf("%s: %+v", line, s)
		}
		_ = os.Remove("new.db")
	}
}

// contents gives the digest of every file in the current folder.
func contents(t *testing.T) map[string][32]byte {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][32]byte{}
	for _, f := range files {
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name()] = sha256.Sum256(text)
	}
	return all
}
