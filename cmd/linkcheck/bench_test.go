package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"linkcheck/internal/lab"
)

const (
	benchLinks   = 10_000
	benchWorkers = 64
	benchServer  = "LINKCHECK_BENCH_SERVER" // set in the process that serves
)

// TestBenchServer is no test: BenchmarkNight starts it as a process of its own.
// It serves pages and tells after each line read how many connections it saw.
func TestBenchServer(t *testing.T) {
	if os.Getenv(benchServer) == "" {
		t.Skip("serves only for BenchmarkNight")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var conns atomic.Int64
	s := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/d") || len(r.URL.Path) > 20 {
				lab.NotFound(w, r)
				return
			}
			lab.Page("Page "+r.URL.Path, "Volume seven holds the positions of two hundred comets.")(w, r)
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

// BenchmarkNight reads one document with 10,000 links to one fast server, asks
// for all of them, stores and sums up; beside it a bare net/http loop over the
// same links. The ratios compare wall time and processor time in the same run.
func BenchmarkNight(b *testing.B) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestBenchServer$")
	cmd.Env = append(os.Environ(), benchServer+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	lines := bufio.NewReader(out)
	var addr string
	if _, err := fmt.Fscanf(lines, "ready %s\n", &addr); err != nil {
		b.Fatal(err)
	}
	conns := func() (n float64) {
		io.WriteString(in, "\n")
		fmt.Fscanf(lines, "conns %f\n", &n)
		return n
	}
	dir := b.TempDir()
	urls := make([]string, benchLinks)
	var doc strings.Builder
	for i := range urls {
		urls[i] = fmt.Sprintf("http://%s/d%d/p%d", addr, i%10, i)
		fmt.Fprintf(&doc, "<a href=%q>%d</a>\n", urls[i], i)
	}
	source := filepath.Join(dir, "links.html")
	if err := os.WriteFile(source, []byte(doc.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	var bare, night cost
	var opened float64
	for i := 0; b.Loop(); i++ {
		bare.add(func() { bareLoop(b, urls) })
		conns()
		night.add(func() { wholeNight(b, filepath.Join(dir, fmt.Sprint(i, ".db")), source) })
		opened += conns()
	}
	b.ReportMetric(night.wall.Seconds()/bare.wall.Seconds(), "wall-ratio")
	b.ReportMetric(night.cpu.Seconds()/bare.cpu.Seconds(), "cpu-ratio")
	b.ReportMetric(opened/float64(b.N), "conns/op")
}

func wholeNight(b *testing.B, store, source string) {
	var errs bytes.Buffer
	code := run(context.Background(), []string{"run", "--quiet", "--store", store, "--allow-private", "127.0.0.0/8",
		"--workers", fmt.Sprint(benchWorkers), "--per-host", fmt.Sprint(benchWorkers), "--host-delay", "0",
		"--retry-delay", "0", source}, strings.NewReader(""), io.Discard, &errs)
	if code != 0 {
		b.Fatalf("exit %d: %s", code, errs.String())
	}
}

func bareLoop(b *testing.B, urls []string) {
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: benchWorkers}}
	defer c.CloseIdleConnections()
	work := make(chan string)
	var wg sync.WaitGroup
	for range benchWorkers {
		wg.Go(func() {
			for u := range work {
				resp, err := c.Get(u)
				if err != nil {
					b.Error(err)
					continue
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	for _, u := range urls {
		work <- u
	}
	close(work)
	wg.Wait()
}

// cost sums wall time and the processor time of this process.
type cost struct{ wall, cpu time.Duration }

func (c *cost) add(f func()) {
	begin, before := time.Now(), processor()
	f()
	c.wall += time.Since(begin)
	c.cpu += processor() - before
}

func processor() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
