package crawl

import (
	"context"
	"flag"
	"fmt"
	"net/netip"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
)

var benchHosts = flag.Int("hosts", 100_000, "hosts of BenchmarkHosts")

// BenchmarkHosts makes a night over hosts with two links each, which answer at once: each host at an
// address of its own, sites at one address, and all silent. It prints the processor time of a
// link, and the most memory beyond what there was before the run.
func BenchmarkHosts(b *testing.B) {
	own := func(n uint32) netip.Addr { return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}) }
	for _, row := range []struct {
		name    string
		address func(n uint32) netip.Addr
		answer  check.Result
	}{
		{"addresses", own, check.New(check.OK, "http-200", "HTTP/1.1 200 OK")},
		{"oneaddress", func(uint32) netip.Addr { return own(1) }, check.New(check.OK, "http-200", "HTTP/1.1 200 OK")},
		{"silent", own, check.New(check.Unreachable, check.ReasonTCPTimeout, "")},
		{"busy", func(uint32) netip.Addr { return own(1) }, check.New(check.Temporary, check.ReasonHTTP(429), "HTTP/1.1 429 Too Many Requests")},
	} {
		b.Run(row.name, func(b *testing.B) {
			var cpu time.Duration
			peak := uint64(0)
			for b.Loop() {
				list := make([]string, 0, 2**benchHosts)
				for i := range cap(list) {
					list = append(list, fmt.Sprintf("http://www.site%d.test.net/%d", i%*benchHosts, i))
				}
				st := newStore(b, list...)
				list = nil
				o := options(check.ProbeFunc(func(context.Context, check.Target) check.Result {
					r := row.answer
					r.At, r.Attempts = time.Now(), 1
					return r
				}), func(o *Options) { o.Workers, o.HostDelay, o.RetryDelay = 64, 0, 0 })
				o.Route = func(_ context.Context, addr string) (netguard.Route, error) {
					var n uint32
					_, err := fmt.Sscanf(addr, "www.site%d", &n)
					return netguard.Route{Addrs: []netip.AddrPort{netip.AddrPortFrom(row.address(n), 80)}}, err
				}
				o.Progress = func(Progress) {} // as in every run
				runtime.GC()
				before := objects()
				most := make(chan uint64)
				ctx, stop := context.WithCancel(b.Context())
				go func() { most <- mostObjects(ctx) }()
				_, used := timed(func() {
					if sum, err := Check(b.Context(), st, o); err != nil || sum.Planned != 2**benchHosts {
						b.Logf("%d of %d links: %v", sum.Checked, sum.Planned, err)
					}
				})
				stop()
				cpu, peak = cpu+used, max(peak, <-most-before)
				st.Close()
			}
			b.ReportMetric(float64(cpu.Microseconds())/float64(2**benchHosts*b.N), "cpu-us/link")
			b.ReportMetric(float64(peak)/1e6, "heap-MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// mostObjects is the most memory of objects until ctx ends, those that nobody refers to any more
// counted.
func mostObjects(ctx context.Context) (most uint64) {
	for tick := time.NewTicker(10 * time.Millisecond); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return most
		case <-tick.C:
			most = max(most, objects())
		}
	}
}

func objects() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
