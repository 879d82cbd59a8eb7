package wire

import (
	"io"
	"slices"
	"sync"
	"time"

	"linkcheck/check/netguard"
)

const (
	idleTime = 10 * time.Second // that a session waits for the next probe: a few gaps of a host
	maxIdle  = 64               // sessions that wait at a time, or fewer: see mostIdle
)

// Sessions is a pool of idle sessions with servers, so that the next probe of a
// server can go on with one. It closes those that stay idle for ten seconds, since
// an idle session uses one of its server's slots. Sessions are closed in the
// background; only Close and CloseWhere wait for that. The zero value is ready.
type Sessions[K comparable, S io.Closer] struct {
	mu   sync.Mutex
	idle map[K][]idleSession[S] // the oldest first; a list may be empty until the next sweep
	n    int                    // sessions in idle
	most int                    // of them; 0: it was not asked yet

	sweeper  *time.Timer // closes those that waited long enough; one for all, as each link takes and puts one
	sweeping bool        // it is set

	closing int       // sessions that are being closed
	closed  sync.Cond // closing is zero again
}

type idleSession[S io.Closer] struct {
	session S
	until   time.Time
}

// Take returns an idle session, the latest first.
func (p *Sessions[K, S]) Take(k K) (s S, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.idle[k]
	if len(list) == 0 {
		return s, false
	}
	last := len(list) - 1
	s, list[last] = list[last].session, idleSession[S]{}
	p.idle[k] = list[:last]
	p.n--
	return s, true
}

// Put lets a session wait, or closes it where too many wait. The pool owns it
// until it is taken.
func (p *Sessions[K, S]) Put(k K, s S) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.most == 0 { // asking the system for each session shows in the cost of a night
		p.most = mostIdle(netguard.OpenFiles())
	}
	if p.n >= p.most {
		p.closeInBackground(s)
		return
	}
	if p.idle == nil {
		p.idle = map[K][]idleSession[S]{}
	}
	p.idle[k] = append(p.idle[k], idleSession[S]{s, time.Now().Add(idleTime)})
	p.n++
	if !p.sweeping {
		p.sweepIn(idleTime)
	}
}

// sweepIn sets the time of the next sweep; p.mu is held.
func (p *Sessions[K, S]) sweepIn(d time.Duration) {
	if p.sweeping = true; p.sweeper == nil {
		p.sweeper = time.AfterFunc(d, p.sweep)
		return
	}
	p.sweeper.Reset(d)
}

// sweep closes the sessions that waited long enough.
func (p *Sessions[K, S]) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, next := time.Now(), idleTime
	for k, list := range p.idle {
		due := 0
		for due < len(list) && !now.Before(list[due].until) {
			p.closeInBackground(list[due].session)
			due++
		}
		p.n -= due
		if due == len(list) {
			delete(p.idle, k)
			continue
		}
		p.idle[k] = slices.Delete(list, 0, due)
		next = min(next, list[0].until.Sub(now))
	}
	if p.sweeping = p.n > 0; p.sweeping {
		p.sweepIn(next)
	}
}

// mostIdle is how many sessions of a pool may wait in a process that may have some files
// open; 0: any number. There are five pools: of web servers with sound certificates and of
// others, of FTP, of news and of mail. Workers have the rest of the files.
func mostIdle(files int) int {
	if files == 0 {
		return maxIdle
	}
	return max(1, min(maxIdle, (files-24)/15))
}

// closeInBackground closes a session that left the pool; p.mu is held, but not
// while it closes.
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

// CloseWhere closes the idle sessions of some keys and returns when they are closed.
func (p *Sessions[K, S]) CloseWhere(which func(K) bool) {
	var all sync.WaitGroup
	p.mu.Lock()
	for k, list := range p.idle {
		if !which(k) {
			continue
		}
		delete(p.idle, k)
		p.n -= len(list)
		p.closing += len(list)
		for _, w := range list {
			all.Go(func() { p.closeCounted(w.session) })
		}
	}
	if p.sweeping && p.n == 0 {
		p.sweeper.Stop()
		p.sweeping = false
	}
	p.mu.Unlock()
	all.Wait()
}

// Close closes every idle session and returns when all are closed, those too that
// others began to close. The pool stays usable.
func (p *Sessions[K, S]) Close() error {
	p.CloseWhere(func(K) bool { return true })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed.L = &p.mu
	for p.closing > 0 {
		p.closed.Wait()
	}
	return nil
}
