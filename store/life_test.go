package store

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"linkcheck/store/internal/pending"
	"linkcheck/uri/equal"
)

// figures are what one life of a store came to, in the order of their coming.
type figures struct {
	b     *testing.B
	n     int
	names []string
	value map[string]float64
}

func (f *figures) add(name string, v float64) {
	f.names = append(f.names, name)
	f.value[name] = v
	f.b.ReportMetric(v, name)
}

// measure reports a rate, the processor time of one (on a busy machine that is the
// figure to compare) and the most memory meanwhile that no file stands behind.
func (f *figures) measure(what string, do func()) {
	stop, most := make(chan struct{}), make(chan float64)
	go watchMemory(stop, most)
	begin, cpu := time.Now(), usage()
	do()
	took, used := time.Since(begin), usage()-cpu
	close(stop)
	f.add(what+"/s", float64(f.n)/took.Seconds())
	f.add(what+"-cpu-us", float64(used.Nanoseconds())/float64(f.n)/1000)
	f.add(what+"-MB", <-most)
	debug.FreeOSMemory() // the next measure begins with what lives
}

func (f *figures) ms(what string, do func()) {
	begin := time.Now()
	do()
	f.add(what+"-ms", float64(time.Since(begin).Microseconds())/1000)
}

func watchMemory(stop <-chan struct{}, most chan<- float64) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for peak := rss(); ; peak = max(peak, rss()) {
		select {
		case <-tick.C:
		case <-stop:
			most <- peak
			return
		}
	}
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

func usage() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkLife makes a store, judges two nights, reads it in every way and
// compacts it, once for each size, and prints how the figures grow. Beside import
// and night stand those of a bare bbolt that is given the same rows: in the order
// of their keys, which is the least that such a file costs, and in the order of
// their coming.
func BenchmarkLife(b *testing.B) {
	var all []*figures
	for _, n := range sizes() {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			f := &figures{b: b, n: n, value: map[string]float64{}}
			f.life(b)
			all = append(all, f)
			b.ReportMetric(0, "ns/op")
		})
	}
	if len(all) > 0 {
		fmt.Print("\n", growth(all))
	}
}

// growth is the table: a line for each figure, a column for each size.
func growth(all []*figures) string {
	wanted := map[string]string{"import/s": ">= 100000", "night-5%/s": ">= 50000", "due-none-ms": "< 100", "history-us": "< 10",
		"dupes-ms": "< 1000", "compact-B/link": "<= 600", "import-MB": "< 100", "first-night-MB": "< 100", "night-5%-MB": "< 100"}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "links\t")
	for _, f := range all {
		fmt.Fprintf(w, "%d\t", f.n)
	}
	fmt.Fprint(w, "wanted\t\n")
	for _, name := range all[0].names {
		fmt.Fprintf(w, "%s\t", name)
		for _, f := range all {
			fmt.Fprintf(w, "%.1f\t", f.value[name])
		}
		fmt.Fprintf(w, "%s\t\n", wanted[name])
	}
	w.Flush()
	return text.String()
}

func (f *figures) life(b *testing.B) {
	s, n := benchStore(b), f.n
	f.measure("identify", func() { identifyLinks(n) })
	r := newBare(b, s)
	f.measure("import", func() { importLinks(b, s, n) })
	f.measure("import-again", func() { importLinks(b, s, n) })
	f.measure("bare-import", func() { r.inOrder(bucketMention, bucketLink, bucketState, pending.BucketIndex) })
	f.measure("bare-identities-as-come", func() { r.identitiesAsCome() })
	f.measure("first-night", func() { night(b, s, n, epoch, 0) })
	f.measure("bare-first-night", func() { r.inOrder(bucketState, bucketHistory) })
	f.measure("bare-states-as-come", func() { r.statesAsCome(n) })
	f.measure("night-5%", func() { night(b, s, n, epoch.Add(8*day), 0.05) })
	f.measure("bare-night-5%", func() { r.inOrder(bucketState) })
	f.reads(b, s)
	path := s.Path()
	f.add("file-B/link", float64(sizeOf(path))/float64(n))
	s.Close()
	begin := time.Now()
	_, after, err := Compact(context.Background(), path, nil)
	if err != nil {
		b.Fatal(err)
	}
	f.add("compact-s", time.Since(begin).Seconds())
	f.add("compact-B/link", float64(after)/float64(n))
	f.ms("open", func() {
		again, err := Open(path, nil)
		if err != nil {
			b.Fatal(err)
		}
		again.Close()
	})
}

func (f *figures) reads(b *testing.B, s *Store) {
	f.ms("due-none", func() {
		for range s.Due(epoch.Add(8*day), Filter{}) {
		}
	})
	f.ms("dupes", func() {
		if _, err := s.Sets(b.Context(), equal.Heuristic); err != nil {
			b.Fatal(err)
		}
	})
	f.ms("tally", func() {
		if _, err := s.Tally(2); err != nil {
			b.Fatal(err)
		}
	})
	f.ms("report", func() {
		for _, err := range s.Scan(Pick{Mentions: true, History: true}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	const looks = 10000
	begin := time.Now()
	for i := range looks {
		if _, err := s.Explain(uint64(i*7919%f.n + 1)); err != nil {
			b.Fatal(err)
		}
	}
	f.add("history-us", float64(time.Since(begin).Nanoseconds())/looks/1000)
	runtime.GC()
	f.add("read-MB", rss())
}
