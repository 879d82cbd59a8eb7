package prospero

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
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
	limit int64 // of bytes
	bytes int64 // that came
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
	return &listener{ctx: ctx, conn: conn, to: to, limit: p.o.MaxBytes, stop: stop}, nil
}

func (l *listener) close() {
	l.stop()
	l.conn.Close()
}

// question sends one datagram and judges its answer.
func (l *listener) question(datagram []byte, cid uint16) answer {
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
		if l.bytes += int64(n); l.bytes > l.limit {
			break
		}
		p, ok := parsePacket(buf[:n])
		switch {
		case !ok || !sameHost(from, l.to) || !p.bare && p.cid != cid || p.number > 1:
			continue
		case p.option == optionRedirect || p.option == optionRedirect+1:
			return decidedBy(check.Reachable, check.ReasonProsperoForwarded, "the server redirects to another address")
		case p.number == 0 && p.option != optionRefused || p.wait > 0 && p.text == "" || p.option >= optionQueued:
			queued = true // alive: the request stands in a queue
			continue
		}
		return judge(p)
	}
	return answer{result: check.Classify(wire.ErrTooLong)}
}

// failed is the result of a question without an answer. Silence is never more
// than undetermined (OUTCOMES 1.3).
func (l *listener) failed(err error, queued bool) answer {
	switch {
	case errors.Is(l.ctx.Err(), context.Canceled):
		return answer{result: check.Classify(l.ctx.Err())}
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return answer{result: check.Classify(err)}
	case queued:
		return decidedBy(check.Reachable, check.ReasonProsperoAnswer, "the request was queued")
	}
	return decidedBy(check.Undetermined, check.ReasonNoUDPReply, "")
}

// sameHost compares addresses without ports: a server answers from a port of
// its choice (REAL-SERVERS B, reply from 191).
func sameHost(a, b net.Addr) bool {
	x, err := netip.ParseAddrPort(a.String())
	y, bad := netip.ParseAddrPort(b.String())
	return err == nil && bad == nil && x.Addr().Unmap().WithZone("") == y.Addr().Unmap().WithZone("")
}
