//go:build unix

package web

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/internal/lab"
	"linkcheck/uri"
)

const (
	benchLinks   = 10_000
	benchWorkers = 64
)

// BenchmarkTenThousand asks one fast server for 10,000 pages, by a bare
// net/http client and by the prober, and counts the connections.
func BenchmarkTenThousand(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	var opened atomic.Int64
	s := &http.Server{
		Handler:   lab.Web{"127.0.0.1": {"/robots.txt": lab.NotFound, "*": lab.Page("Annals", "Volume seven holds the positions of two hundred comets.")}},
		ConnState: func(_ net.Conn, st http.ConnState) { opened.Add(map[bool]int64{true: 1}[st == http.StateNew]) },
	}
	go s.Serve(l)
	urls := make([]string, benchLinks)
	for i := range urls {
		urls[i] = fmt.Sprintf("http://%s/d%d/p%d", l.Addr(), i%10, i)
	}
	b.Run("bare", func(b *testing.B) {
		opened.Store(0)
		for b.Loop() {
			c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: benchWorkers}}
			crowd(b, urls, func(u string) bool {
				resp, err := c.Get(u)
				if err != nil {
					return false
				}
				defer resp.Body.Close()
				io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
				return resp.StatusCode == 200
			})
			c.CloseIdleConnections()
		}
		b.ReportMetric(float64(opened.Load())/float64(b.N), "conns/op")
	})
	b.Run("prober", func(b *testing.B) {
		opened.Store(0)
		for b.Loop() {
			g := &netguard.Guard{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
			p := New(Options{Options: check.Options{Dialer: g}})
			crowd(b, urls, func(u string) bool {
				parsed, err := uri.Parse(u)
				return err == nil && p.Probe(b.Context(), check.Target{URI: parsed}).Reason != ""
			})
			p.Close()
		}
		b.ReportMetric(float64(opened.Load())/float64(b.N), "conns/op")
	})
}

func crowd(b *testing.B, urls []string, ask func(string) bool) {
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	work := make(chan string)
	var bad atomic.Int64
	var wg sync.WaitGroup
	for range benchWorkers {
		wg.Go(func() {
			for u := range work {
				if !ask(u) {
					bad.Add(1)
				}
			}
		})
	}
	for _, u := range urls {
		work <- u
	}
	close(work)
	wg.Wait()
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	cpu := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
	b.ReportMetric(cpu.Seconds(), "cpu-s/op")
	if bad.Load() > 0 {
		b.Fatalf("%d failed", bad.Load())
	}
}
