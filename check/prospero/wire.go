package prospero

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"

	"linkcheck/check"
	"linkcheck/check/wire"
	"linkcheck/uri"
)

// maxPackets is how many datagrams are looked at for one answer, foreign ones included.
const maxPackets = 64

// listener is a socket that takes answers from any port of one address.
type listener struct {
	ctx   context.Context
	conn  net.PacketConn
	to    net.Addr
	left  int64 // octets that may still come
	bytes int64
	stop  func() bool
}

func (p prober) listen(ctx context.Context, at uri.Endpoint) (*listener, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	conn, to, err := p.o.Dialer.ListenPacket(ctx, wire.Address(at))
	if err != nil {
		return nil, err
	}
	end, _ := ctx.Deadline()
	conn.SetDeadline(end)
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	return &listener{ctx: ctx, conn: conn, to: to, left: p.o.MaxBytes, stop: stop}, nil
}

func (l *listener) close() {
	l.stop()
	l.conn.Close()
}

// question sends one datagram and judges the answer to it.
func (l *listener) question(datagram []byte, cid uint16) verdict {
	if _, err := l.conn.WriteTo(datagram, l.to); err != nil {
		return l.failed(err, false)
	}
	buf := make([]byte, maxPacket)
	queued := false
	for range maxPackets {
		n, from, err := l.conn.ReadFrom(buf)
		if err != nil {
			return l.failed(err, queued)
		}
		l.bytes += int64(n)
		if l.left -= int64(n); l.left < 0 {
			break
		}
		p, ok := parsePacket(buf[:n])
		switch {
		case !ok || !sameHost(from, l.to) || !p.bare && p.cid != cid || p.number > 1:
			continue
		case p.option == optionRedirect || p.option == optionRedirect+1:
			return decided(check.Reachable, check.ReasonProsperoForwarded, "the server redirects to another address")
		case p.number == 0 && p.option != optionRefused || p.wait > 0 && p.text == "" || p.option >= optionQueued:
			queued = true // alive: the request stands in a queue
			continue
		}
		return judge(p)
	}
	return verdict{result: check.Classify(wire.ErrTooLong)}
}

// failed is the result of a question without an answer. Silence is never more
// than undetermined (OUTCOMES 1.3).
func (l *listener) failed(err error, queued bool) verdict {
	switch {
	case errors.Is(l.ctx.Err(), context.Canceled):
		return verdict{result: check.Classify(l.ctx.Err())}
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return verdict{result: check.Classify(err)}
	case queued:
		return decided(check.Reachable, check.ReasonProsperoAnswer, "the request was queued")
	}
	return decided(check.Undetermined, check.ReasonNoUDPReply, "")
}

// sameHost compares addresses without ports: a server answers from a port of
// its choice (REAL-SERVERS B, reply from 191).
func sameHost(a, b net.Addr) bool {
	x, err := netip.ParseAddrPort(a.String())
	y, bad := netip.ParseAddrPort(b.String())
	return err == nil && bad == nil && x.Addr().Unmap().WithZone("") == y.Addr().Unmap().WithZone("")
}

// packet is one datagram from a server. Its header may have any length: the
// first octet tells it, and what is missing has its default (PROTOCOLS 3.1).
type packet struct {
	bare   bool // text without a header, as servers answer to what they take for version 1
	cid    uint16
	number uint16 // 1 unless given; 0: control
	wait   uint16 // seconds after which to ask again: the request is queued
	option byte
	text   string
}

// ARDP options from a server.
const (
	optionRefused  = 1
	optionRedirect = 4 // and 5: with notice to the old server
	optionQueued   = 253
)

// parsePacket reads a datagram; false says that it is no ARDP and no text.
func parsePacket(b []byte) (p packet, ok bool) {
	if len(b) == 0 {
		return p, false
	}
	size := int(b[0])
	if size >= 0x20 {
		return packet{bare: true, number: 1, text: string(b)}, isText(b)
	}
	if size == 0 || size == 2 || size > len(b) {
		return p, false
	}
	p = packet{number: 1, text: string(b[size:])}
	word := func(at int, to *uint16) {
		if at+2 <= size {
			*to = binary.BigEndian.Uint16(b[at:])
		}
	}
	word(1, &p.cid)
	word(3, &p.number)
	word(9, &p.wait)
	if size > 12 {
		p.option = b[12]
	}
	return p, true
}

// isText says whether octets without a header begin like a line of an answer.
func isText(b []byte) bool {
	switch line := string(b[:min(len(b), 40)]); word(line) {
	case "ERROR", "VERSION", "FAILURE", "VERSION-NOT-SUPPORTED", "MULTI-PACKET":
		return true
	}
	return false
}

// tokens splits a line at blanks as a server means it: a quote toggles quoting
// anywhere, also within a token, two quotes within quotes are one, and a pair
// of quotes alone is an empty token. Two blanks hold an empty token between
// them (REAL-SERVERS B4 and B5).
func tokens(line string) []string {
	var out []string
	var token strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'' && quoted && i+1 < len(line) && line[i+1] == '\'':
			token.WriteByte(c)
			i++
		case c == '\'':
			quoted = !quoted
		case c == ' ' && !quoted:
			out = append(out, token.String())
			token.Reset()
		default:
			token.WriteByte(c)
		}
	}
	return append(out, token.String())
}

// word is the first word of a line: what kind of line it is.
func word(line string) string {
	w, _, _ := strings.Cut(line, " ")
	return strings.TrimRight(w, "\r\n")
}
