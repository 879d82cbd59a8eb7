// Package oneprocess is a fleet whose workers share a process and an engine in its memory. It
// lives through nights one after another.
package oneprocess

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"linkcheck/crawl"
	"linkcheck/fleet"
	"linkcheck/store"
)

const (
	slots   = 32              // of a worker
	session = 2 * time.Second // a worker is sure for a second of it
)

// times are those of a fleet in which nobody waits long: probe is the longest one.
func times(probe time.Duration) fleet.Times {
	return fleet.Times{
		Renew: 300 * time.Millisecond, Sure: time.Second, Absent: 200 * time.Millisecond, Look: 100 * time.Millisecond, Probe: probe,
		Idle: time.Second, Repeat: time.Second, Copy: time.Hour,
	}
}

// Options are those of a fleet.
type Options struct {
	Dir     string // of the files of the workers, and of copies
	Shards  int
	Workers int
	Probe   time.Duration    // the longest that a probe takes
	Now     func() time.Time // of the stores

	// Read reads into the first shard, which hands the others their part, and begins a run.
	Read func(ctx context.Context, st *store.Store) (run uint64, err error)
	// Open is that of fleet.Night, for a worker.
	Open func(ctx context.Context, w *fleet.Worker) (crawl.Options, func() error, error)
	Tell func(worker string, shard int, what error)
}

// Fleet is one that works.
type Fleet struct {
	o       Options
	copies  fleet.Copies
	over    chan error // of each worker
	reading chan chan begun
	made    chan made
	end     context.CancelFunc
}

// begun is a run that began after a reading.
type begun struct {
	run uint64
	err error
}

// made is the last run of a shard, where it has ended.
type made struct {
	shard int
	run   store.Run
}

// Start starts the workers.
func Start(ctx context.Context, o Options) (*Fleet, error) {
	f := &Fleet{o: o, copies: fleet.Copies(filepath.Join(o.Dir, "copies")), over: make(chan error, o.Workers), reading: make(chan chan begun), made: make(chan made)}
	var workers []*fleet.Worker
	engine, dirs := fleet.NewMemory(session), []string{string(f.copies)}
	for n := range o.Workers {
		name := fmt.Sprintf("worker-%d", n+1)
		dirs = append(dirs, filepath.Join(o.Dir, name))
		night := &fleet.Night{Slots: make(chan struct{}, slots)}
		w := fleet.New(fleet.Options{
			Name: name, Shards: o.Shards, Engine: engine, Times: times(o.Probe), Dir: dirs[n+1], Copies: f.copies, Slots: slots, Store: store.Options{Now: o.Now},
			Serve: func(ctx context.Context, sh *fleet.Shard) error { return f.serve(ctx, night, sh) },
			Tell:  func(shard int, what error) { o.Tell(name, shard, what) },
		})
		night.Open = func(ctx context.Context, _ store.Run, _ fleet.Order) (crawl.Options, func() error, error) {
			return o.Open(ctx, w)
		}
		workers = append(workers, w)
	}
	for _, dir := range dirs {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, err
		}
	}
	ctx, f.end = context.WithCancel(ctx)
	for _, w := range workers {
		go func() { f.over <- w.Run(ctx) }()
	}
	return f, nil
}

// serve makes the nights of a shard. Who has the first one reads for all.
func (f *Fleet) serve(ctx context.Context, n *fleet.Night, sh *fleet.Shard) error {
	for {
		sum, err := n.Make(ctx, sh)
		if err != nil {
			return err
		}
		if sum.Run.ID != 0 {
			select {
			case f.made <- made{sh.Number, sum.Run}:
			case <-ctx.Done():
				return nil
			}
		}
		if sh.Number != 0 {
			return nil
		}
		select {
		case done := <-f.reading:
			run, err := f.o.Read(ctx, sh.Store)
			done <- begun{run, err}
		case <-ctx.Done():
			return nil
		}
	}
}

// Night has one worker read, and waits until all shards have made their night. It gives the
// number of links that were checked, and how states changed.
func (f *Fleet) Night(ctx context.Context) (all store.Run, err error) {
	done, ask, last := make(chan begun, 1), f.reading, map[int]store.Run{}
	for all.ID == 0 || !endsIn(last, all.ID, f.o.Shards) {
		select {
		case ask <- done:
			ask = nil
		case read := <-done:
			if all.ID = read.run; read.err != nil {
				return all, read.err
			}
		case m := <-f.made: // others may have made their night before the reading is over
			last[m.shard] = m.run
		case <-ctx.Done():
			return all, ctx.Err()
		}
	}
	all.Changes = map[string]int{}
	for _, r := range last {
		all.Checked += r.Checked
		for change, n := range r.Changes {
			all.Changes[change] += n
		}
	}
	return all, nil
}

// endsIn says whether a run is the last one of each shard.
func endsIn(last map[int]store.Run, run uint64, shards int) bool {
	for n := range shards {
		if last[n].ID != run {
			return false
		}
	}
	return true
}

// Close has the workers give their shards back, and fills a new folder with these, which is
// read as one store.
func (f *Fleet) Close(ctx context.Context, to string) error {
	f.end()
	var err error
	for range f.o.Workers {
		err = errors.Join(err, <-f.over)
	}
	if err == nil {
		err = os.Mkdir(to, 0o755)
	}
	if err == nil {
		err = f.copies.Folder(ctx, to, f.o.Shards)
	}
	return err
}
