package store

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"linkcheck/check"
	"linkcheck/uri"
)

// The measures of the store, as benchmarks: go test -run '^$' -bench . ./store
// prints figures a link for each size; -links 1000000 sets the largest.
var largest = flag.Int("links", 100000, "links in the largest store of the benchmarks")

func sizes() (list []int) {
	for n := 10000; n < *largest; n *= 10 {
		list = append(list, n)
	}
	return append(list, *largest)
}

// benchURL is link i of an archive of a thousand hosts, about 55 octets long.
func benchURL(i int) string {
	return fmt.Sprintf("http://www.host%03d.example%d.net/archive/rfc/%d/item-%07d.html", i*7919%1000, i%7, i%40, i)
}

// benchResult is a result with about 300 octets of strings.
func benchResult(rng *rand.Rand, i int, at time.Time) check.Result {
	r := check.Result{
		Outcome: check.OK, Evidence: check.Strong, Reason: "http-200", Reply: "HTTP/1.1 200 OK", At: at,
		Took: 87 * time.Millisecond, Bytes: 18211, Attempts: 1, ContentType: "text/html; charset=iso-8859-1",
		Title:        fmt.Sprintf("Request for Comments %d: an old protocol of the Internet", i),
		Digest:       fmt.Sprintf("%016x%016x%016x%016x", rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64()),
		ETag:         fmt.Sprintf("%x-%x", rng.Uint64(), i),
		LastModified: "Tue, 14 Mar 1995 08:12:31 GMT",
		FinalURL:     "",
	}
	return r
}

// rss is this process's memory that no file stands behind, in MB.
func rss() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			kb, _ := strconv.Atoi(strings.Fields(v)[0])
			return float64(kb) / 1024
		}
	}
	return 0
}

const benchBatch = 5000

// importLinks reads n links as sources of 10,000 mentions.
func importLinks(b *testing.B, s *Store, n int) {
	in, err := s.BeginIngest(epoch)
	if err != nil {
		b.Fatal(err)
	}
	ready := make(chan *Batch, 1)
	go func() {
		defer close(ready)
		for from := 0; from < n; from += benchBatch {
			list := make([]Mention, 0, benchBatch)
			for i := from; i < min(from+benchBatch, n); i++ {
				u := benchURL(i)
				list = append(list, Mention{Collection: "rfc", Record: strconv.Itoa(i / 20), Locator: "856[1]$u", Line: i, Raw: u, URL: u, How: "856u"})
			}
			ready <- Prepare(fmt.Sprintf("part%d.mrc", from/benchBatch), list)
		}
	}()
	for batch := range ready {
		if err := in.Add([]Source{{Path: batch.source, Collection: "rfc", Mentions: batch.Len()}}, batch); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := in.Finish(); err != nil {
		b.Fatal(err)
	}
}

// identifyLinks is the part of an import that is not the store's: the keys.
func identifyLinks(n int) {
	for i := range n {
		identify(benchURL(i))
	}
}

// night records a result for every link, in an order as hosts take turns; of a
// changed part the result differs.
func night(b *testing.B, s *Store, n int, at time.Time, changed float64) {
	run, err := s.StartRun(Run{Started: at})
	if err != nil {
		b.Fatal(err)
	}
	batch := make([]Checked, 0, 5000)
	for i := range n {
		id := i * 61 % n // as breadth first over hosts would have it
		rng := rand.New(rand.NewPCG(uint64(id), 1))
		r := benchResult(rng, id, at)
		if changed > 0 && float64(id%1000) < changed*1000 {
			r.Outcome, r.Reason, r.Reply = check.Gone, "http-404", "HTTP/1.1 404 Not Found"
		}
		batch = append(batch, Checked{uint64(id + 1), r})
		if len(batch) == cap(batch) || i == n-1 {
			if err := s.Record(run, Policy{Splay: 0.2}, batch); err != nil {
				b.Fatal(err)
			}
			batch = batch[:0]
		}
	}
	if _, err := s.Tally(run); err != nil { // every run ends so
		b.Fatal(err)
	}
}

func benchStore(b *testing.B) *Store {
	s, err := Open(filepath.Join(b.TempDir(), "bench.db"), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

// measure reports a rate, and the processor time of one: on a busy machine that
// is the figure to compare.
func measure(b *testing.B, n int, what string, f func()) {
	begin, cpu := time.Now(), usage()
	f()
	b.ReportMetric(float64(n)/time.Since(begin).Seconds(), what+"/s")
	b.ReportMetric(float64((usage()-cpu).Nanoseconds())/float64(n)/1000, what+"-cpu-us")
}

func usage() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkLife makes a store, judges two nights, reads it in every way and
// compacts it, once for each size.
func BenchmarkLife(b *testing.B) {
	for _, n := range sizes() {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			s := benchStore(b)
			measure(b, n, "identify", func() { identifyLinks(n) })
			measure(b, n, "import", func() { importLinks(b, s, n) })
			b.ReportMetric(rss(), "import-MB")
			measure(b, n, "first-night", func() { night(b, s, n, epoch, 0) })
			measure(b, n, "night-5%", func() { night(b, s, n, epoch.Add(8*day), 0.05) })
			b.ReportMetric(rss(), "night-MB")
			benchReads(b, s, n)
			runtime.GC()
			b.ReportMetric(rss(), "read-MB")
			path := s.Path()
			b.ReportMetric(float64(sizeOf(path))/float64(n), "file-B/link")
			s.Close()
			begin := time.Now()
			_, after, err := Compact(path, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(time.Since(begin).Seconds(), "compact-s")
			b.ReportMetric(float64(after)/float64(n), "compact-B/link")
			begin = time.Now()
			again, err := Open(path, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(time.Since(begin).Milliseconds()), "open-ms")
			again.Close()
			b.ReportMetric(0, "ns/op")
		})
	}
}

func benchReads(b *testing.B, s *Store, n int) {
	ms := func(what string, f func()) {
		begin := time.Now()
		f()
		b.ReportMetric(float64(time.Since(begin).Microseconds())/1000, what+"-ms")
	}
	ms("due-none", func() {
		for range s.Due(epoch.Add(8*day), Filter{}) {
		}
	})
	ms("dupes", func() {
		if _, err := s.Sets(uri.Heuristic); err != nil {
			b.Fatal(err)
		}
	})
	ms("tally", func() {
		if _, err := s.Tally(2); err != nil {
			b.Fatal(err)
		}
	})
	ms("report", func() {
		for _, err := range s.Scan(Pick{Places: true, Past: true}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	const looks = 10000
	begin := time.Now()
	for i := range looks {
		if _, err := s.History(uint64(i*7919%n + 1)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(time.Since(begin).Nanoseconds())/looks/1000, "history-us")
}

// BenchmarkImport is the import alone.
func BenchmarkImport(b *testing.B) {
	for b.Loop() {
		s := benchStore(b)
		importLinks(b, s, *largest)
		s.Close()
	}
	b.ReportMetric(float64(*largest*b.N)/b.Elapsed().Seconds(), "links/s")
	b.ReportMetric(rss(), "MB")
}

// BenchmarkNight is a night with 5 % changed, alone.
func BenchmarkNight(b *testing.B) {
	s := benchStore(b)
	importLinks(b, s, *largest)
	night(b, s, *largest, epoch, 0)
	at := epoch
	for b.Loop() {
		at = at.Add(8 * day)
		night(b, s, *largest, at, 0.05)
	}
	b.ReportMetric(float64(*largest*b.N)/b.Elapsed().Seconds(), "results/s")
}
