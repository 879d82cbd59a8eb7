package check

import (
	"io"
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
	mu    sync.Mutex
	idle  map[K][]waiting[S]
	n     int         // sessions in idle
	timer *time.Timer // of sweep; nil: there was no session yet
	next  time.Time   // when it fires; zero: it does not

	sweeping sync.Mutex // held while sessions are closed; before mu
}

// waiting is a session in the pool.
type waiting[S io.Closer] struct {
	session S
	until   time.Time
}

// Take gives a waiting session, the latest first.
func (p *Sessions[K, S]) Take(k K) (s S, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.idle[k]
	if len(list) == 0 {
		return s, false
	}
	last := &list[len(list)-1]
	s = last.session
	*last = waiting[S]{}
	p.idle[k] = list[:len(list)-1]
	p.n--
	return s, true
}

// Put lets a session wait. The pool owns it until it is taken.
func (p *Sessions[K, S]) Put(k K, s S) {
	p.mu.Lock()
	defer p.mu.Unlock()
	until := time.Now()
	if p.n < maxIdle {
		until = until.Add(idleTime)
	}
	if p.idle == nil {
		p.idle = map[K][]waiting[S]{}
	}
	p.idle[k] = append(p.idle[k], waiting[S]{s, until})
	p.n++
	p.wake(until)
}

// wake lets sweep come at a time, if not before; p.mu is held.
func (p *Sessions[K, S]) wake(at time.Time) {
	switch wait := time.Until(at); {
	case !p.next.IsZero() && !at.Before(p.next):
		return
	case p.timer == nil:
		p.timer = time.AfterFunc(wait, p.sweep)
	default:
		p.timer.Reset(wait)
	}
	p.next = at
}

// sweep closes the sessions whose time is over.
func (p *Sessions[K, S]) sweep() {
	p.sweeping.Lock()
	defer p.sweeping.Unlock()
	for _, s := range p.over(time.Now()) {
		s.Close()
	}
}

// over takes the sessions whose time is over from the pool, and lets sweep come
// again for the others.
func (p *Sessions[K, S]) over(now time.Time) (list []S) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = time.Time{}
	for k, all := range p.idle {
		stay := all[:0]
		for _, w := range all {
			if now.Before(w.until) {
				stay = append(stay, w)
				p.wake(w.until)
			} else {
				list = append(list, w.session)
			}
		}
		clear(all[len(stay):])
		if p.idle[k] = stay; len(stay) == 0 {
			delete(p.idle, k)
		}
	}
	p.n -= len(list)
	return list
}

// Close closes every waiting session and returns when all are closed. The pool
// stays usable.
func (p *Sessions[K, S]) Close() error {
	p.sweeping.Lock()
	defer p.sweeping.Unlock()
	p.mu.Lock()
	idle := p.idle
	p.idle, p.n, p.next = nil, 0, time.Time{}
	if p.timer != nil {
		p.timer.Stop()
	}
	p.mu.Unlock()
	for _, list := range idle {
		for _, w := range list {
			w.session.Close()
		}
	}
	return nil
}
