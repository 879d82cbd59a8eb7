package labtest

import (
	"bytes"
	"context"
	"net"
	"strings"
	"time"
)

// Tape is a connection on which a server has said everything beforehand, and the
// dialer that gives it. It keeps what the client sent.
type Tape struct {
	net.Conn
	said *bytes.Reader
	sent strings.Builder
}

// NewTape makes a tape of what a server said.
func NewTape(said []byte) *Tape { return &Tape{said: bytes.NewReader(said)} }

// Sent gives what the client sent so far.
func (c *Tape) Sent() string { return c.sent.String() }

// Read gives what was said, then io.EOF.
func (c *Tape) Read(p []byte) (int, error) { return c.said.Read(p) }

// Write keeps what is sent.
func (c *Tape) Write(p []byte) (int, error) { return c.sent.Write(p) }

// Close does nothing: what is left may be read by the next connection.
func (c *Tape) Close() error { return nil }

// SetDeadline does nothing: nothing waits.
func (c *Tape) SetDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing.
func (c *Tape) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing.
func (c *Tape) SetWriteDeadline(time.Time) error { return nil }

// RemoteAddr is on the loopback.
func (c *Tape) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 21} }

// DialContext gives the tape itself.
func (c *Tape) DialContext(context.Context, string, string) (net.Conn, error) { return c, nil }

// ListenPacket refuses.
func (c *Tape) ListenPacket(context.Context, string) (net.PacketConn, net.Addr, error) {
	return nil, nil, net.ErrClosed
}

// SaidIn gives the octets that the server says in a script, what is in angle
// brackets left out: a beginning for fuzzers.
func SaidIn(script string) []byte {
	var said []byte
	for l := range strings.Lines(script) {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, "S: ") && !strings.HasPrefix(l, "S: <") {
			said = append(said, Unescape(l[3:])...)
		}
	}
	return said
}
