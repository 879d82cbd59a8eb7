package fleet

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"sync"
	"time"

	"linkcheck/store"
)

// Options are those of a worker.
type Options struct {
	Name   string // of the worker: letters, digits and hyphens
	Shards int    // of the set
	Engine Engine
	Times  Times
	Dir    string            // of its own files
	Copies Copies            // that all workers see; "": there are none, and each store is folded from the whole log
	Store  store.Options     // with which stores are opened; Emit and Context are the worker's
	Slots  int               // probes at a time, over all shards: bounds the asks of all
	Flags  map[string]string // as in Order: those who look are told
	Reads  bool              // it serves the first shard and no other; there is one such worker of a name

	// Serve does what is to be done for a shard: when it is live, and again whenever others
	// have changed it. Meanwhile it stays where it is. An error gives it back.
	Serve func(ctx context.Context, s *Shard) error
	Tell  func(shard int, what error) // is told why a shard is not served, or not copied; nil: not
}

// rest is how long a worker leaves a shard alone that it could not serve.
const rest = 30 * time.Second

// Worker serves its part of the shards of a set.
type Worker struct {
	o    Options
	life life
	kill chan struct{} // closed by Kill
	Kill func()        // ends Run as the end of its process would: nothing is given back

	mu      sync.Mutex
	serving map[int]*service
	rests   map[int]time.Time    // shards that could not be served, until when
	absent  map[uint64]time.Time // claims whose worker was not seen to live, since when
}

// New makes a worker.
func New(o Options) *Worker {
	if o.Tell == nil {
		o.Tell = func(int, error) {}
	}
	w := &Worker{o: o, serving: map[int]*service{}, rests: map[int]time.Time{}}
	w.kill = make(chan struct{})
	w.Kill = sync.OnceFunc(func() { close(w.kill) })
	w.life = life{engine: o.Engine, times: o.Times}
	return w
}

// Run lives, claims shards and serves them until ctx ends or it is told to go (Drain); then it
// gives them back, in order. The error is ErrSameName or one of the engine's at the beginning.
func (w *Worker) Run(ctx context.Context) error {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	stop, err := w.hear(leave)
	if err != nil {
		return err
	}
	defer stop()
	for ctx.Err() == nil {
		err := w.session(ctx)
		select {
		case <-w.kill:
			return nil
		default:
		}
		if err != nil && !errors.Is(err, errEnded) {
			return err
		}
	}
	return nil
}

// session is what a worker does under one incarnation.
func (w *Worker) session(ctx context.Context) error {
	for {
		err := w.life.begin(ctx, Session{Worker: w.o.Name, Incarnation: rand.Text(), Reads: w.o.Reads})
		if err == nil {
			break
		}
		if errors.Is(err, ErrSameName) {
			return err
		}
		w.o.Tell(-1, err)
		if pause(ctx, w.o.Times.Look) != nil {
			return nil
		}
	}
	living, end := context.WithCancelCause(context.WithoutCancel(ctx))
	var keeping sync.WaitGroup
	keeping.Go(func() { end(w.life.keep(living)) })
	for ctx.Err() == nil && living.Err() == nil {
		w.look(living)
		select {
		case <-time.After(w.o.Times.Look):
		case <-living.Done():
		case <-ctx.Done():
		case <-w.kill:
			end(ErrFenced)
		}
	}
	if living.Err() == nil {
		w.life.leave()
		keeping.Go(func() { // who is not sure has nothing to give back
			for w.life.sure() && pause(living, time.Second) == nil {
			}
			end(errEnded)
		})
	}
	w.giveBack()
	ended := living.Err() != nil
	end(nil)
	if keeping.Wait(); !ended {
		w.life.finish(context.WithoutCancel(ctx))
	}
	if err := context.Cause(living); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// giveBack ends the service of all shards.
func (w *Worker) giveBack() {
	w.mu.Lock()
	all := maps.Clone(w.serving)
	w.mu.Unlock()
	for _, s := range all {
		s.giveBack()
	}
	for _, s := range all {
		<-s.over
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.serving)
}

// look claims what this worker is to serve and what is free.
func (w *Worker) look(ctx context.Context) {
	w.drop()
	living, err := w.o.Engine.Living(ctx)
	if err != nil || !w.life.sure() {
		return
	}
	of := shares(w.o.Shards, living)
	for n, s := range w.serving { // for balance only what is idle moves
		if s.isIdle() && of[n] != w.o.Name {
			s.giveBack()
		}
	}
	type found struct {
		Claim
		seq uint64
	}
	claims := map[int]found{}
	for n := range w.o.Shards {
		if w.serving[n] != nil || time.Now().Before(w.rests[n]) || of[n] != w.o.Name {
			continue
		}
		c, seq, err := w.o.Engine.LastClaim(ctx, n)
		if err != nil {
			return
		}
		claims[n] = found{c, seq}
	}
	if len(claims) == 0 {
		return
	}
	if living, err = w.o.Engine.Living(ctx); err != nil { // the claims first, then who lives
		return
	}
	absent := map[uint64]time.Time{}
	for n, c := range claims {
		if !w.isFree(c.Claim, c.seq, living, absent) {
			continue
		}
		if seq, err := w.o.Engine.Claim(ctx, n, c.seq, Claim{Worker: w.o.Name, Incarnation: w.incarnation()}); err == nil {
			s := newService(ctx, w, n, seq, c.seq == 0 || c.Clean)
			w.mu.Lock()
			w.serving[n] = s
			w.mu.Unlock()
		}
	}
	w.absent = absent
}

func (w *Worker) incarnation() string {
	w.life.mu.Lock()
	defer w.life.mu.Unlock()
	return w.life.session.Incarnation
}

// isFree says whether a shard that this worker does not serve may be claimed: it was given
// back, or it is our own, by a claim that was not answered, or the session of its claim was
// absent twice, with some time between. absent is what the next look knows of that.
func (w *Worker) isFree(c Claim, seq uint64, living map[string]Life, absent map[uint64]time.Time) bool {
	if c.Worker == "" || c.Incarnation == w.incarnation() {
		return true
	}
	if living[c.Worker].Incarnation == c.Incarnation {
		return false
	}
	since, again := w.absent[seq]
	if !again {
		since = time.Now()
	}
	absent[seq] = since
	return again && time.Since(since) >= w.o.Times.Absent
}

// drop forgets services that have ended. A shard whose service failed rests.
func (w *Worker) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for n, s := range w.serving {
		select {
		case <-s.over:
			delete(w.serving, n)
			if why := context.Cause(s.ctx); !errors.Is(why, ErrFenced) && !errors.Is(why, context.Canceled) {
				w.rests[n] = time.Now().Add(rest)
				w.o.Tell(n, why)
			}
		default:
		}
	}
}

// share is how many links of a shard may be in hand, or wait for turns, at a time: those of all
// the shards of the worker fill its slots, and memory is bounded for the worker.
func (w *Worker) share() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	all, shards := asksPerSlot*max(w.o.Slots, 1), max(len(w.serving), 1)
	return (all + shards - 1) / shards
}
