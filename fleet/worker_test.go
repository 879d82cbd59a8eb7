package fleet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"linkcheck/fleet"
	"linkcheck/store"
	"linkcheck/store/setfile"
)

// idle is a worker that does nothing for its shards.
func (w *world) idle(name string, served chan<- int) *worker {
	w.night.other = func(_ context.Context, _ string, sh *fleet.Shard) error {
		served <- sh.Number
		return nil
	}
	return w.start(name, name)
}

// A shard whose log cannot be read on is named and keeps its gates; the others go on.
func TestStuckShard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := fleet.NewMemory(fleet.SessionTTL)
		w := newWorld(t, m, fleet.UsualTimes())
		fleet.AppendOctets(m, 3, "newer", []byte{200, 200, 200})
		served := make(chan int, shards)
		a := w.idle("a", served)
		time.Sleep(10 * time.Second)
		list := a.Status()
		if len(list) != shards || len(served) != shards-1 {
			t.Fatalf("%d shards, %d served", len(list), len(served))
		}
		for _, s := range list {
			if (s.Shard == 3) != errors.Is(s.Stuck, store.ErrNewer) || (s.Shard == 3) == s.Live {
				t.Errorf("%+v", s)
			}
		}
		answers := make(chan string, 1)
		stop, err := m.Hear("go.x", func(b []byte) { answers <- string(b) })
		if err != nil {
			t.Fatal(err)
		}
		gate := 0
		for fleet.Place(fmt.Sprint("g", gate), shards) != 3 {
			gate++
		}
		m.Send("turn.003", []byte(fmt.Sprintf(`[{"v":1,"op":"ask","gate":"g%d","from":"x","id":"1"}]`, gate)))
		if got := <-answers; !strings.Contains(got, `"id":"1"`) {
			t.Errorf("the keeper says %s", got)
		}
		stop()
		if err := a.Leave(); err != nil {
			t.Error(err)
		}
		if c, _, err := m.LastClaim(t.Context(), 3); err != nil || c.Worker != "" {
			t.Errorf("%+v, %v", c, err)
		}
	})
}

// Of two processes with one name the later one stays.
func TestSameName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, fleet.NewMemory(fleet.SessionTTL), fleet.UsualTimes())
		served := make(chan int, 4*shards)
		first := w.idle("a", served)
		time.Sleep(10 * time.Second)
		second := w.start("a", "elsewhere")
		if err := <-first.over; !errors.Is(err, fleet.ErrSameName) {
			t.Errorf("the first: %v", err)
		}
		time.Sleep(10 * time.Second)
		if n := len(second.Status()); n != shards {
			t.Errorf("the second serves %d shards", n)
		}
		if err := second.Leave(); err != nil {
			t.Error(err)
		}
	})
}

// A shard of which the service fails rests, and is given back meanwhile.
func TestFailingService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, fleet.NewMemory(fleet.SessionTTL), fleet.UsualTimes())
		var failed atomic.Int32
		w.night.other = func(_ context.Context, _ string, sh *fleet.Shard) error {
			if sh.Number != 2 {
				return nil
			}
			failed.Add(1)
			return errors.New("no room on the disk")
		}
		a := w.start("a", "a")
		time.Sleep(20 * time.Second)
		if c, _, err := w.engine.LastClaim(t.Context(), 2); c.Worker != "" || c.Clean || err != nil || failed.Load() != 1 {
			t.Errorf("%+v, %v, %d times", c, err, failed.Load())
		}
		if time.Sleep(60 * time.Second); failed.Load() < 2 || failed.Load() > 3 {
			t.Errorf("failed %d times", failed.Load())
		}
		if err := a.Leave(); err != nil {
			t.Error(err)
		}
	})
}

// A copy that is not as it was written is named and not served, and the other shards are; when it
// is whole again so is its shard.
func TestDamagedCopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, fleet.NewMemory(fleet.SessionTTL), fleet.UsualTimes())
		a := w.start("a", "a")
		w.begin(a)
		time.Sleep(20 * time.Second)
		if err := a.Leave(); err != nil {
			t.Fatal(err)
		}
		copies := filepath.Join(w.dir, "copies")
		list, err := setfile.Cursors(copies, 3)
		if err != nil || len(list) == 0 {
			t.Fatal(list, err)
		}
		name := setfile.Copy(copies, 3, list[0])
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		damaged := bytes.Clone(whole)
		for at := len(damaged) / 3; at < len(damaged)*2/3; at += 100 {
			damaged[at] ^= 1
		}
		if err := os.WriteFile(name, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		told := make(chan string, 1000)
		b := w.night.Start(fleet.Options{
			Name: "b", Shards: shards, Engine: w.engine, Times: w.times, Dir: t.TempDir(), Copies: fleet.Copies(copies), Slots: 100,
			Tell: func(shard int, what error) { told <- fmt.Sprint(shard, " ", what) },
		})
		time.Sleep(time.Minute)
		if s := <-told; !strings.Contains(s, "3 copy "+filepath.Base(name)) || !strings.Contains(s, store.ErrCorrupt.Error()) {
			t.Errorf("told: %s", s)
		}
		for _, s := range b.Status() {
			if s.Live == (s.Shard == 3) {
				t.Errorf("%+v", s)
			}
		}
		if err := os.WriteFile(name, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		if m := w.finish(b); m.Overlaps > 0 || m.Short > 0 || m.Visits < links {
			t.Errorf("%+v", m)
		}
	})
}

// A claim that was heard and not answered is not held on by who does not serve.
func TestUnansweredClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, fleet.NewMemory(fleet.SessionTTL), fleet.UsualTimes())
		w.night.mute = true
		a := w.idle("a", make(chan int, 4*shards))
		time.Sleep(5 * time.Second)
		if n := len(a.Status()); n != 0 {
			t.Errorf("%d shards are served", n)
		}
		a.Engine.Mute.Store(false)
		if time.Sleep(5 * time.Second); len(a.Status()) != shards {
			t.Errorf("%d shards are served", len(a.Status()))
		}
		a.Engine.Mute.Store(true)
		if err := a.Leave(); err != nil {
			t.Error(err)
		}
		for n := range shards {
			if c, _, err := w.engine.LastClaim(t.Context(), n); err != nil || c.Worker != "" {
				t.Errorf("shard %d: %+v, %v", n, c, err)
			}
		}
	})
}

// A renewal that was heard and not answered does not outlive who has left.
func TestUnansweredRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, fleet.NewMemory(fleet.SessionTTL), fleet.UsualTimes())
		a := w.idle("a", make(chan int, 4*shards))
		time.Sleep(5 * time.Second)
		if living, err := w.engine.Living(t.Context()); err != nil || living["a"].Incarnation == "" {
			t.Errorf("%+v, %v", living, err)
		}
		a.Engine.Dull.Store(true)
		time.Sleep(fleet.UsualTimes().Renew)
		if err := a.Leave(); err != nil {
			t.Error(err)
		}
		if living, err := w.engine.Living(t.Context()); err != nil || living["a"].Incarnation != "" {
			t.Errorf("%+v, %v", living, err)
		}
	})
}
