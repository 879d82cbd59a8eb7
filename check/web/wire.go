package web

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"linkcheck/check"
	"linkcheck/check/wire"
)

const (
	moment   = time.Millisecond // in which the system hands over what came long ago
	readSize = 4 << 10          // octets of a read; with the largest page of a probe a dozen reads
)

// conn is a connection for HTTP/1 as net/http is to see it. It reads the head of an
// answer whole, bounds it, and leaves out what net/http refuses (fields.go). It reads nothing while no
// answer is due, so that what comes late is never taken for the next answer; and
// what was answered counts even where the request could not be written whole.
type conn struct {
	net.Conn
	raw syscall.RawConn // of the socket; nil: the system cannot be asked about it

	// Of whoever reads: net/http's goroutine, or the reader of a body.
	in     *bufio.Reader
	head   bytes.Buffer // of the answer at hand, as far as it was not given
	failed error        // given when head is empty

	mu     sync.Mutex
	change sync.Cond // of what follows
	due    bool      // a request was written, and its answer not read to the end
	begun  bool      // the head of that answer was read
	left   int64     // octets of its body that may still come
	parked bool      // a reader waits until there is something to read
	halted bool      // reads end at once
	closed bool
	unsent error // why a request could not be written whole

	spoiled bool // it cannot be known where the answer ends
}

func newConn(c net.Conn, raw syscall.RawConn) *conn {
	it := &conn{Conn: c, raw: raw, in: bufio.NewReaderSize(c, readSize)}
	it.change.L = &it.mu
	return it
}

// Write implements net.Conn. It does not fail: a server may answer and close
// before it has read all.
func (c *conn) Write(p []byte) (int, error) {
	c.mu.Lock()
	if !c.due {
		c.due, c.begun, c.left = true, false, 0
		c.change.Broadcast()
	}
	c.mu.Unlock()
	if _, err := c.Conn.Write(p); err != nil {
		c.mu.Lock()
		c.unsent = err
		c.mu.Unlock()
	}
	return len(p), nil
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	for c.head.Len() == 0 {
		if c.failed != nil {
			return 0, c.failed
		}
		if !c.awaitMore() {
			return 0, net.ErrClosed
		}
		if _, err := c.in.Peek(1); err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) { // of pause
				c.fail(err)
			}
			continue
		}
		c.mu.Lock()
		due, begun := c.due, c.begun
		c.begun = true
		c.mu.Unlock()
		switch {
		case !due:
			c.failed = io.EOF // nobody asked for it
		case begun:
			return c.readBody(p)
		default:
			c.readHead()
		}
	}
	return c.head.Read(p)
}

// awaitMore waits until a head is due or more of a body may come; false: the
// connection was closed.
func (c *conn) awaitMore() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for (!c.due || c.begun && c.left == 0) && !c.closed {
		c.parked = true
		c.change.Broadcast()
		c.change.Wait()
	}
	c.parked = false
	return !c.closed
}

// expectBody lets n octets of a body come, -1 as many as there are.
func (c *conn) expectBody(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left = n; n < 0 {
		c.left = math.MaxInt64
	}
	c.change.Broadcast()
}

func (c *conn) readBody(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, err := c.in.Read(p[:min(int64(len(p)), c.left)]) // what Peek has seen
	c.left -= int64(n)
	return n, err
}

// fail ends the answer. Where the request was not written whole, that is why.
func (c *conn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed = cmp.Or(c.unsent, err)
}

// readHead reads the head of an answer, those of interim answers before it included.
// All of them together may have maxHeader octets.
func (c *conn) readHead() {
	left, status := maxHeader, http.StatusContinue
	for status/100 == 1 && status != http.StatusSwitchingProtocols {
		err := c.readStart()
		if err == nil {
			status, err = c.readStatus(&left)
		}
		if err == nil {
			err = c.readFields(&left)
		}
		if err != nil {
			c.fail(err)
			return
		}
	}
}

// readStart waits for an answer and fails with its first words where it is no HTTP.
func (c *conn) readStart() error {
	const start = "HTTP/"
	begin, err := c.in.Peek(len(start))
	if strings.HasPrefix(start, string(begin)) {
		return err
	}
	return check.ResultError(check.Undetermined, check.ReasonProtocolMismatch, wire.FirstWords(c.in))
}

// readStatus reads a status line as net/http does, which tells what it dislikes
// about one as text alone.
func (c *conn) readStatus(left *int) (status int, err error) {
	line, err := c.readLine(left)
	if err != nil {
		return 0, err
	}
	proto, rest, found := bytes.Cut(line, []byte(" "))
	code, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	status, err = strconv.Atoi(string(code))
	_, _, known := http.ParseHTTPVersion(string(proto))
	wrong := ""
	switch {
	case !found:
		wrong = fmt.Sprintf("malformed HTTP response %q", line)
	case len(code) != 3 || err != nil || status < 0:
		wrong = fmt.Sprintf("malformed HTTP status code %q", code)
	case !known:
		wrong = fmt.Sprintf("malformed HTTP version %q", proto)
	default:
		return status, nil
	}
	c.head.Reset()
	return 0, check.ResultError(check.Undetermined, check.ReasonProtocolMismatch, wrong)
}

// readFields reads header lines up to an empty one, and mends them. Where the end of
// the body is not certain, the connection is not used again.
func (c *conn) readFields(left *int) error {
	begin := c.head.Len()
	for {
		line, err := c.readLine(left)
		if err == nil && len(line) > 0 {
			continue
		}
		if begin <= c.head.Len() {
			kept, framed := mend(c.head.Bytes()[begin:])
			c.head.Truncate(begin + len(kept))
			c.mu.Lock()
			c.spoiled = c.spoiled || !framed
			c.mu.Unlock()
		}
		return err
	}
}

// readLine appends a line to the head and gives it without its end; left is how long
// the head may still be. What came of a line that is cut is in the head.
func (c *conn) readLine(left *int) ([]byte, error) {
	begin := c.head.Len()
	for {
		part, err := c.in.ReadSlice('\n')
		c.head.Write(part)
		if *left -= len(part); *left < 0 {
			c.head.Reset() // what was cut would read as garbled
			return nil, wire.ErrTooLong
		}
		if err != bufio.ErrBufferFull {
			line := bytes.TrimSuffix(c.head.Bytes()[begin:], []byte("\n"))
			return bytes.TrimSuffix(line, []byte("\r")), err
		}
	}
}

// pause ends an answer that was read to its end. It says whether the connection can
// wait for another request.
func (c *conn) pause() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.due = false; c.left > 0 {
		c.halted = true
		c.Conn.SetReadDeadline(time.Unix(1, 0)) // whoever reads on stops
	}
	for !c.parked && !c.closed {
		c.change.Wait()
	}
	return !c.closed && !c.spoiled && c.unsent == nil && c.in.Buffered() == 0
}

// resume says whether nothing came while the connection waited: neither its end
// nor octets that nobody asked for.
func (c *conn) resume() bool {
	quiet := true
	if _, layered := c.Conn.(*tls.Conn); layered || c.raw == nil {
		wait := moment
		if c.raw != nil {
			wait = -moment // what TLS holds came before
		}
		c.Conn.SetReadDeadline(time.Now().Add(wait))
		n, err := c.Conn.Read(make([]byte, 1))
		quiet = n == 0 && errors.Is(err, os.ErrDeadlineExceeded)
		c.halted = true
	}
	if c.halted {
		c.halted = false
		c.Conn.SetReadDeadline(time.Time{})
	}
	return quiet && (c.raw == nil || silent(c.raw))
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.mu.Lock()
	c.closed = true
	c.change.Broadcast()
	c.mu.Unlock()
	return c.Conn.Close()
}
