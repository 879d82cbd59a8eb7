package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linkcheck/internal/lab"
)

const (
	benchLinks   = 10_000
	benchWorkers = 64
)

// BenchmarkNight reads one document with 10,000 links to one fast server, asks
// for all of them, stores and sums up: the whole program, from its start to its
// end. Beside it a program that is nothing but a net/http loop over the same
// links, with as many workers. Server, night and loop are processes of their own,
// so each pays for itself alone; the server's time counts for neither. The loop
// throws pages away unread, so the longer they are the less the two compare.
func BenchmarkNight(b *testing.B) {
	for _, kB := range []int{0, 8} {
		b.Run(fmt.Sprintf("pages=%dkB", kB), func(b *testing.B) { benchmarkNight(b, kB) })
	}
}

func benchmarkNight(b *testing.B, kB int) {
	dir := b.TempDir()
	server := startServer(b, kB)
	urls := make([]string, benchLinks)
	var doc strings.Builder
	for i := range urls {
		urls[i] = fmt.Sprintf("http://%s/d%d/p%d", server.addr, i%10, i)
		fmt.Fprintf(&doc, "<a href=%q>%d</a>\n", urls[i], i)
	}
	source, list := filepath.Join(dir, "links.html"), filepath.Join(dir, "links.txt")
	for name, text := range map[string]string{source: doc.String(), list: strings.Join(urls, "\n")} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	var bare, night cost
	var opened float64
	for i := 0; b.Loop(); i++ {
		bare.add(b, exec.Command("bench-bare", list))
		server.conns(b)
		night.add(b, exec.Command("linkcheck", "run", "--quiet", "--store", filepath.Join(dir, fmt.Sprint(i, ".db")),
			"--allow-private", "127.0.0.0/8", "--workers", fmt.Sprint(benchWorkers), "--per-host", fmt.Sprint(benchWorkers),
			"--host-delay", "0", "--retry-delay", "0", source))
		opened += server.conns(b)
	}
	b.ReportMetric(night.wall.Seconds()/bare.wall.Seconds(), "wall-ratio")
	b.ReportMetric(night.cpu.Seconds()/bare.cpu.Seconds(), "cpu-ratio")
	b.ReportMetric(night.cpu.Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(night.peak)/1000, "peak-MB")
	b.ReportMetric(opened/float64(b.N), "conns/op")
}

// cost sums the wall and processor time of programs, and keeps the largest
// memory of them.
type cost struct {
	wall, cpu time.Duration
	peak      int // resident, in kB
}

func (c *cost) add(b *testing.B, cmd *exec.Cmd) {
	var errs strings.Builder
	cmd.Stderr = &errs
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for look := time.NewTicker(5 * time.Millisecond); ; {
		c.peak = max(c.peak, residentOf(cmd.Process.Pid))
		select {
		case err := <-ended:
			if look.Stop(); err != nil {
				b.Fatalf("%s: %v: %s", cmd.Args[0], err, errs.String())
			}
			c.wall += time.Since(begin)
			c.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			return
		case <-look.C:
		}
	}
}

// residentOf is the most memory that a process had so far, in kB. (What the kernel tells its parent
// at the end counts the parent's own memory, too, and the process itself may not read it.)
func residentOf(pid int) (kB int) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	_, _ = fmt.Sscan(rest, &kB)
	return kB
}

// benchBare asks for every URL of a file and reads what comes.
func benchBare() {
	list, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: benchWorkers}}
	work := make(chan string)
	var wg sync.WaitGroup
	for range benchWorkers {
		wg.Go(func() {
			for u := range work {
				resp, err := c.Get(u)
				if err != nil {
					panic(err)
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	for u := range strings.SplitSeq(string(list), "\n") {
		work <- u
	}
	close(work)
	wg.Wait()
}

type benchServer struct {
	addr string
	in   io.Writer
	out  *bufio.Reader
}

func startServer(b *testing.B, kB int) *benchServer {
	cmd := exec.Command("bench-serve", fmt.Sprint(kB))
	in, err := cmd.StdinPipe()
	out, oerr := cmd.StdoutPipe()
	if err := errors.Join(err, oerr, cmd.Start()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	s := &benchServer{in: in, out: bufio.NewReader(out)}
	if _, err := fmt.Fscanf(s.out, "ready %s\n", &s.addr); err != nil {
		b.Fatal(err)
	}
	return s
}

// conns is how many connections the server saw since it was last asked.
func (s *benchServer) conns(b *testing.B) (n float64) {
	io.WriteString(s.in, "\n")
	if _, err := fmt.Fscanf(s.out, "conns %f\n", &n); err != nil {
		b.Fatal(err)
	}
	return n
}

// benchServe serves pages, so many kB longer than their heads, and tells after each
// line read how many connections it saw.
func benchServe() {
	kB, _ := strconv.Atoi(os.Args[1])
	var text strings.Builder
	text.WriteString("Volume seven holds the positions of two hundred comets.")
	for i := 0; text.Len() < kB<<10; i++ {
		fmt.Fprintf(&text, "<p class=c%d>Plate %d was taken on <a href=\"/n/%d\">the night</a> of the %dth &amp; shows a field of faint stars.\n", i, i, i, i)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var conns atomic.Int64
	s := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/d") || len(r.URL.Path) > 20 {
				lab.NotFound(w, r)
				return
			}
			lab.Page("Page "+r.URL.Path, text.String())(w, r)
		}),
		ConnState: func(_ net.Conn, st http.ConnState) {
			if st == http.StateNew {
				conns.Add(1)
			}
		},
	}
	go s.Serve(l)
	fmt.Printf("ready %s\n", l.Addr())
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Printf("conns %d\n", conns.Swap(0))
	}
	s.Close()
}
