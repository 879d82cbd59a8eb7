package store

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/judge"
)

var crashes = flag.Int("crashes", 20, "rounds of kill -9 in TestKillMinusNine")

const (
	childStore = "LINKCHECK_TEST_STORE" // the test binary is to write this store until it is killed
	childLimit = "LINKCHECK_TEST_LIMIT" // and may not make a file longer than this
	crashLinks = 400
	fullAt     = 700 << 10
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childStore); path != "" {
		if err := child(path); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child makes rounds without end, a day each. It says "did" with run and link only
// once that is committed.
func child(path string) error {
	signal.Ignore(syscall.SIGXFSZ) // a write beyond the limit is then an error, as on a full disk
	if os.Getenv(childLimit) != "" {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: fullAt, Max: fullAt}); err != nil {
			return err
		}
	}
	s, err := Open(path, nil)
	if err != nil {
		return err
	}
	fmt.Println("open")
	last, err := lastRun(s)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	for round := int(last.ID); ; round++ {
		err := crashRound(s, round, func(d committed) { fmt.Println("did", d.run, d.id) })
		if err != nil {
			return errors.Join(err, s.Close())
		}
	}
}

// crashRound reads a source and makes a run, and says what is committed.
func crashRound(s *Store, round int, say func(committed)) error {
	now := epoch.Add(time.Duration(round) * day)
	in, err := s.BeginIngest(now)
	if err != nil {
		return err
	}
	var list []Mention
	for i := range crashLinks {
		u := fmt.Sprintf("http://h%d.example.net/%d", i%17, i)
		list = append(list, Mention{Raw: u, URL: u, Line: i, Context: strings.Repeat("x", round%50)})
	}
	if err := in.Add(Step{Whole: []Source{{Path: "crash.txt"}}, Batches: []*Batch{Prepare("crash.txt", list, nil)}}); err != nil {
		return err
	}
	if _, err := in.Finish(); err != nil {
		return err
	}
	run, err := s.StartRun(Run{Started: now, Version: "test"})
	if err != nil {
		return err
	}
	var batch []Checked
	for t, err := range s.Due(now, Filter{All: true}) {
		if err != nil {
			return err
		}
		batch = append(batch, Checked{t.ID, check.Result{Outcome: check.OK, Reason: "http-200", Reply: fmt.Sprint("round ", round), Title: strings.Repeat("t", int(t.ID)%90), At: now}})
		if len(batch) < 50 {
			continue
		}
		if err := s.Record(run, judge.Policy{}, batch); err != nil {
			return err
		}
		for _, c := range batch {
			say(committed{run, c.ID})
		}
		batch = batch[:0]
	}
	return s.Record(run, judge.Policy{}, batch)
}

// TestKillMinusNine kills a writing process at random moments. After each: the
// store opens, is sound, holds all that was said to be done, and the run of that
// moment has nothing left to do for links it has done (DESIGN law 7).
func TestKillMinusNine(t *testing.T) {
	killAndLook(t, filepath.Join(t.TempDir(), "crash.db"))
}

// TestKillMinusNineOfSet does the same to a set: what is one transaction in a file is several
// in many.
func TestKillMinusNineOfSet(t *testing.T) {
	s := openSetTest(t, 4)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	killAndLook(t, s.Path())
}

func killAndLook(t *testing.T, path string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	done, slow := 0, 1
	for round := range *crashes {
		said := killChild(t, path, time.Duration(slow*(5+rng.IntN(120)))*time.Millisecond)
		if done+len(said) == 0 {
			slow++ // the machine is busy: later rounds get further
		}
		s, err := Open(path, nil)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		mustVerify(t, s)
		due := map[uint64]bool{} // in a run that takes up the one that was cut off
		if run, err := lastRun(s); err != nil {
			t.Fatal(err)
		} else if run.ID != 0 {
			for _, turn := range collect(t, s.Due(run.Started, Filter{})) {
				due[turn.ID] = true
			}
		}
		for _, d := range said {
			if due[d.id] && d.run == said[len(said)-1].run {
				t.Fatalf("round %d: link %d was done in run %d and is due again", round, d.id, d.run)
			}
			l, err := s.link(d.id)
			if err != nil || l.LastRun < d.run {
				t.Fatalf("round %d: link %d was done in run %d, the store says %d, %v", round, d.id, d.run, l.LastRun, err)
			}
		}
		done += len(said)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if done == 0 && !testing.Short() {
		t.Error("no round came as far as a result")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > *crashes {
		t.Errorf("left behind: %v", left)
	}
}

type committed struct{ run, id uint64 }

// killChild starts a writer, kills it some time after it has opened the store, and
// gives what it said it had done.
func killChild(t *testing.T, path string, after time.Duration) (said []committed) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childStore+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var d committed
		switch n, _ := fmt.Sscanf(lines.Text(), "did %d %d", &d.run, &d.id); {
		case n == 2:
			said = append(said, d)
		case lines.Text() == "open":
			time.AfterFunc(after, func() { cmd.Process.Kill() })
		case strings.HasPrefix(lines.Text(), "error"):
			t.Error(lines.Text())
		}
	}
	cmd.Wait() // it was killed: the error says so
	return said
}

// TestFullDisk lets the file grow no further: the error says so, and the store
// holds what it held.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "full.db")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childStore+"="+path, childLimit+"=1")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("the writer ended with %v", err)
	}
	text := string(out)
	last := text[strings.LastIndex(strings.TrimSpace(text), "\n")+1:]
	if !strings.Contains(text, "error "+ErrUnwritable.Error()) || !strings.Contains(text, syscall.EFBIG.Error()) {
		t.Errorf("it said %q", last)
	}
	s, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustVerify(t, s)
	n := 0
	for line := range strings.Lines(text) {
		var d committed
		if k, _ := fmt.Sscanf(line, "did %d %d", &d.run, &d.id); k != 2 {
			continue
		}
		n++
		if l, err := s.link(d.id); err != nil || l.LastRun < d.run {
			t.Fatalf("link %d was done in run %d: %+v, %v", d.id, d.run, l.LastRun, err)
		}
	}
	if n == 0 {
		t.Error("nothing was done before the disk was full")
	}
}
