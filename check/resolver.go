package check

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/sync/singleflight"
)

const (
	remember    = 30 * time.Second // that an answer of the DNS is used again; less than the wait before a retry
	maxNames    = 50_000           // remembered at a time
	lookupLimit = 10 * time.Second // of one question
)

// errNoAddress is the text of a DNSError for a name that exists without an address.
const errNoAddress = "name has no address"

// SystemResolver asks the name servers of the system, with absolute names: the
// search list of a machine must not turn a dead name into a neighbour's. The
// hosts file is heeded for names with a dot.
type SystemResolver struct {
	Server string // "host:port" of the name server to ask in place of the system's; "": theirs
}

// Resolve implements [Resolver]. It tells a name that does not exist from one
// without addresses, which net.Resolver reports alike, by the code of the answers.
func (s SystemResolver) Resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	w := watch{server: s.Server}
	r := net.Resolver{PreferGo: true, Dial: w.dial}
	addrs, err := r.LookupNetIP(ctx, "ip", host+".")
	e, ok := err.(*net.DNSError)
	if !ok {
		return addrs, err
	}
	e.Name = strings.TrimSuffix(e.Name, ".")
	if e.IsNotFound && w.exists.Load() {
		e.Err = errNoAddress
	}
	return nil, e
}

// watch looks at the answers that a resolver reads.
type watch struct {
	server string
	exists atomic.Bool // one of them knew the name
}

func (w *watch) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if w.server != "" {
		address = w.server
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, address)
	if udp, ok := conn.(*net.UDPConn); ok {
		return &watchedUDP{udp, w}, err
	}
	return conn, err
}

// watchedUDP stays a net.PacketConn, by which the resolver knows datagrams.
type watchedUDP struct {
	*net.UDPConn
	watch *watch
}

func (u *watchedUDP) Read(b []byte) (int, error) {
	n, err := u.UDPConn.Read(b)
	var p dnsmessage.Parser
	h, bad := p.Start(b[:n])
	if bad == nil && h.Response && h.RCode == dnsmessage.RCodeSuccess { // RFC 1035 section 4.1.1
		u.watch.exists.Store(true)
	}
	return n, err
}

// Remembering is a Resolver that asks another, once for all who want the same
// name, and keeps what it says for half a minute. Passing failures are not kept.
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

// Remember makes a Remembering of r; now nil is time.Now.
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
		r.keep(host, remembered{addrs, err, r.now().Add(remember)})
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
