package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

var (
	// ErrSameName says that another process lives under the name of this worker.
	ErrSameName = errors.New("another worker of this name lives")
	errEnded    = errors.New("the session has ended")
)

// life is the session of a worker, and how sure of it the worker is.
type life struct {
	engine Engine
	times  Times

	mu      sync.Mutex
	session Session
	last    uint64 // what the next renewal has to name
	until   time.Time
}

// sure says that nobody else can serve what this worker serves. It goes by the monotonic
// clock of this machine, and by the other one too, since the first stands still while a
// machine sleeps; clocks of different machines are never compared.
func (l *life) sure() bool {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	return now.Before(l.until) && now.Round(0).Before(l.until.Round(0))
}

// begin begins a session. One of an earlier process of this name is taken over: that one is
// dead, or stops when it learns of this. But who reads goes on: ErrSameName.
func (l *life) begin(ctx context.Context, s Session) error {
	living, err := l.engine.Living(ctx)
	if err != nil {
		return err
	}
	l.mu.Lock()
	own := l.session.Incarnation // of a renewal that was not answered
	l.mu.Unlock()
	if is, lives := living[s.Worker]; lives && is.Reads && is.Incarnation != own {
		return fmt.Errorf("%w: %q", ErrSameName, s.Worker)
	}
	l.mu.Lock()
	l.session, l.last, l.until = s, living[s.Worker].Seq, time.Time{}
	l.mu.Unlock()
	return l.renew(ctx)
}

// leave says with the next renewals that this worker wants no shards.
func (l *life) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.session.Leaving = true
}

// finish ends the session, so that nobody waits for its end. It is in vain where that is not known.
func (l *life) finish(ctx context.Context) {
	l.mu.Lock()
	last, own, s := l.last, l.session.Incarnation, Session{Worker: l.session.Worker, Leaving: true}
	l.until = time.Time{}
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, l.times.Renew)
	defer cancel()
	for {
		if _, err := l.engine.Renew(ctx, s, last); !errors.Is(err, ErrFenced) {
			return
		}
		living, err := l.engine.Living(ctx)
		is := living[s.Worker]
		if err != nil || is.Incarnation != own || is.Seq == last {
			return
		}
		last = is.Seq // of a renewal of ours that was cut off, and came
	}
}

// renew renews the session once. A session that has ended is not renewed: errEnded. After
// another error it may be tried again.
func (l *life) renew(ctx context.Context) error {
	l.mu.Lock()
	s, last, sent := l.session, l.last, time.Now()
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, l.times.Renew)
	defer cancel()
	seq, err := l.engine.Renew(ctx, s, last)
	switch {
	case err == nil:
		l.mu.Lock()
		l.last, l.until = seq, sent.Add(l.times.Sure)
		l.mu.Unlock()
		return nil
	case !errors.Is(err, ErrFenced):
		return err
	}
	living, err := l.engine.Living(ctx)
	is, lives := living[s.Worker]
	switch {
	case err != nil:
		return err
	case lives && is.Incarnation == s.Incarnation: // a renewal of ours that was not answered
		l.mu.Lock()
		l.last = is.Seq
		l.mu.Unlock()
		return errors.New("a renewal was not answered")
	case lives:
		return fmt.Errorf("%w: %q", ErrSameName, s.Worker)
	}
	return errEnded
}

// keep renews the session until it ends or ctx does.
func (l *life) keep(ctx context.Context) error {
	for {
		if err := pause(ctx, l.times.Renew); err != nil {
			return err
		}
		if err := l.renew(ctx); errors.Is(err, errEnded) || errors.Is(err, ErrSameName) {
			return err
		}
	}
}
