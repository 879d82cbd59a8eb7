package nntp

import (
	"context"
	"slices"
	"sync"
	"time"

	"linkcheck/check"
)

const (
	maxIdle  = 64               // sessions kept at a time
	idleTime = 60 * time.Second // that a session is kept unused; servers close after minutes
)

// pool keeps idle sessions, the oldest first.
type pool struct {
	mu   sync.Mutex
	idle []*session
}

// take gives an idle session with k, bound to ctx, or nil.
func (p *pool) take(ctx context.Context, k key, o check.Options) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, s := range p.idle {
		if s.key == k {
			p.idle = slices.Delete(p.idle, i, i+1)
			s.conn.Rearm(ctx, o.MaxBytes)
			s.reused = true
			return s
		}
	}
	return nil
}

// put keeps s for the next probe, or closes it where it cannot serve again.
// Sessions that have waited too long or are too many are closed as well.
func (p *pool) put(s *session, now time.Time) {
	if s.failed != nil || s.spent {
		s.close()
		return
	}
	s.conn.Rearm(context.Background(), 0)
	s.since = now
	p.mu.Lock()
	p.idle = append(p.idle, s)
	n := max(0, len(p.idle)-maxIdle)
	for n < len(p.idle) && now.Sub(p.idle[n].since) > idleTime {
		n++
	}
	old := slices.Clone(p.idle[:n])
	p.idle = slices.Delete(p.idle, 0, n)
	p.mu.Unlock()
	for _, s := range old {
		s.close()
	}
}

// drain closes all idle sessions.
func (p *pool) drain() {
	p.mu.Lock()
	idle := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, s := range idle {
		s.close()
	}
}
