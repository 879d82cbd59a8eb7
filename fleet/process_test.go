//go:build unix

package fleet_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/fleet"
	"linkcheck/fleet/engine"
)

const (
	workerVariable = "LINKCHECK_TEST_FLEET_WORKER"
	engineVariable = "LINKCHECK_TEST_FLEET_ENGINE" // port and folder, with a blank between them
)

// workerSetting is what a worker's process is told.
type workerSetting struct{ Name, Engine, Internet, Dir, Copies string }

func TestMain(m *testing.M) {
	if told := os.Getenv(engineVariable); told != "" {
		if err := serveEngine(told); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	if told := os.Getenv(workerVariable); told != "" {
		var s workerSetting
		err := json.Unmarshal([]byte(told), &s)
		if err == nil {
			err = s.work()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serveEngine is the process of an engine, which ends when it is killed.
func serveEngine(told string) error {
	port, dir, _ := strings.Cut(told, " ")
	n, err := strconv.Atoi(port)
	if err != nil {
		return err
	}
	if _, err := engine.Start("127.0.0.1", n, dir); err != nil {
		return err
	}
	select {}
}

// spawnEngine starts an engine as a process, and waits until it answers.
func spawnEngine(t *testing.T, port int, dir string) (cmd *exec.Cmd, url string) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), fmt.Sprint(engineVariable, "=", port, " ", dir)), os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	at := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", at); err == nil {
			_ = c.Close()
			return cmd, "nats://" + at
		} else if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// work is the process of a worker. It leaves with SIGTERM.
func (s *workerSetting) work() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	n, err := fleet.Dial(ctx, s.Engine, testSet)
	if err != nil {
		return err
	}
	defer n.Close()
	times := quick()
	home := &night{Internet: &farInternet{at: s.Internet}, Gap: times.Gap, told: func(shard int) { fmt.Println("done", shard) }}
	w := home.Start(fleet.Options{
		Name: s.Name, Shards: shards, Engine: n, Times: times, Dir: s.Dir, Copies: fleet.Copies(s.Copies), Slots: 100,
		Tell: func(shard int, what error) { fmt.Fprintln(os.Stderr, s.Name, shard, what) },
	})
	<-ctx.Done()
	return w.Leave()
}

// farInternet is an internet in another process.
type farInternet struct {
	at   string
	mu   sync.Mutex
	idle []net.Conn
}

func (f *farInternet) Ask(ctx context.Context, worker, host, url string) (check.Result, error) {
	return answer(url), f.say(ctx, fmt.Sprintln("ask", worker, host, url))
}

func (f *farInternet) Leave(address string) {
	_ = f.say(context.Background(), fmt.Sprintln("leave", address))
}

func (f *farInternet) say(ctx context.Context, line string) (err error) {
	f.mu.Lock()
	var c net.Conn
	if len(f.idle) > 0 {
		c, f.idle = f.idle[0], f.idle[1:]
	}
	f.mu.Unlock()
	if c == nil {
		if c, err = net.Dial("tcp", f.at); err != nil {
			return err
		}
	}
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	if _, err := io.WriteString(c, line); err != nil {
		return err
	}
	if _, err := io.ReadFull(c, make([]byte, 3)); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.idle = append(f.idle, c)
	return nil
}

// serve lets other processes ask an internet.
func (n *internet) serve(t *testing.T) (at string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go n.answerAll(c)
		}
	}()
	return l.Addr().String()
}

func (n *internet) answerAll(c net.Conn) {
	defer c.Close()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		if f := strings.Fields(lines.Text()); f[0] == "ask" {
			_, _ = n.Ask(context.Background(), f[1], f[2], f[3])
		} else {
			n.Leave(f[1])
		}
		if _, err := io.WriteString(c, "ok\n"); err != nil {
			return
		}
	}
}

// spawn starts a worker as a process.
func (w *world) spawn(name, engine, internet string) *exec.Cmd {
	dir := filepath.Join(w.dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.t.Fatal(err)
	}
	told, err := json.Marshal(workerSetting{name, engine, internet, dir, filepath.Join(w.dir, "copies")})
	if err != nil {
		w.t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), workerVariable+"="+string(told)), os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = cmd.Process.Kill() })
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			shard := 0
			if _, err := fmt.Sscanf(lines.Text(), "done %d", &shard); err == nil {
				w.night.isDone(shard)
			}
		}
	}()
	return cmd
}

// spread waits until each of the workers has claimed something and all is claimed, and begins
// a night.
func (w *world) spread(workers ...string) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		owners, all := map[string]bool{}, true
		for n := range shards {
			c, _, err := w.engine.LastClaim(w.t.Context(), n)
			if err != nil {
				w.t.Fatal(err)
			}
			owners[c.Worker], all = true, all && c.Worker != ""
		}
		if all && len(owners) == len(workers) {
			break
		}
		if time.Now().After(end) {
			w.t.Fatalf("the shards are those of %v", owners)
		}
	}
	w.load()
}

// Workers that are processes: one is killed and begins again with its files. In make chaos one
// is stopped for longer than its session lives and goes on, and the engine is killed meanwhile;
// with LINKCHECK_CHAOS_LINKS all that again for each hundred thousand links.
func TestProcesses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	port := lastingPort(t)
	server, url := spawnEngine(t, port, dir)
	n, err := fleet.Dial(t.Context(), url, testSet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	w := newWorld(t, n, quick())
	w.net.Visit = 20 * time.Millisecond
	internet := w.net.serve(t)
	a, b, c := w.spawn("a", url, internet), w.spawn("b", url, internet), w.spawn("c", url, internet)
	w.spread("a", "b", "c")
	signal := func(p *exec.Cmd, s os.Signal) {
		if err := p.Process.Signal(s); err != nil {
			t.Error(err)
		}
	}
	for range 1 + links/100_000 {
		time.Sleep(2 * time.Second)
		signal(b, syscall.SIGKILL)
		_ = b.Wait()
		time.Sleep(time.Second)
		b = w.spawn("b", url, internet)
		if os.Getenv("LINKCHECK_CHAOS") == "" {
			continue
		}
		time.Sleep(2 * time.Second)
		signal(c, syscall.SIGSTOP)
		time.Sleep(4 * w.times.Sure)
		signal(c, syscall.SIGCONT)
		time.Sleep(time.Second)
		signal(server, syscall.SIGKILL)
		_ = server.Wait()
		server, _ = spawnEngine(t, port, dir)
	}
	w.untilDone()
	for _, p := range []*exec.Cmd{a, b, c} {
		signal(p, syscall.SIGTERM)
		if err := p.Wait(); err != nil {
			t.Error(err)
		}
	}
	m := w.compare()
	t.Logf("%+v", m)
	if m.Overlaps > 0 || m.Short > 0 || m.Visits < links {
		t.Errorf("%+v", m)
	}
}
