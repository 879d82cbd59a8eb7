package labtest

import (
	"bytes"
	"context"
	"net"
	"strings"
	"sync"
	"time"
)

// Replay is a connection on which a server has said everything beforehand, and the
// dialer that gives it, to as many as dial at a time. It keeps what they sent.
type Replay struct {
	net.Conn
	mu   sync.Mutex
	said *bytes.Reader
	sent strings.Builder
}

// NewReplay makes a Replay of what a server said.
func NewReplay(said []byte) *Replay { return &Replay{said: bytes.NewReader(said)} }

// Sent returns what the client sent so far.
func (c *Replay) Sent() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent.String()
}

// Read returns what was said, then io.EOF.
func (c *Replay) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.said.Read(p)
}

// Write keeps what is sent.
func (c *Replay) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent.Write(p)
}

// Close does nothing: what is left may be read by the next connection.
func (c *Replay) Close() error { return nil }

// SetDeadline does nothing: nothing waits.
func (c *Replay) SetDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing.
func (c *Replay) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing.
func (c *Replay) SetWriteDeadline(time.Time) error { return nil }

// RemoteAddr is on the loopback.
func (c *Replay) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 21} }

// DialContext returns the connection itself.
func (c *Replay) DialContext(context.Context, string, string) (net.Conn, error) { return c, nil }

// ListenPacket refuses.
func (c *Replay) ListenPacket(context.Context, string) (net.PacketConn, net.Addr, error) {
	return nil, nil, net.ErrClosed
}

// ServerOctets returns the octets that the server says in a script, what is in angle
// brackets left out: a beginning for fuzzers.
func ServerOctets(script string) []byte {
	var said []byte
	for l := range strings.Lines(script) {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, "S: ") && !strings.HasPrefix(l, "S: <") {
			said = append(said, Unescape(l[3:])...)
		}
	}
	return said
}
