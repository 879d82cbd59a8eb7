//go:build unix

package hostqueue

import (
	"fmt"
	"syscall"
	"testing"
	"time"
)

// growths are nights of n hosts with two links each.
var growths = []struct {
	what    string
	name    func(i int) string
	address string                    // of all; "": each has one of its own
	gap     func(i int) time.Duration // after the i-th turn
	backOff bool                      // each host asks to be left alone after its first answer
}{
	{"gaps of all lengths", someSite, "", func(i int) time.Duration { return time.Duration(i*7919%60) * time.Second }, false},
	{"one site at one address", oneSite, "192.0.2.1", noGap, false},
	{"one site at one address that backs off", oneSite, "192.0.2.1", noGap, true},
	{"sites of a front that back off", someSite, "192.0.2.1", noGap, true},
}

func someSite(i int) string { return fmt.Sprintf("www.site%d.example", i) }

func oneSite(i int) string { return fmt.Sprintf("h%d.site.example", i) }

func noGap(int) time.Duration { return 0 }

// playNight gives all links their turns, and says how many turns there were.
func playNight(t testing.TB, n int, which int) (turns int) {
	g, now := &growths[which], time.Unix(1e9, 0)
	q := New(1, 0)
	for id := range 2 * n {
		q.Add(q.Host(g.name(id%n), g.address == ""), uint64(id))
	}
	left := 0
	for ; q.Len() > 0; turns++ {
		turn, wait, ok := q.Next(now)
		switch {
		case !ok && wait < 0:
			t.Fatalf("%d links wait and no queue will open", q.Len())
		case !ok:
			now = now.Add(wait)
		case !turn.Host.Located:
			q.Locate(turn, g.address)
		default:
			q.Done(turn, now, g.gap(turns))
			if g.backOff {
				left += len(q.BackOff(turn.Host))
			}
		}
	}
	if g.backOff && left != n {
		t.Fatalf("%d hosts gave back a link, want %d", left, n)
	}
	return turns
}

// TestGrowth: sixteen times the hosts take at most a hundred times the processor time, for they take more than the
// caches hold; what grows with
// their square takes 256 times as much.
func TestGrowth(t *testing.T) {
	const few, times, most = 2000, 16, 100
	for which, g := range growths {
		least := func(n int) time.Duration {
			best := time.Hour
			for range 3 {
				before := processor(t)
				playNight(t, n, which)
				best = min(best, processor(t)-before)
			}
			return best
		}
		small, large := least(few), least(few*times)
		ratio := float64(large) / float64(small)
		t.Logf("%s: %d hosts %v, %d hosts %v: %.0f times", g.what, few, small, few*times, large, ratio)
		if ratio > most {
			t.Errorf("%s: %.0f times the time for %d times the hosts", g.what, ratio, times)
		}
	}
}

// processor is the time that this process has had.
func processor(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkDecision says how long it takes to find out whose turn it is, among more and more hosts.
func BenchmarkDecision(b *testing.B) {
	for which, g := range growths {
		for n := 1000; n <= 1_000_000; n *= 10 {
			b.Run(fmt.Sprintf("%s/hosts=%d", g.what, n), func(b *testing.B) {
				turns, before := 0, processor(b)
				for b.Loop() {
					turns += playNight(b, n, which)
				}
				b.ReportMetric(float64((processor(b)-before).Nanoseconds())/float64(turns), "cpu-ns/turn")
			})
		}
	}
}
