package web

import (
	"context"
	"sync"
	"time"
)

// turns lets so many requests at a time go to one host as the operator allows,
// whichever links they come from: redirects of a hundred sites may lead to one
// (DESIGN law 6). A request waits for its turn for a while and then goes all the
// same, for time lost in our own queue must not look like a silent server.
type turns struct {
	perHost  int
	patience time.Duration
	mu       sync.Mutex
	by       map[string]*turn
}

type turn struct {
	room  chan struct{}
	users int
}

func newTurns(perHost int, patience time.Duration) *turns {
	return &turns{perHost: max(perHost, 1), patience: patience, by: map[string]*turn{}}
}

// take waits for a turn at a host; done gives it back.
func (t *turns) take(ctx context.Context, host string) (done func()) {
	k := t.enter(host)
	select {
	case k.room <- struct{}{}:
		return func() { <-k.room; t.leave(host) }
	default:
	}
	wait := time.NewTimer(t.patience)
	defer wait.Stop()
	select {
	case k.room <- struct{}{}:
		return func() { <-k.room; t.leave(host) }
	case <-wait.C:
	case <-ctx.Done():
	}
	return func() { t.leave(host) }
}

func (t *turns) enter(host string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.by[host]
	if k == nil {
		k = &turn{room: make(chan struct{}, t.perHost)}
		t.by[host] = k
	}
	k.users++
	return k
}

func (t *turns) leave(host string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by[host].users--; t.by[host].users == 0 {
		delete(t.by, host)
	}
}
