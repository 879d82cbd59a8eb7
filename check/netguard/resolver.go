package netguard

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"

	"golang.org/x/net/dns/dnsmessage"
)

// NoAddress is the text of a DNSError for a name that exists without an address.
const NoAddress = "name has no address"

// SystemResolver asks the name servers of the system, with absolute names: the
// search list of a machine must not turn a dead name into a neighbour's. The
// hosts file is used for names with a dot.
type SystemResolver struct {
	Server string // "host:port" of the name server to ask in place of the system's; "": theirs
}

// Resolve implements [Resolver]. It distinguishes a name that does not exist from one
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
		e.Err = NoAddress
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
