package fleet

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"linkcheck/store"
)

// Shard is a shard that is served: its store knows all that the log held before its claim.
// What is written to the store goes through the log.
type Shard struct {
	Number int
	Store  *store.Store
	Turns  *Asker
	Sure   func() bool // no probe begins while it is not
	Share  func() int  // links that may be in hand at a time, of all that the worker may have

	w *Worker
	s *service
}

// service serves one shard under one claim, until it is given back or something ends it.
type service struct {
	w     *Worker
	n     int
	claim uint64
	quiet time.Duration

	session context.Context // of the worker
	ctx     context.Context // of the service
	end     context.CancelCauseFunc
	back    chan struct{} // closed by giveBack
	over    chan struct{} // closed when nothing of it goes on

	asker    *Asker
	giveBack func() // ends the service in order

	number  atomic.Uint64 // of the last append
	copying sync.Mutex    // held while a copy is made

	mu      sync.Mutex
	applied uint64
	live    bool
	news    int           // changes that others have made
	idle    bool          // nothing is to be done until there are news
	stuck   error         // why the log cannot be folded on
	night   Standing      // of the last night
	changed chan struct{} // closed when one of these is another
}

// newService begins to serve a shard. Where it was not given back with all turns ended its
// keeper is quiet at first.
func newService(session context.Context, w *Worker, n int, claim uint64, clean bool) *service {
	s := &service{w: w, n: n, claim: claim, session: session, back: make(chan struct{}), over: make(chan struct{}), changed: make(chan struct{})}
	s.ctx, s.end = context.WithCancelCause(session)
	s.asker = newAsker(&w.o, n, claim, w.life.sure, w.share)
	s.giveBack = sync.OnceFunc(func() { close(s.back) })
	if !clean {
		s.quiet = w.o.Times.quiet()
	}
	go s.run()
	return s
}

// run serves, and gives the claim back: who does not serve does not hold.
func (s *service) run() {
	defer close(s.over)
	clean := false
	if err := s.serve(&clean); err != nil {
		s.end(err)
	}
	s.end(nil)
	if errors.Is(context.Cause(s.ctx), ErrFenced) {
		return
	}
	for end := time.Now().Add(s.w.o.Times.Sure); ; {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(s.session), s.w.o.Times.Renew)
		_, err := s.w.o.Engine.Claim(ctx, s.n, s.claim, Claim{Clean: clean})
		cancel()
		if err == nil || errors.Is(err, ErrFenced) || time.Now().After(end) || pause(s.session, s.w.o.Times.Look) != nil { // the end of the session frees it too
			return
		}
	}
}

// serve keeps the gates of the shard and has its store served. clean: all turns have ended.
func (s *service) serve(clean *bool) error {
	k := newKeeping(s.w.o.Engine, newKeeper(s.w.o.Times, s.claim, time.Now().Add(s.quiet)), s.w.life.sure)
	stop, err := s.w.o.Engine.Hear("turn."+shardName(s.n), k.hear)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(s.ctx)
	var keeping sync.WaitGroup
	keeping.Go(func() { k.run(ctx) })
	end, err := s.asker.start()
	if err == nil {
		err = s.store()
		end()
	}
	if err == nil && s.ctx.Err() == nil { // it is given back
		*clean = k.drain()
	}
	stop()
	cancel()
	keeping.Wait()
	return err
}

// store opens the store, folds the log into it, and has it served from the claim on.
func (s *service) store() (err error) {
	file, o := filepath.Join(s.w.o.Dir, shardName(s.n)+".db"), s.w.o.Store
	o.Fleet, o.Shard = s.w.o.Shards, s.n
	if err := s.w.o.Copies.fetch(s.ctx, s.n, file, &o); err != nil {
		return err
	}
	o.Emit, o.Divide, o.Context = s.emit, s.hand, s.ctx
	st, err := store.Open(file, &o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close(st)) }()
	folding, stop := context.WithCancel(s.ctx)
	var fold sync.WaitGroup
	fold.Go(func() { s.fold(folding, st) })
	defer fold.Wait()
	defer stop()
	if !s.waitFor(func() bool { return s.live }) {
		return nil
	}
	return s.served(st)
}

// close closes the store. What probers would still note for another night is not: the log is
// not folded any more.
func (s *service) close(st *store.Store) error {
	s.set(func() { s.stuck = errors.Join(errClosing, s.stuck) })
	if err := st.Close(); !errors.Is(err, errClosing) {
		return err
	}
	return nil
}

// served has the store served until the shard is given back, the service ends, or the log
// is stuck; then its keeper goes on alone. Copies are made meanwhile and at the end.
func (s *service) served(st *store.Store) error {
	stop, err := s.hearQuestions(st)
	if err != nil {
		return err
	}
	defer stop()
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	var serving sync.WaitGroup
	serving.Go(func() { s.serveNews(ctx, &Shard{s.n, st, s.asker, s.w.life.sure, s.w.share, s.w, s}) })
	tick := time.NewTicker(s.w.o.Times.Copy)
	defer tick.Stop()
	for s.waitUntil(tick.C, func() bool { return s.stuck != nil }) {
		if err := s.copy(st); err != nil && s.ctx.Err() == nil {
			s.w.o.Tell(s.n, err)
		}
	}
	cancel()
	serving.Wait()
	s.waitFor(func() bool { return false })
	if s.ctx.Err() != nil {
		return nil
	}
	return s.copy(st)
}

// serveNews has the shard served until ctx ends: at first, and whenever others have changed it.
func (s *service) serveNews(ctx context.Context, sh *Shard) {
	for {
		var seen int
		s.set(func() { seen, s.idle = s.news, false })
		if err := s.w.o.Serve(ctx, sh); err != nil && ctx.Err() == nil {
			s.end(err)
			return
		}
		if s.set(func() { s.idle = true }); !s.waitFor(func() bool { return s.news != seen || ctx.Err() != nil }) || ctx.Err() != nil {
			return
		}
	}
}

// isIdle says that the shard may be served by another worker without harm to a night.
func (s *service) isIdle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.idle && s.stuck == nil
}

// waitFor waits until what f says, or the shard is to be given back or the service has
// ended: then it is false.
func (s *service) waitFor(f func() bool) bool { return s.wait(nil, f) == nil }

func (s *service) waitUntil(tick <-chan time.Time, f func() bool) bool {
	return errors.Is(s.wait(tick, f), errTick)
}

var (
	errTick = errors.New("time has passed")
	errBack = errors.New("the shard is given back")

	errClosing = errors.New("the store is being closed")
)

func (s *service) wait(tick <-chan time.Time, f func() bool) error {
	for {
		s.mu.Lock()
		is, changed := f(), s.changed
		s.mu.Unlock()
		if is {
			return nil
		}
		select {
		case <-changed:
		case <-tick:
			return errTick
		case <-s.back:
			return errBack
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		}
	}
}

// set changes what others wait for.
func (s *service) set(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

// copy leaves a copy of the store for other workers; the log forgets what is in it.
func (s *service) copy(st *store.Store) error {
	if s.w.o.Copies == "" {
		return nil
	}
	s.copying.Lock()
	defer s.copying.Unlock()
	cursor, err := s.w.o.Copies.keep(s.ctx, s.n, st)
	if err != nil || cursor == 0 {
		return err
	}
	return s.w.o.Engine.Purge(s.ctx, s.n, cursor)
}
