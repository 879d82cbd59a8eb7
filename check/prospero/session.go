package prospero

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"math/bits"
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

// listener is a socket on which the answer to one question is awaited.
type listener struct {
	ctx   context.Context
	conn  net.PacketConn
	to    net.Addr
	limit int64 // of bytes
	bytes int64 // that came
	stop  func() bool
}

// question asks a server once, from a port of its own, and judges the answer; it also
// gives the octets that came.
func (p prober) question(ctx context.Context, at uri.Endpoint, text string) (answer, int64) {
	l, err := p.listen(ctx, at)
	if err != nil {
		return answer{result: check.Classify(err)}, 0
	}
	defer l.close()
	var random [2]byte
	rand.Read(random[:])
	id := max(binary.BigEndian.Uint16(random[:]), 1) // servers leave out an id of 0
	return l.question(request(id, text), id), l.bytes
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
		case !ok || !fromServer(from, l.to) || !p.bare && p.cid != cid && p.cid != bits.ReverseBytes16(cid) || p.number > 1:
			continue // a server repeats an answer with its own byte order (REAL-SERVERS B9)
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
		v := decidedBy(check.Reachable, check.ReasonProsperoAnswer, "the request was queued")
		v.result = v.result.WithEvidence(check.Weak)
		return v
	}
	return decidedBy(check.Undetermined, check.ReasonNoUDPReply, "")
}

// fromServer reports whether a datagram is from the address that was asked, and from the
// port that was asked or the privileged one, as servers answer (REAL-SERVERS B).
func fromServer(from, asked net.Addr) bool {
	a, err := netip.ParseAddrPort(from.String())
	b, bad := netip.ParseAddrPort(asked.String())
	return err == nil && bad == nil && a.Addr().Unmap().WithZone("") == b.Addr().Unmap().WithZone("") &&
		(a.Port() == b.Port() || a.Port() == privilegedPort)
}
