package wais

import (
	"bufio"
	"context"
	"time"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// session is what one probe says to a server, over one connection at a time.
type session struct {
	o    check.Options
	at   uri.Endpoint
	conn *wire.Conn
	in   *bufio.Reader
	done context.CancelFunc

	bytes int64 // received, but for those of the conversation under way
}

// dial opens a new connection in the place of the last one. It ends when the time
// that is left, divided by parts, is over.
func (c *session) dial(ctx context.Context, parts int) error {
	c.hangUp()
	end, _ := ctx.Deadline()
	ctx, done := context.WithTimeout(ctx, time.Until(end)/time.Duration(parts))
	conn, err := wire.Dial(ctx, c.o.Dialer, wire.Address(c.at), c.o.MaxBytes)
	if err != nil {
		done()
		return err
	}
	c.conn, c.in, c.done = conn, bufio.NewReader(conn), done
	return nil
}

func (c *session) hangUp() {
	if c.conn == nil {
		return
	}
	c.bytes += c.conn.BytesRead()
	c.conn.Close()
	c.done()
	c.conn = nil
}

// init sends Init. A bare header for an answer is a refusal.
func (c *session) init() (accepted bool, err error) {
	body, err := c.send(initRequest())
	if err != nil || len(body) == 0 {
		return false, err
	}
	return parseInit(body)
}

// exchange sends a search and reads its answer.
func (c *session) exchange(request []byte) (answer, error) {
	body, err := c.send(request)
	if err != nil {
		return answer{}, err
	}
	return parseAnswer(body)
}

// send writes one message and reads one. Nothing is ever sent before the
// answer to what was sent before it (REAL-SERVERS A13).
func (c *session) send(request []byte) ([]byte, error) {
	if _, err := c.conn.Write(request); err != nil {
		return nil, err
	}
	return readMessage(c.in)
}

// speaksZ3950 sends the shortest Z39.50-1995 Init on a new connection: a server
// that answers it in kind is no WAIS server (PROTOCOLS 0.3).
func (c *session) speaksZ3950(ctx context.Context) bool {
	if c.dial(ctx, 1) != nil {
		return false
	}
	const shortestInit = "\xb4\x12\x83\x02\x05\xe0\x84\x02\x06\xc0\x85\x03\x01\x00\x00\x86\x03\x01\x00\x00"
	if _, err := c.conn.Write([]byte(shortestInit)); err != nil {
		return false
	}
	first, _ := c.in.Peek(2)
	return isZ3950(first)
}
