package web

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"linkcheck/check"
	"linkcheck/check/netguard"
	"linkcheck/check/wire"
)

const (
	moment     = time.Millisecond // in which the system hands over what came long ago
	maxStrange = 200              // octets kept of an answer that is no HTTP
	readSize   = 4 << 10          // octets of a read; with the largest page of a probe a dozen reads
)

// cleartext speaks http without TLS: one request at a time on a connection, written
// and read by whoever asks. http.Transport passes each request and answer through
// two goroutines of the connection, which costs more than all else that a probe of
// a small page does. Answers are parsed by net/http.
type cleartext struct {
	dialer netguard.Dialer
	rooms  sync.Pool // of *[]byte, into which all lanes read bodies
	idle   wire.Sessions[string, *clearConn]
}

// clearConn is a connection between two requests, or during one.
type clearConn struct {
	*wire.Conn
	raw  syscall.RawConn // nil: the system cannot be asked about it
	in   *bufio.Reader
	out  bytes.Buffer
	late error // the time ran out in the middle of an answer
}

// Read remembers what net/http's reader of headers forgets: a line that stopped
// because the time ran out reads as malformed.
func (c *clearConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.late = err
	}
	return n, err
}

// ask sends GET or HEAD. The answer's body is to be read to its end, or the
// connection is closed with it; that of an answer other than a success may take
// uselessTime. A connection that waited may have died, or may have been given up by
// the server: what fails on one is asked anew on a fresh one (RFC 9110 section
// 9.2.2, RFC 9112 section 9.3.1).
func (p *cleartext) ask(ctx context.Context, method string, at place, header http.Header) (*http.Response, error) {
	for again := false; ; again = true {
		c, used, err := p.connect(ctx, at.address(), again)
		if err != nil {
			return nil, err
		}
		resp, err := c.exchange(method, at, header)
		if err == nil && !(used && resp.StatusCode == http.StatusRequestTimeout) {
			if resp.StatusCode/100 != 2 {
				c.CapReadDeadline(time.Now().Add(uselessTime))
			}
			resp.Body = &clearBody{ReadCloser: resp.Body, resp: resp, pool: p, conn: c, address: at.address()}
			return resp, nil
		}
		c.Close()
		switch {
		case !used || errors.Is(err, os.ErrDeadlineExceeded):
			return nil, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
}

// connect gives a connection that waited and is still sound, or makes one, a fresh
// one in any case if so wanted.
func (p *cleartext) connect(ctx context.Context, address string, fresh bool) (c *clearConn, used bool, err error) {
	for !fresh {
		c, used := p.idle.Take(address)
		if !used {
			break
		}
		quiet := c.raw != nil || c.still()
		c.Reset(ctx, maxHeader)
		if quiet && (c.raw == nil || silent(c.raw)) {
			return c, true, nil
		}
		c.Close()
	}
	conn, err := wire.Dial(ctx, p.dialer, address, maxHeader)
	if err != nil {
		return nil, false, dialing(ctx, err)
	}
	c = &clearConn{Conn: conn, raw: rawOf(conn.Conn)}
	c.in = bufio.NewReaderSize(c, readSize)
	return c, false, nil
}

// still says what silent does where the system cannot be asked: a moment's patience
// tells. The connection is to be armed anew.
func (c *clearConn) still() bool {
	c.SetReadDeadline(time.Now().Add(moment))
	n, err := c.Conn.Conn.Read(make([]byte, 1)) // past the probe before, which has ended
	return n == 0 && errors.Is(err, os.ErrDeadlineExceeded)
}

// dialing marks a time that ran out before there was a connection.
func dialing(ctx context.Context, err error) error {
	if ctx.Err() == context.DeadlineExceeded || err == context.DeadlineExceeded { // the dialer's clock may be ahead
		return &net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded}
	}
	return err
}

// exchange sends a request and reads the head of its answer. A server may answer
// and close before it has read all: the answer counts.
func (c *clearConn) exchange(method string, at place, header http.Header) (*http.Response, error) {
	if err := c.compose(method, at, header); err != nil {
		return nil, err
	}
	var req *http.Request // of GET
	if method != http.MethodGet {
		req = &http.Request{Method: method}
	}
	_, unsent := c.Write(c.out.Bytes())
	for { // maxHeader bounds all interim answers and the final one together
		var resp *http.Response
		err := c.first()
		if err == nil {
			resp, err = http.ReadResponse(c.in, req)
		}
		switch {
		case err != nil && unsent != nil:
			return nil, unsent
		case err != nil && c.late != nil:
			return nil, c.late
		case err != nil && c.BytesRead() >= maxHeader: // what was cut reads as garbled
			return nil, wire.ErrTooLong
		case err != nil:
			return nil, err
		case resp.StatusCode/100 != 1 || resp.StatusCode == http.StatusSwitchingProtocols:
			c.SetBudget(math.MaxInt64)               // whoever reads the body bounds it
			resp.Close = resp.Close || unsent != nil // no request can follow half of one
			return resp, nil
		}
	}
}

// compose writes a request, RFC 9112 section 3. net/http makes each field of the
// header one line, but lets a NUL pass.
func (c *clearConn) compose(method string, at place, header http.Header) error {
	if !wire.LineSafe(at.host, at.path, at.query) {
		return wire.ErrControl
	}
	c.out.Reset()
	for _, s := range []string{method, " ", at.path, at.query, " HTTP/1.1\r\nHost: ", at.host, "\r\n"} {
		c.out.WriteString(s)
	}
	if err := header.Write(&c.out); err != nil {
		return err
	}
	if bytes.IndexByte(c.out.Bytes(), 0) >= 0 {
		return wire.ErrControl
	}
	_, err := c.out.WriteString("\r\n")
	return err
}

// first waits for an answer and fails with its first words where it is no HTTP:
// net/http would tell what it looked for and not what came.
func (c *clearConn) first() error {
	const start = "HTTP/"
	head, err := c.in.Peek(len(start))
	if strings.HasPrefix(start, string(head)) {
		return err
	}
	words, _ := c.in.Peek(min(c.in.Buffered(), maxStrange))
	line, _, _ := bytes.Cut(words, []byte("\n"))
	return check.ResultError(check.Undetermined, check.ReasonProtocolMismatch, string(line))
}

// clearBody gives the connection back when its answer was read to the end.
type clearBody struct {
	io.ReadCloser
	resp    *http.Response
	pool    *cleartext
	conn    *clearConn
	address string
	ended   bool
}

func (b *clearBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || err == io.EOF
	return n, err
}

// Close never reads on: net/http's own would, however long the body is.
func (b *clearBody) Close() error {
	c := b.conn
	whole := b.ended || b.ReadCloser == http.NoBody
	if !whole || b.resp.Close || b.resp.StatusCode == http.StatusSwitchingProtocols || c.in.Buffered() > 0 || !c.Detach() {
		return c.Close()
	}
	b.pool.idle.Put(b.address, c)
	return nil
}

// leave closes what waits for the next request to a host.
func (p *cleartext) leave(host string) {
	p.idle.CloseWhere(func(address string) bool { return wire.SameHost(address, host) })
}

// CloseIdleConnections closes what waits for its next request.
func (p *cleartext) CloseIdleConnections() { p.idle.Close() }
