package wire

import (
	"io"
	"sync"
	"time"
)

const (
	idleTime = 10 * time.Second // that a session waits for the next probe: a few gaps of a host
	maxIdle  = 64               // sessions that wait at a time
)

// Sessions is a pool of idle sessions with servers, so that the next probe of a
// server can go on with one. It closes those that stay idle for ten seconds, since
// an idle session uses one of its server's slots. Sessions are closed in the
// background; only Close and CloseWhere wait for that. The zero value is ready.
type Sessions[K comparable, S io.Closer] struct {
	mu    sync.Mutex
	idle  map[K][]waiting[S]
	n     int         // sessions in idle
	timer *time.Timer // of sweep; nil: there was no session yet
	next  time.Time   // when it fires; zero: it does not

	closing int       // sessions that are being closed
	closed  sync.Cond // closing is zero again
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

// Put lets a session wait, or closes it where too many wait. The pool owns it
// until it is taken.
func (p *Sessions[K, S]) Put(k K, s S) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.n == maxIdle {
		p.closeInBackground(s)
		return
	}
	until := time.Now().Add(idleTime)
	if p.idle == nil {
		p.idle = map[K][]waiting[S]{}
	}
	p.idle[k] = append(p.idle[k], waiting[S]{s, until})
	p.n++
	p.scheduleSweep(until)
}

// scheduleSweep lets sweep come at a time, if not before; p.mu is held.
func (p *Sessions[K, S]) scheduleSweep(at time.Time) {
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

// sweep closes the sessions whose time is over, and comes again for the others.
func (p *Sessions[K, S]) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = time.Time{}
	now := time.Now()
	for k, all := range p.idle {
		stay := all[:0]
		for _, w := range all {
			if now.Before(w.until) {
				stay = append(stay, w)
				p.scheduleSweep(w.until)
			} else {
				p.n--
				p.closeInBackground(w.session)
			}
		}
		clear(all[len(stay):])
		if p.idle[k] = stay; len(stay) == 0 {
			delete(p.idle, k)
		}
	}
}

// closeInBackground closes a session that left the pool; p.mu is held, but not while it closes.
func (p *Sessions[K, S]) closeInBackground(s S) {
	p.closing++
	go p.closeCounted(s)
}

// closeCounted closes a session that is counted as closing.
func (p *Sessions[K, S]) closeCounted(s S) {
	s.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing--; p.closing == 0 {
		p.closed.Broadcast()
	}
}

// Leave closes the waiting sessions of some keys and returns when they are closed.
func (p *Sessions[K, S]) CloseWhere(which func(K) bool) {
	p.mu.Lock()
	var left []waiting[S]
	for k, list := range p.idle {
		if which(k) {
			left = append(left, list...)
			delete(p.idle, k)
		}
	}
	p.n -= len(left)
	p.closing += len(left)
	p.mu.Unlock()
	var all sync.WaitGroup
	for _, w := range left {
		all.Go(func() { p.closeCounted(w.session) })
	}
	all.Wait()
}

// Close closes every waiting session and returns when all are closed. The pool
// stays usable.
func (p *Sessions[K, S]) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, list := range p.idle {
		for _, w := range list {
			p.closeInBackground(w.session)
		}
	}
	p.idle, p.n, p.next = nil, 0, time.Time{}
	if p.timer != nil {
		p.timer.Stop()
	}
	if p.closed.L == nil {
		p.closed.L = &p.mu
	}
	for p.closing > 0 {
		p.closed.Wait()
	}
	return nil
}
