//go:build unix

package robots

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// A file of 64 kB costs under 1 s of CPU, against a path of 50 kB too, and 2 MB of memory.
func TestCeilings(t *testing.T) {
	for name, tc := range hostile(64<<10, 50_000) {
		before := heap()
		begin := cpu(t)
		rules := Parse(tc[0], "a")
		rules.Allow(tc[1])
		if spent := cpu(t) - begin; spent > time.Second {
			t.Errorf("%s: %s of CPU", name, spent)
		}
		if more := heap() - before; more > 2<<20 {
			t.Errorf("%s: %d octets of memory", name, more)
		} else if more > 3*int64(rules.Size())/2+16<<10 {
			t.Errorf("%s: %d octets of memory, %d by Size", name, more, rules.Size())
		}
		runtime.KeepAlive(rules)
	}
	for name, tc := range hostile(MaxFile, 1<<20) {
		rules := Parse(tc[0], "a")
		if len(rules.list) > maxRules || rules.searches > maxSearches && name == "nearly" && len(rules.list) > maxSearches {
			t.Errorf("%s: %d rules are heeded", name, len(rules.list))
		}
		if _, passed := rules.decide(tc[1]); passed > maxRules*maxPath/2 {
			t.Errorf("%s: %d steps", name, passed)
		}
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// cpu is the time that this process has taken of all processors.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
