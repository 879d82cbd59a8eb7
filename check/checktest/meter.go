package checktest

import (
	"bytes"
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"linkcheck/check/netguard"
)

// meter is a guarded dialer that counts connections and octets and keeps what was sent.
type meter struct {
	guard netguard.Guard
	mu    sync.Mutex
	seen  traffic
}

// traffic is what passed through a meter.
type traffic struct {
	read int // octets
	sent []byte
	open int // connections
	most int // of them at a time
}

func newMeter(refuse bool) *meter {
	m := &meter{}
	if !refuse {
		m.guard.AllowPrivate = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}
	return m
}

func (m *meter) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := m.guard.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	m.opened(1)
	return &metered{Conn: c, m: m}, nil
}

func (m *meter) ListenPacket(ctx context.Context, address string) (net.PacketConn, net.Addr, error) {
	c, to, err := m.guard.ListenPacket(ctx, address)
	if err != nil {
		return nil, nil, err
	}
	m.opened(1)
	return &meteredPackets{PacketConn: c, m: m}, to, nil
}

// note changes what was seen.
func (m *meter) note(change func(*traffic)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.seen)
}

func (m *meter) opened(n int) {
	m.note(func(s *traffic) { s.open, s.most = s.open+n, max(s.most, s.open+n) })
}

func (m *meter) received(n int) { m.note(func(s *traffic) { s.read += n }) }

// wrote keeps what is sent, but for what follows very much of it.
func (m *meter) wrote(p []byte) {
	m.note(func(s *traffic) { s.sent = append(s.sent, p[:min(len(p), max(0, maxRead-len(s.sent)))]...) })
}

// soFar is what was seen.
func (m *meter) soFar() (seen traffic) {
	m.note(func(s *traffic) { seen = *s })
	return seen
}

type metered struct {
	net.Conn
	m    *meter
	once sync.Once
}

func (c *metered) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.m.received(n)
	return n, err
}

func (c *metered) Write(p []byte) (int, error) {
	c.m.wrote(p)
	return c.Conn.Write(p)
}

func (c *metered) Close() error {
	c.once.Do(func() { c.m.opened(-1) })
	return c.Conn.Close()
}

type meteredPackets struct {
	net.PacketConn
	m    *meter
	once sync.Once
}

func (c *meteredPackets) ReadFrom(p []byte) (int, net.Addr, error) {
	n, from, err := c.PacketConn.ReadFrom(p)
	c.m.received(n)
	return n, from, err
}

func (c *meteredPackets) WriteTo(p []byte, to net.Addr) (int, error) {
	c.m.wrote(p)
	return c.PacketConn.WriteTo(p, to)
}

func (c *meteredPackets) Close() error {
	c.once.Do(func() { c.m.opened(-1) })
	return c.PacketConn.Close()
}

// checkEnd checks that no connection is left open, after a moment of grace since a
// handshake given up is closed in the background, and that no secret was sent.
func (m *meter) checkEnd(t *testing.T, c Case) {
	t.Helper()
	for wait := time.Millisecond; m.soFar().open > 0 && wait <= time.Second; wait *= 2 {
		time.Sleep(wait)
	}
	seen := m.soFar()
	if seen.open != 0 {
		t.Errorf("%d connections left open", seen.open)
	}
	for _, secret := range c.Never {
		if bytes.Contains(seen.sent, []byte(secret)) {
			t.Errorf("%q was sent", secret)
		}
	}
}
