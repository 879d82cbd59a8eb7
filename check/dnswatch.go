package check

import (
	"context"
	"net"
	"sync/atomic"
)

// rcodes watches the answers that a resolver reads.
type rcodes struct{ exists atomic.Bool }

// dial connects to a name server; it is [net.Resolver]'s Dial.
func (r *rcodes) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, address)
	if udp, ok := conn.(*net.UDPConn); ok {
		return &watchedUDP{UDPConn: udp, seen: r}, err
	}
	return conn, err
}

// watchedUDP stays a net.PacketConn, by which the resolver knows datagrams.
type watchedUDP struct {
	*net.UDPConn
	seen *rcodes
}

func (w *watchedUDP) Read(b []byte) (int, error) {
	n, err := w.UDPConn.Read(b)
	if exists(b[:n]) {
		w.seen.exists.Store(true)
	}
	return n, err
}
