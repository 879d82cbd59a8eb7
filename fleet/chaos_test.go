package fleet_test

import (
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	"linkcheck/fleet"
	"linkcheck/fleet/engine"
)

// quick are times for a test on a real clock.
func quick() fleet.Times {
	t := fleet.Times{
		Renew: 300 * time.Millisecond, Sure: 1200 * time.Millisecond, Absent: 300 * time.Millisecond, Look: 200 * time.Millisecond, Probe: 500 * time.Millisecond,
		Gap: 25 * time.Millisecond, Idle: 200 * time.Millisecond, Repeat: time.Second, Copy: 2 * time.Second,
	}
	if links > usualLinks { // there is work for all processors, and a copy takes long
		t.Probe, t.Copy = 5*time.Second, time.Minute
	}
	return t
}

var portsGiven sync.Map

// lastingPort is one for a server that ends and comes back, or begins later: no system gives it to
// another socket unasked meanwhile, as it does with those of port 0, and no test has it twice.
func lastingPort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := 20_000 + rand.IntN(10_000)
		if _, given := portsGiven.LoadOrStore(port, true); given {
			continue
		}
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// The same over a NATS server, on the clock of the machine: a worker is killed, one is cut
// off, and the engine is ended and begins again.
func TestChaos(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 20 s")
	}
	t.Parallel()
	dir := t.TempDir()
	port := lastingPort(t)
	server, err := engine.Start("127.0.0.1", port, dir)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, dial(t, server), quick())
	w.net.Visit = 20 * time.Millisecond
	begun := time.Now()
	a, b, c := w.start("a", "a"), w.start("b", "b"), w.start("c", "c")
	w.begin(a, b, c)
	time.Sleep(1500 * time.Millisecond)
	b.Kill()
	time.Sleep(2500 * time.Millisecond)
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	if server, err = engine.Start("127.0.0.1", port, dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	time.Sleep(time.Second)
	c.Engine.Lost.Store(true)
	time.Sleep(2 * time.Second)
	c.Engine.Lost.Store(false)
	m := w.finish(a, c, w.start("d", "d"))
	t.Logf("%+v in %v", m, time.Since(begun))
	if m.Overlaps > 0 || m.Short > 0 || m.Visits < links {
		t.Errorf("%+v", m)
	}
}
