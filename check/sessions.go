package check

import (
	"io"
	"slices"
	"sync"
	"time"
)

const (
	idleTime = 10 * time.Second // that a session waits for the next probe: a few gaps of a host
	maxIdle  = 64               // sessions that wait at a time
)

// Sessions keeps conversations with servers for a moment, so that the next probe
// of the same server can go on with one. It closes those that nobody takes: an
// idle session costs its server a place. The zero value is ready.
type Sessions[K comparable, S io.Closer] struct {
	mu   sync.Mutex
	idle map[K][]*waiting[S]
	n    int // sessions in idle
}

// waiting is a session in the pool. Whoever stops its timer has it.
type waiting[S io.Closer] struct {
	session S
	timer   *time.Timer
	expired chan struct{} // closed when the timer has closed the session
}

// Take gives a waiting session, the latest first.
func (p *Sessions[K, S]) Take(k K) (s S, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range slices.Backward(p.idle[k]) {
		if w.timer.Stop() {
			p.remove(k, w)
			return w.session, true
		}
	}
	return s, false
}

// Put lets a session wait. The pool owns it until it is taken.
func (p *Sessions[K, S]) Put(k K, s S) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := &waiting[S]{session: s, expired: make(chan struct{})}
	after := idleTime
	if p.n >= maxIdle {
		after = 0
	}
	w.timer = time.AfterFunc(after, func() { p.expire(k, w) })
	if p.idle == nil {
		p.idle = map[K][]*waiting[S]{}
	}
	p.idle[k] = append(p.idle[k], w)
	p.n++
}

// expire closes a session whose time is over.
func (p *Sessions[K, S]) expire(k K, w *waiting[S]) {
	w.session.Close()
	p.mu.Lock()
	p.remove(k, w)
	p.mu.Unlock()
	close(w.expired)
}

// remove takes w off its list, where it still is.
func (p *Sessions[K, S]) remove(k K, w *waiting[S]) {
	i := slices.Index(p.idle[k], w)
	if i < 0 {
		return
	}
	p.n--
	if p.idle[k] = slices.Delete(p.idle[k], i, i+1); len(p.idle[k]) == 0 {
		delete(p.idle, k)
	}
}

// Close closes every waiting session and returns when all are closed. The pool
// stays usable.
func (p *Sessions[K, S]) Close() error {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.n = nil, 0
	p.mu.Unlock()
	for _, list := range idle {
		for _, w := range list {
			if w.timer.Stop() {
				w.session.Close()
			} else {
				<-w.expired
			}
		}
	}
	return nil
}
