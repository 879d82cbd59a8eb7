package wire

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"linkcheck/check/netguard"
)

// goodbyeTime is how long Goodbye waits for the last words of a server.
const goodbyeTime = 2 * time.Second

var (
	// ErrTooLong reports that a peer sent more than it was allowed.
	ErrTooLong = errors.New("answer exceeds the limit")
	// ErrLineTooLong reports that a line exceeds MaxLine.
	ErrLineTooLong = errors.New("line exceeds the limit")
	// ErrControl reports that a NUL, CR or LF was about to reach a line protocol.
	ErrControl = errors.New("control character in a command")
)

// Garbled is the error of octets that are no answer in the protocol spoken; the
// text names the protocol.
type Garbled string

// Error implements error.
func (g Garbled) Error() string { return string(g) }

// Conn is a connection whose reads and writes end with a context, and from which only
// so many octets can be read. It is not safe for use by several probes at a time.
type Conn struct {
	net.Conn
	ctx    context.Context
	wait   *Patience // ctx, where it is one; else nil
	budget int64     // octets that may still come; negative: an error was given
	bytes  int64
	stop   func() bool
}

// Dial connects to "host:port" through d. The connection ends with ctx, and at most
// budget octets can be read from it. Errors are those of d.
func Dial(ctx context.Context, d netguard.Dialer, address string, budget int64) (*Conn, error) {
	c, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return newConn(ctx, c, budget), nil
}

func newConn(ctx context.Context, c net.Conn, budget int64) *Conn {
	a := &Conn{Conn: c}
	a.Reset(ctx, budget)
	return a
}

// Reset hands the connection to the next probe: to its context, and with a new budget.
func (c *Conn) Reset(ctx context.Context, budget int64) {
	if c.stop != nil {
		c.stop()
	}
	c.ctx, c.budget, c.bytes = ctx, budget, 0
	end, _ := ctx.Deadline() // the zero time clears
	var patient bool
	if c.wait, patient = ctx.(*Patience); patient {
		end = time.Time{} // it is put off as octets come
	}
	c.Conn.SetDeadline(end)
	c.stop = context.AfterFunc(ctx, func() { c.Conn.SetDeadline(time.Unix(1, 0)) })
}

// CapReadDeadline sets the deadline of reads to end, or to that of the context if it is earlier.
func (c *Conn) CapReadDeadline(end time.Time) {
	if last, ok := c.ctx.Deadline(); ok && last.Before(end) {
		end = last
	}
	c.Conn.SetReadDeadline(end)
	if c.ctx.Err() != nil { // it may have ended before the deadline was moved
		c.Conn.SetReadDeadline(time.Unix(1, 0))
	}
}

// BytesRead is how many octets came since Dial or Reset.
func (c *Conn) BytesRead() int64 { return c.bytes }

// Read fails with ErrTooLong once the budget is spent.
func (c *Conn) Read(p []byte) (int, error) {
	if c.budget <= 0 {
		return 0, ErrTooLong
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), c.budget)])
	c.budget -= int64(n)
	c.bytes += int64(n)
	if n > 0 && c.wait != nil {
		c.wait.Again()
	}
	return n, c.preferCancel(err)
}

// Write implements io.Writer.
func (c *Conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	return n, c.preferCancel(err)
}

// preferCancel prefers a cancellation to the deadline that it set.
func (c *Conn) preferCancel(err error) error {
	if err != nil && errors.Is(c.ctx.Err(), context.Canceled) {
		return c.ctx.Err()
	}
	return err
}

// Goodbye sends "QUIT" through peer, which is c or TLS upon it, and reads from r up to
// the line with that code, the end, or two seconds: a connection that is closed with
// octets unread is reset (RFC 1122 section 4.2.2.13), which servers note as a fault of
// their client.
func (c *Conn) Goodbye(peer io.Writer, r *bufio.Reader, code int) {
	c.budget = MaxLine
	c.Conn.SetWriteDeadline(time.Now().Add(goodbyeTime))
	c.CapReadDeadline(time.Now().Add(goodbyeTime))
	_, err := io.WriteString(peer, "QUIT\r\n")
	for err == nil {
		var line string
		line, err = ReadLine(r)
		if said, text, ok := ReplyCode(line); ok && said == code && !strings.HasPrefix(text, "-") {
			return
		}
	}
}

// Close implements net.Conn.
func (c *Conn) Close() error {
	c.stop()
	return c.Conn.Close()
}
