package crawl

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/uri"
)

// TestSlowHostHoldsNobody: nine hosts at 5 ms and one at 2 s, 40 links each, 16
// workers, 4 a host. The clock is a model's, so the figures are exact.
func TestSlowHostHoldsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{took: func(host string) time.Duration {
			if host == "h000.test.net" {
				return 2 * time.Second
			}
			return 5 * time.Millisecond
		}}
		begin := time.Now()
		if _, err := Check(t.Context(), newStore(t, urls(10, 40)...), options(w, func(o *Options) { o.PerHost, o.HostDelay = 4, 0 })); err != nil {
			t.Fatal(err)
		}
		var fast time.Duration
		for _, c := range w.visits {
			if c.host != "h000.test.net" {
				fast = max(fast, c.at.Sub(begin)+5*time.Millisecond)
			}
		}
		t.Logf("9 fast hosts with 360 links done after %v, all after %v (model clock)", fast, time.Since(begin))
		// twelve workers are left for 360 links of 5 ms: 150 ms
		if fast > 200*time.Millisecond {
			t.Errorf("the fast hosts were done after %v", fast)
		}
	})
}

// TestManyHostsNearTheIdeal: 1,000 hosts at 50 ms, four links each with a gap of
// 2 s: 16 workers need 4,000 x 50 ms / 16 = 12.5 s.
func TestManyHostsNearTheIdeal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{took: func(string) time.Duration { return 50 * time.Millisecond }}
		st := newStore(t, urls(1000, 4)...)
		begin := time.Now()
		if _, err := Check(t.Context(), st, NewOptions(w)); err != nil {
			t.Fatal(err)
		}
		took := time.Since(begin)
		t.Logf("1,000 hosts, 4,000 links after %v, %.1f %% over the ideal of 12.5 s (model clock)", took, 100*(took.Seconds()/12.5-1))
		if took > 13750*time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
}

// Progress is reported while no result comes: names are looked
// up, a gap or the retry is waited for.
func TestProgressNeverFallsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		route := func(ctx context.Context, _ string) (netguard.Route, error) {
			time.Sleep(8 * time.Second)
			return netguard.Route{}, context.DeadlineExceeded
		}
		w := &world{answer: func(string, string, int) check.Result { return busy503 }, took: func(string) time.Duration { return 5 * time.Second }}
		last, longest, busy := time.Now(), time.Duration(0), false
		o := NewOptions(w)
		o.Route, o.Workers = route, 4
		o.Progress = func(p Progress) {
			longest, last = max(longest, time.Since(last)), time.Now()
			busy = busy || p.UnderWay == 4 && p.Done == 0
		}
		sum, err := Check(t.Context(), newStore(t, urls(4, 2)...), o)
		if err != nil || sum.Retried != 8 || !busy {
			t.Fatalf("%+v, %v, busy %v", sum, err, busy)
		}
		if longest > time.Second {
			t.Errorf("silent for %v", longest)
		}
	})
}

// Progress counts as tried again what is: not links on the hosts of archives.
func TestProgressOfRetries(t *testing.T) {
	for _, once := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := &world{answer: func(string, string, int) check.Result { return busy503 }, took: func(string) time.Duration { return 5 * time.Second }}
			o, most, want := options(w, func(*Options) {}), 0, 8
			if o.Progress = func(p Progress) { most = max(most, p.Retry) }; once {
				o.Turns, want = NewTurns(o), 0
			}
			list := urls(4, 2)
			for _, address := range list {
				if u, err := uri.Parse(address); err == nil && once {
					o.Turns.Once(u)
				}
			}
			sum, err := Check(t.Context(), newStore(t, list...), o)
			if err != nil || most != want || sum.Retried != want {
				t.Errorf("%d of %d links are said to be tried again, want %d; %v", most, sum.Retried, want, err)
			}
		})
	}
}

// plainWeb is the least that can be called a prober.
type plainWeb struct{ client *http.Client }

func (p plainWeb) Probe(ctx context.Context, t check.Target) check.Result {
	r := check.New(check.OK, "http-200", "HTTP/1.1 200 OK")
	r.At, r.Attempts = time.Now(), 1
	if err := fetch(ctx, p.client, t.URI.(*uri.HTTP).String()); err != nil {
		return check.Classify(err)
	}
	return r
}

func (p plainWeb) Hooks() check.Hooks { return check.Hooks{} }

func (p plainWeb) Close() error { return nil }

func fetch(ctx context.Context, c *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
	return err
}

// BenchmarkOneFastServer checks links of one loopback server with 64 workers, and
// fetches the same links by a bare loop of as many goroutines. It prints how many
// times the wall and processor time of the loop the run took.
func BenchmarkOneFastServer(b *testing.B) {
	const links, workers = 10000, 64
	var mu sync.Mutex
	opened := 0
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			mu.Lock()
			opened++
			mu.Unlock()
		}
	}
	srv.Start()
	defer srv.Close()
	list := make([]string, links)
	for i := range list {
		list[i] = fmt.Sprintf("%s/%d", srv.URL, i)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers, MaxConnsPerHost: workers}}
	var bare, ours, bareCPU, oursCPU time.Duration
	for b.Loop() {
		st := newStore(b, list...)
		wall, cpu := timed(func() { bareLoop(b, client, list, workers) })
		bare, bareCPU = bare+wall, bareCPU+cpu
		wall, cpu = timed(func() {
			o := options(plainWeb{client}, func(o *Options) { o.Workers, o.PerHost, o.HostDelay = workers, workers, 0 })
			if sum, err := Check(b.Context(), st, o); err != nil || sum.Checked != links {
				b.Fatal(sum, err)
			}
		})
		ours, oursCPU = ours+wall, oursCPU+cpu
	}
	b.ReportMetric(float64(ours)/float64(bare), "x-wall")
	b.ReportMetric(float64(oursCPU)/float64(bareCPU), "x-cpu")
	b.ReportMetric(float64(links*b.N)/ours.Seconds(), "links/s")
	b.ReportMetric(100*float64(opened)/float64(2*links*b.N), "%-opened")
}

func bareLoop(b *testing.B, c *http.Client, list []string, workers int) {
	jobs := make(chan string)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for u := range jobs {
				if err := fetch(b.Context(), c, u); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for _, u := range list {
		jobs <- u
	}
	close(jobs)
	wg.Wait()
}

// timed gives the wall and processor time of f.
func timed(f func()) (wall, cpu time.Duration) {
	before, begin := usage(), time.Now()
	f()
	return time.Since(begin), usage() - before
}

func usage() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
