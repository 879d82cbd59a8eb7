package netguard

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	keepFor     = 30 * time.Second // that an answer of the DNS is used again; less than the wait before a retry
	maxNames    = 50_000           // remembered at a time
	lookupLimit = 10 * time.Second // of one question
)

// CachingResolver is a Resolver that asks another, once for all callers that want the
// same name, and keeps the answer for half a minute. Temporary failures are not kept.
type CachingResolver struct {
	ask   Resolver
	now   func() time.Time
	group singleflight.Group
	mu    sync.Mutex
	known map[string]remembered
}

type remembered struct {
	addrs []netip.Addr
	err   error
	until time.Time
}

// NewCachingResolver makes a CachingResolver of r; now nil is time.Now.
func NewCachingResolver(r Resolver, now func() time.Time) *CachingResolver {
	if now == nil {
		now = time.Now
	}
	return &CachingResolver{ask: r, now: now, known: map[string]remembered{}}
}

// Resolve implements [Resolver].
func (r *CachingResolver) Resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	host = strings.ToLower(host)
	r.mu.Lock()
	k, ok := r.known[host]
	r.mu.Unlock()
	if ok && r.now().Before(k.until) {
		return k.addrs, k.err
	}
	answer := r.group.DoChan(host, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupLimit)
		defer cancel()
		addrs, err := r.ask.Resolve(ctx, host)
		r.keep(host, remembered{addrs, err, r.now().Add(keepFor)})
		return addrs, err
	})
	select {
	case a := <-answer:
		addrs, _ := a.Val.([]netip.Addr)
		return addrs, a.Err
	case <-ctx.Done():
		return nil, &net.DNSError{Err: ctx.Err().Error(), Name: host, IsTimeout: ctx.Err() == context.DeadlineExceeded, UnwrapErr: ctx.Err()}
	}
}

func (r *CachingResolver) keep(host string, k remembered) {
	if e, ok := k.err.(*net.DNSError); k.err != nil && !(ok && e.IsNotFound) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= maxNames {
		clear(r.known)
	}
	r.known[host] = k
}
