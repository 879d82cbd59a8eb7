package wais

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// conversation is one probe's talk with a server, over one connection at a time.
type conversation struct {
	o    check.Options
	at   uri.Endpoint
	conn *wire.Conn
	in   *bufio.Reader
	done context.CancelFunc
	past int64 // octets received on connections that are closed
}

// dial opens a new connection, which lives for one part of so many of the time
// that is left.
func (c *conversation) dial(ctx context.Context, parts int) error {
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

func (c *conversation) hangUp() {
	if c.conn == nil {
		return
	}
	c.past += c.conn.BytesRead()
	c.conn.Close()
	c.done()
	c.conn = nil
}

func (c *conversation) bytes() int64 {
	if c.conn == nil {
		return c.past
	}
	return c.past + c.conn.BytesRead()
}

// init sends Init. A bare header for an answer is a refusal.
func (c *conversation) init() (accepted bool, err error) {
	body, err := c.send(initRequest())
	if err != nil || len(body) == 0 {
		return false, err
	}
	return parseInit(body)
}

// exchange sends a search and reads its answer.
func (c *conversation) exchange(request []byte) (answer, error) {
	body, err := c.send(request)
	if err != nil {
		return answer{}, err
	}
	return parseAnswer(body)
}

// send writes one message and reads one. Nothing is ever sent before the
// answer to what was sent before it (REAL-SERVERS A13).
func (c *conversation) send(request []byte) ([]byte, error) {
	if _, err := c.conn.Write(request); err != nil {
		return nil, err
	}
	return readMessage(c.in)
}

// speaksZ3950 sends the shortest Z39.50-1995 Init on a new connection: a server
// that answers it in kind is no WAIS server (PROTOCOLS 0.3).
func (c *conversation) speaksZ3950(ctx context.Context) bool {
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

const (
	headerSize = 25      // octets before every message
	maxMessage = 1 << 20 // octets of a message after its header
)

var errGarbled = errors.New("no WAIS answer")

// message puts the 25-octet header before a body: length, type z, version 2,
// server name, no compression, no encoding, no checksum (PROTOCOLS 2.1).
func message(body []byte) []byte {
	return append(fmt.Appendf(nil, "%010dz2wais        0", len(body)), body...)
}

// readMessage reads one message and gives its body, which is empty where the
// server refuses a request that it could read (REAL-SERVERS A7).
func readMessage(in *bufio.Reader) ([]byte, error) {
	first, err := in.Peek(1)
	if err != nil {
		return nil, err
	}
	if first[0] != '0' {
		return nil, foreign(in)
	}
	header := make([]byte, headerSize)
	if n, err := io.ReadFull(in, header); err != nil {
		return nil, fmt.Errorf("%d octets of a header: %w", n, err)
	}
	size, err := strconv.ParseUint(string(header[:10]), 10, 64)
	switch {
	case err != nil:
		return nil, check.ResultError(check.Undetermined, check.ReasonProtocolMismatch, string(header))
	case size > maxMessage:
		return nil, fmt.Errorf("message of %d octets: %w", size, wire.ErrTooLong)
	case header[22] != ' ' || header[23] != ' ':
		return nil, fmt.Errorf("%w: compressed or encoded", errGarbled)
	}
	var body bytes.Buffer // grows with what comes, not with what the header promises
	if _, err := io.CopyN(&body, in, int64(size)); err == io.EOF {
		return nil, io.ErrUnexpectedEOF
	} else if err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}

// foreign takes what has come already as the words of another protocol.
func foreign(in *bufio.Reader) error {
	said, _ := in.Peek(min(in.Buffered(), 200))
	line, _, _ := bytes.Cut(said, []byte("\n"))
	text := string(line)
	if isZ3950(said) {
		text = "a Z39.50 server"
	}
	return check.ResultError(check.Undetermined, check.ReasonProtocolMismatch, text)
}

// isZ3950 tells the first octets of a Z39.50-1995 server: Init response or Close.
func isZ3950(b []byte) bool {
	return len(b) > 0 && b[0] == 0xb5 || len(b) > 1 && b[0] == 0xbf && b[1] == 0x30
}

// tagged is one field: tag and size as compressed integers, then the octets.
func tagged(tag int, value []byte) []byte {
	return append(append(compressed(tag), compressed(len(value))...), value...)
}

func taggedText(tag int, value string) []byte { return tagged(tag, []byte(value)) }

// compressed is n in base 128, big-endian, with the high bit on all octets but
// the last (PROTOCOLS 2.2).
func compressed(n int) []byte {
	out := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		out = append([]byte{byte(n&0x7f) | 0x80}, out...)
	}
	return out
}

// fields walks over tagged fields. Everything it gives lies within its octets.
type fields struct{ rest []byte }

// integer takes a compressed integer off the front.
func (f *fields) integer() (n int, ok bool) {
	for i := 0; i < 4 && i < len(f.rest); i++ {
		n = n<<7 | int(f.rest[i]&0x7f)
		if f.rest[i]&0x80 == 0 {
			f.rest = f.rest[i+1:]
			return n, true
		}
	}
	return 0, false
}

// take takes n octets off the front.
func (f *fields) take(n int) ([]byte, bool) {
	if n < 0 || n > len(f.rest) {
		return nil, false
	}
	b := f.rest[:n]
	f.rest = f.rest[n:]
	return b, true
}

// next takes one field off the front. A diagnostic record has a size of two
// octets in the place of a compressed integer, and one octet after its end.
func (f *fields) next() (tag int, value []byte, ok bool) {
	if tag, ok = f.integer(); !ok {
		return 0, nil, false
	}
	if tag == tagDiagnostic {
		size, ok := f.take(2)
		if !ok {
			return 0, nil, false
		}
		if value, ok = f.take(int(size[0])<<8 | int(size[1])); ok {
			_, ok = f.take(1)
		}
		return tag, value, ok
	}
	size, ok := f.integer()
	if !ok {
		return 0, nil, false
	}
	value, ok = f.take(size)
	return tag, value, ok
}
