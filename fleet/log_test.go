package fleet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"linkcheck/fleet"
	"linkcheck/fleet/engine"
	"linkcheck/store"
)

const ttl = 2 * time.Second

var testSet = fleet.Set{Name: "test", TTL: ttl, Replicas: 1, Octets: 1 << 30}

// eachEngine runs a law over each maker.
func eachEngine(t *testing.T, law func(t *testing.T, e fleet.Engine)) {
	t.Run("memory", func(t *testing.T) { law(t, fleet.NewMemory(ttl)) })
	t.Run("nats", func(t *testing.T) { law(t, dial(t, startEngine(t))) })
	if !testing.Short() {
		t.Run("three", func(t *testing.T) { law(t, dialCluster(t, startCluster(t))) })
	}
}

func startEngine(t testing.TB) *engine.Engine {
	t.Helper()
	s, err := engine.Start("127.0.0.1", 0, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	return s
}

func dial(t testing.TB, s *engine.Engine) *fleet.NATS {
	t.Helper()
	n, err := fleet.Dial(t.Context(), s.URL(), testSet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// someChanges are n changes that differ.
func someChanges(t testing.TB, n int) (list []store.Change) {
	for len(list) < n {
		list = append(list, changes(t, mentions(5+len(list), 3, 0, 1))...)
	}
	return list[:n]
}

// readAll gives the entries behind a place up to another, and the error that ended it.
func readAll(t testing.TB, l fleet.Log, shard int, after, to uint64) (list []fleet.Entry, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for e, err := range l.Read(ctx, shard, after) {
		if err != nil {
			return list, err
		}
		if list = append(list, e); e.Seq >= to {
			return list, nil
		}
	}
	return list, ctx.Err()
}

func mustClaim(t testing.TB, e fleet.Engine, shard int, last uint64, worker string) uint64 {
	t.Helper()
	seq, err := e.Claim(t.Context(), shard, last, fleet.Claim{Worker: worker, Incarnation: "1"})
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

func mustAppend(t testing.TB, e fleet.Engine, shard int, claim uint64, id string, c store.Change) uint64 {
	t.Helper()
	seq, err := e.Append(t.Context(), shard, fleet.Fence{Shard: shard, Claim: claim}, id, c)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

func same(t testing.TB, what string, got, want store.Change) {
	t.Helper()
	if got == nil || !bytes.Equal(store.EncodeChange(got), store.EncodeChange(want)) {
		t.Errorf("%s: another change", what)
	}
}

// Who reads a shard meets all of it and nothing else, in one order, from any place.
func TestLogOrder(t *testing.T) {
	eachEngine(t, func(t *testing.T, e fleet.Engine) {
		list := someChanges(t, 12)
		want := map[int][]uint64{}
		claim := mustClaim(t, e, 1, 0, "a")
		want[1] = append(want[1], claim)
		for i, c := range list {
			shard, fence := i%2, uint64(0)
			if i%4 == 1 {
				fence = claim
			}
			want[shard] = append(want[shard], mustAppend(t, e, shard, fence, fmt.Sprint(i), c))
		}
		for shard, seqs := range want {
			for from := range seqs {
				after := uint64(0)
				if from > 0 {
					after = seqs[from-1]
				}
				if after == claim {
					continue // a cursor is the place of a change
				}
				got, err := readAll(t, e, shard, after, seqs[len(seqs)-1])
				if err != nil || len(got) != len(seqs)-from {
					t.Fatalf("shard %d behind %d: %d entries, %v", shard, after, len(got), err)
				}
				for i, g := range got {
					if g.Seq != seqs[from+i] || (g.Seq == claim) != (g.Claim != nil) {
						t.Errorf("shard %d: %+v, want place %d", shard, g, seqs[from+i])
					}
				}
			}
		}
		got, err := readAll(t, e, 0, 0, want[0][len(want[0])-1])
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range got {
			same(t, fmt.Sprint("entry ", i), g.Change, list[2*i])
		}
	})
}

// Who waits at the end is handed what comes.
func TestLogWaits(t *testing.T) {
	eachEngine(t, func(t *testing.T, e fleet.Engine) {
		list := someChanges(t, 2)
		first := mustAppend(t, e, 7, 0, "1", list[0])
		go func() {
			time.Sleep(50 * time.Millisecond)
			_, _ = e.Append(context.WithoutCancel(t.Context()), 7, fleet.Fence{}, "2", list[1])
		}()
		got, err := readAll(t, e, 7, first, first+1)
		if err != nil || len(got) != 1 {
			t.Fatalf("%d entries, %v", len(got), err)
		}
		same(t, "what came", got[0].Change, list[1])
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range e.Read(ctx, 7, got[0].Seq) {
			t.Error("an entry for nobody")
		}
	})
}

// An append under a claim that stands no more is refused and leaves nothing behind; so does
// a claim that is not behind the last one.
func TestLogFences(t *testing.T) {
	eachEngine(t, func(t *testing.T, e fleet.Engine) {
		list := someChanges(t, 3)
		if c, seq, err := e.LastClaim(t.Context(), 3); c != (fleet.Claim{}) || seq != 0 || err != nil {
			t.Errorf("nobody's shard: %+v at %d, %v", c, seq, err)
		}
		a := mustClaim(t, e, 3, 0, "a")
		mustClaim(t, e, 4, 0, "a")
		mustAppend(t, e, 3, a, "a/1", list[0])
		if _, err := e.Claim(t.Context(), 3, 0, fleet.Claim{Worker: "b"}); !errors.Is(err, fleet.ErrFenced) {
			t.Errorf("a claim that knows of none before it: %v", err)
		}
		mustAppend(t, e, 3, a, "a/2", list[1])
		b := mustClaim(t, e, 3, a, "b")
		for _, id := range []string{"a/3", "a/3"} {
			if _, err := e.Append(t.Context(), 3, fleet.Fence{Shard: 3, Claim: a}, id, list[2]); !errors.Is(err, fleet.ErrFenced) {
				t.Errorf("the one before: %v", err)
			}
		}
		if _, err := e.Append(t.Context(), 4, fleet.Fence{Shard: 4, Claim: b}, "b/0", list[2]); !errors.Is(err, fleet.ErrFenced) {
			t.Errorf("under the claim of another shard: %v", err)
		}
		last := mustAppend(t, e, 3, b, "b/1", list[2])
		if c, seq, err := e.LastClaim(t.Context(), 3); c.Worker != "b" || seq != b || err != nil {
			t.Errorf("last claim %+v at %d, %v", c, seq, err)
		}
		if got, err := readAll(t, e, 3, 0, last); err != nil || len(got) != 5 {
			t.Errorf("%d entries, %v", len(got), err)
		}
	})
}

// What a shard hands another is let in while its own claim stands, and is nobody's who serves there.
func TestLogFencesBySender(t *testing.T) {
	eachEngine(t, func(t *testing.T, e fleet.Engine) {
		list := someChanges(t, 3)
		a := mustClaim(t, e, 0, 0, "a")
		there := mustClaim(t, e, 2, 0, "c")
		by := fleet.Fence{Shard: 0, Claim: a}
		handed, err := e.Append(t.Context(), 2, by, "a/1", list[0])
		if err != nil {
			t.Fatal(err)
		}
		mustClaim(t, e, 0, a, "b")
		if _, err := e.Append(t.Context(), 2, by, "a/2", list[1]); !errors.Is(err, fleet.ErrFenced) {
			t.Errorf("the one before: %v", err)
		}
		last := mustAppend(t, e, 2, there, "c/1", list[2])
		got, err := readAll(t, e, 2, 0, last)
		if err != nil || len(got) != 3 || got[1].Seq != handed || got[1].Fenced || !got[2].Fenced {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// What comes again under its id keeps its place, also where the claim stands no more.
func TestLogIDs(t *testing.T) {
	eachEngine(t, func(t *testing.T, e fleet.Engine) {
		list := someChanges(t, 2)
		a := mustClaim(t, e, 5, 0, "a")
		first := mustAppend(t, e, 5, a, "a/1", list[0])
		if again := mustAppend(t, e, 5, a, "a/1", list[0]); again != first {
			t.Errorf("again at %d, first at %d", again, first)
		}
		b := mustClaim(t, e, 5, a, "b")
		if again, err := e.Append(t.Context(), 5, fleet.Fence{Shard: 5, Claim: a}, "a/1", list[0]); err == nil && again != first || err != nil && !errors.Is(err, fleet.ErrFenced) {
			t.Errorf("from before: at %d, %v", again, err)
		}
		last := mustAppend(t, e, 5, b, "b/1", list[0])
		if got, err := readAll(t, e, 5, 0, last); err != nil || len(got) != 4 {
			t.Errorf("%d entries, %v", len(got), err)
		}
	})
}

// A store whose last change the log does not hold is told so.
func TestLogGap(t *testing.T) {
	eachEngine(t, func(t *testing.T, e fleet.Engine) {
		list := someChanges(t, 4)
		var at []uint64
		for i, c := range list {
			at = append(at, mustAppend(t, e, 6, 0, fmt.Sprint(i), c))
		}
		claim := mustClaim(t, e, 6, 0, "a")
		other := mustAppend(t, e, 8, 0, "other", list[0])
		if err := e.Purge(t.Context(), 6, at[2]); err != nil {
			t.Fatal(err)
		}
		for _, after := range []uint64{0, at[0], at[1], claim, other, other + 100} {
			if _, err := readAll(t, e, 6, after, claim); !errors.Is(err, fleet.ErrGap) {
				t.Errorf("behind %d: %v", after, err)
			}
		}
		got, err := readAll(t, e, 6, at[2], claim)
		if err != nil || len(got) != 2 || got[0].Seq != at[3] {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err := readAll(t, e, 8, 0, other); err != nil || len(got) != 1 {
			t.Errorf("another shard: %d entries, %v", len(got), err)
		}
	})
}

// A session lives while it is renewed by who knows its last renewal, and ends by itself.
func TestSessions(t *testing.T) {
	eachEngine(t, func(t *testing.T, e fleet.Engine) {
		one := fleet.Session{Worker: "a", Incarnation: "1"}
		seq, err := e.Renew(t.Context(), one, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Renew(t.Context(), fleet.Session{Worker: "a", Incarnation: "2"}, 0); !errors.Is(err, fleet.ErrFenced) {
			t.Errorf("one that knows of none: %v", err)
		}
		first := seq
		if seq, err = e.Renew(t.Context(), one, seq); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Renew(t.Context(), one, first); !errors.Is(err, fleet.ErrFenced) {
			t.Errorf("behind an earlier renewal: %v", err)
		}
		if living, err := e.Living(t.Context()); err != nil || len(living) != 1 || living["a"] != (fleet.Life{Session: one, Seq: seq}) {
			t.Errorf("%+v, %v", living, err)
		}
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(ttl / 10) {
			if living, err := e.Living(t.Context()); err != nil {
				t.Fatal(err)
			} else if len(living) == 0 {
				break
			}
		}
		if _, err := e.Renew(t.Context(), one, seq); !errors.Is(err, fleet.ErrFenced) {
			t.Errorf("one that has ended: %v", err)
		}
		if _, err := e.Renew(t.Context(), one, 0); err != nil {
			t.Errorf("begun again: %v", err)
		}
	})
}

// Messages go to those who hear a name, until they stop.
func TestWire(t *testing.T) {
	eachEngine(t, func(t *testing.T, e fleet.Engine) {
		heard := make(chan string, 10)
		stop, err := e.Hear("turn.001", func(b []byte) { heard <- string(b) })
		if err != nil {
			t.Fatal(err)
		}
		e.Send("turn.002", []byte("elsewhere"))
		e.Send("turn.001", []byte("here"))
		if got := <-heard; got != "here" {
			t.Errorf("heard %q", got)
		}
		stop()
		stop()
		e.Send("turn.001", []byte("after"))
		time.Sleep(20 * time.Millisecond)
		if len(heard) != 0 {
			t.Error("heard after the end")
		}
	})
}
