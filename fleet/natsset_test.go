package fleet_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"linkcheck/fleet"
	"linkcheck/store/setfile"
	"linkcheck/uri/equal"
)

// A program finds the one set of an engine, or that of a name, and refuses what is not for it.
func TestFindSet(t *testing.T) {
	at := fleet.Access{URL: startEngine(t).URL()}
	find := func(name string, want error) {
		t.Helper()
		n, err := fleet.Find(t.Context(), at, name)
		if !errors.Is(err, want) {
			t.Errorf("set %q: %v, want %v", name, err, want)
		}
		if err == nil {
			if n.Of.Shards != 4 || n.TTL != time.Second {
				t.Errorf("%+v, %s", n.Of, n.TTL)
			}
			n.Close()
		}
	}
	set := fleet.Set{Name: "one", Shards: 4, TTL: time.Second, Replicas: 1, Octets: 1 << 20}
	find("", fleet.ErrNoSet)
	n, err := fleet.Make(t.Context(), at, set)
	if err != nil {
		t.Fatal(err)
	}
	n.Close()
	find("", nil)
	find("one", nil)
	find("two", fleet.ErrNoSet)
	if _, err := fleet.Make(t.Context(), at, set); !errors.Is(err, fleet.ErrStands) {
		t.Errorf("made twice: %v", err)
	}
	for _, by := range []time.Duration{time.Hour, -time.Hour} {
		restore := fleet.SetClock(by)
		find("", fleet.ErrClock)
		restore()
	}
	find("", nil)
	set.Name = "two"
	if n, err = fleet.Make(t.Context(), at, set); err != nil {
		t.Fatal(err)
	}
	n.Close()
	find("", fleet.ErrNoSet)
	find("two", nil)
}

// A set of another schema or edition, or one that no program of ours made, is refused.
func TestOtherSet(t *testing.T) {
	at := fleet.Access{URL: startEngine(t).URL()}
	n, err := fleet.Make(t.Context(), at, fleet.Set{Name: "a", Shards: 4, TTL: time.Second, Replicas: 1, Octets: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	n.Close()
	conn, err := nats.Connect(at.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "LC_A_LOG")
	if err != nil {
		t.Fatal(err)
	}
	c := s.CachedInfo().Config
	for _, other := range []func(*setfile.Set){
		func(is *setfile.Set) { is.Edition = equal.Edition + 1 },
		func(is *setfile.Set) { is.Edition = equal.Edition - 1 },
		func(is *setfile.Set) { is.Schema = "linkcheck.set.v2" },
		func(is *setfile.Set) { is.Place = setfile.Place + 1 },
		func(is *setfile.Set) { is.Shards = 0 },
		func(is *setfile.Set) { *is = setfile.Set{} },
	} {
		is := setfile.NewFleet(4, equal.Edition)
		other(is)
		said, err := json.Marshal(is)
		if err != nil {
			t.Fatal(err)
		}
		c.Metadata["linkcheck"] = string(said)
		if _, err := js.UpdateStream(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if _, err := fleet.Find(t.Context(), at, ""); !errors.Is(err, fleet.ErrOtherSet) {
			t.Errorf("%s: %v", said, err)
		}
	}
}

// An engine that is not there, and one that knows nobody of these credentials.
func TestNoEngine(t *testing.T) {
	if _, err := fleet.Find(t.Context(), fleet.Access{URL: "nats://127.0.0.1:1"}, ""); !errors.Is(err, fleet.ErrNoEngine) {
		t.Error(err)
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, Username: "a", Password: "b"})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("not ready")
	}
	if _, err := fleet.Find(t.Context(), fleet.Access{URL: s.ClientURL()}, ""); !errors.Is(err, fleet.ErrRefused) {
		t.Error(err)
	}
}

// There is one who reads, and it serves the first shard alone. When its session has ended in
// order the next one need not wait.
func TestOneReads(t *testing.T) {
	e := fleet.NewMemory(fleet.SessionTTL)
	for range 2 {
		ctx, leave := context.WithCancel(t.Context())
		served, over := make(chan int, 4), make(chan error, 1)
		reader := func() *fleet.Worker {
			return fleet.New(fleet.Options{
				Name: "run", Reads: true, Shards: 4, Engine: e, Times: quick(), Dir: t.TempDir(),
				Serve: func(ctx context.Context, sh *fleet.Shard) error { served <- sh.Number; return nil },
			})
		}
		go func() { over <- reader().Run(ctx) }()
		if n := <-served; n != 0 {
			t.Errorf("shard %d", n)
		}
		if err := reader().Run(ctx); !errors.Is(err, fleet.ErrSameName) {
			t.Errorf("a second one: %v", err)
		}
		leave()
		if err := <-over; err != nil || len(served) > 0 {
			t.Errorf("%v, %d more shards", err, len(served))
		}
		if list, err := fleet.Look(t.Context(), e, time.Second); err != nil || len(list) > 0 {
			t.Errorf("%+v, %v", list, err)
		}
	}
}
