package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"linkcheck/fleet/engine"
	"linkcheck/internal/lab"
)

// BenchmarkFleet makes a night with 'run' and one with an engine, a worker and 'run --engine', each a
// process of its own, over the same links of servers that answer at once, so that processors are the bound:
//
//	go test ./cmd/linkcheck -run '^$' -bench Fleet -benchtime 5x
//
// The time of a night of the fleet is that of its 'run', from its start to its end; the processor
// time is that of all three, from their start to their end.
func BenchmarkFleet(b *testing.B) {
	const hosts, links = 100, 60_000
	var addresses [hosts]string
	page := lab.Page("Observations", "Volume seven holds the positions of two hundred comets.")
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/p") && len(r.URL.Path) < 10 {
			page(w, r)
		} else {
			lab.NotFound(w, r)
		}
	})
	for i := range addresses {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.%d:0", i+1))
		if err != nil {
			b.Skip("this system has one address of loopback: ", err)
		}
		server := httptest.NewUnstartedServer(handler)
		server.Listener.Close()
		server.Listener = l
		server.Start()
		defer server.Close()
		addresses[i] = l.Addr().String()
	}
	dir := b.TempDir()
	var doc strings.Builder
	for i := range links {
		fmt.Fprintf(&doc, "<a href=\"http://%s/p%d\">%d</a>\n", addresses[i%hosts], i, i)
	}
	source := filepath.Join(dir, "links.html")
	if err := os.WriteFile(source, []byte(doc.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	flags := []string{"--quiet", "--allow-private", "127.0.0.0/8", "--host-delay", "0", "--retry-delay", "0", "--per-host", "8", "--workers", fmt.Sprint(benchWorkers)}
	command := func(verb []string, more ...string) *exec.Cmd {
		return exec.Command("linkcheck", append(append(verb, flags...), more...)...)
	}
	var plain, night, rest cost
	for i := 0; b.Loop(); i++ {
		path := func(name string) string { return filepath.Join(dir, fmt.Sprint(name, i)) }
		plain.add(b, command([]string{"run"}, "--store", path("store"), source))
		url, endEngine := startBenchEngine(b, path("engine"), &rest)
		made := exec.Command("linkcheck", "fleet", "init", "--engine", url)
		if out, err := made.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		worker := command([]string{"fleet", "work"}, "--engine", url, "--copies", path("copies"), "--dir", path("worker"))
		if err := worker.Start(); err != nil {
			b.Fatal(err)
		}
		night.add(b, command([]string{"run"}, "--engine", url, "--copies", path("copies"), source))
		endProcess(b, worker, &rest)
		endEngine()
	}
	b.ReportMetric(plain.wall.Seconds()/night.wall.Seconds(), "rate/run")
	b.ReportMetric(plain.cpu.Seconds()/(night.cpu+rest.cpu).Seconds(), "cpu-of-run/cpu")
	b.ReportMetric(float64(links*b.N)/plain.wall.Seconds(), "run-links/s")
	b.ReportMetric(float64(links*b.N)/night.wall.Seconds(), "fleet-links/s")
	b.ReportMetric(0, "ns/op")
}

// startBenchEngine starts an engine, and gives its URL and what ends it.
func startBenchEngine(b *testing.B, dir string, spent *cost) (url string, end func()) {
	e := exec.Command("bench-engine", dir)
	out, err := e.StdoutPipe()
	if err == nil {
		err = e.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Fscanf(out, "ready %s\n", &url); err != nil {
		b.Fatal(err)
	}
	return url, func() { endProcess(b, e, spent) }
}

// benchEngine keeps the log of a fleet in a folder, until SIGTERM.
func benchEngine() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	e, err := engine.Start("127.0.0.1", 0, os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Println("ready", e.URL())
	<-ctx.Done()
	_ = e.Stop()
}

// endProcess ends a process, and adds what it took.
func endProcess(b *testing.B, p *exec.Cmd, spent *cost) {
	begun := time.Now()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		b.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		b.Fatalf("%s: %v", p.Args[0], err)
	}
	spent.wall += time.Since(begun)
	spent.cpu += p.ProcessState.UserTime() + p.ProcessState.SystemTime()
}
