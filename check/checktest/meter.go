package checktest

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"linkcheck/check/netguard"
)

// meter is a guarded dialer that counts connections and octets and keeps what was sent.
type meter struct {
	guard netguard.Guard
	mu    sync.Mutex
	in    int64
	out   []byte
	live  int
	most  int // connections open at a time
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
	m.add(1)
	return &metered{Conn: c, m: m}, nil
}

func (m *meter) ListenPacket(ctx context.Context, address string) (net.PacketConn, net.Addr, error) {
	c, to, err := m.guard.ListenPacket(ctx, address)
	if err != nil {
		return nil, nil, err
	}
	m.add(1)
	return &meteredPackets{PacketConn: c, m: m}, to, nil
}

func (m *meter) add(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.live += n
	m.most = max(m.most, m.live)
}

func (m *meter) received(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.in += int64(n)
}

func (m *meter) wrote(p []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.out) < maxRead {
		m.out = append(m.out, p...)
	}
}

func (m *meter) read() int64  { m.mu.Lock(); defer m.mu.Unlock(); return m.in }
func (m *meter) open() int    { m.mu.Lock(); defer m.mu.Unlock(); return m.live }
func (m *meter) top() int     { m.mu.Lock(); defer m.mu.Unlock(); return m.most }
func (m *meter) sent() string { m.mu.Lock(); defer m.mu.Unlock(); return string(m.out) }

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
	c.once.Do(func() { c.m.add(-1) })
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
	c.once.Do(func() { c.m.add(-1) })
	return c.PacketConn.Close()
}

// checkEnd checks that no connection is left open, after a moment of grace since a
// handshake given up is closed in the background, and that no secret was sent.
func (m *meter) checkEnd(t *testing.T, c Case) {
	t.Helper()
	for wait := time.Millisecond; m.open() > 0 && wait <= time.Second; wait *= 2 {
		time.Sleep(wait)
	}
	if n := m.open(); n != 0 {
		t.Errorf("%d connections left open", n)
	}
	for _, secret := range c.Never {
		if strings.Contains(m.sent(), secret) {
			t.Errorf("%q was sent", secret)
		}
	}
}
